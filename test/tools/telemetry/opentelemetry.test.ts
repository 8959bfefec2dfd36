import { context, propagation, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { UndiciInstrumentation } from "@opentelemetry/instrumentation-undici";
import { login } from "ventanilla";
import { describe, expect, onTestFinished, test } from "vitest";
import { traceTelemetry } from "../../../src/tools/telemetry/opentelemetry/index.ts";
import { asks, loggedIn, loginUnread, person, startSandbox, startService, unasked } from "../../bank/service.ts";
import { readAttributes, recorder } from "./spans.ts";

const plain = { onInteraction: unasked };
const provider = { json: { status: "success", provider: { name: "Test", country: "UY", auth_fields: [] } } };
const loggedInTree = ["ventanilla.login: logged_in", "  ventanilla.submitCredentials: logged_in"];

describe("a span has", () => {
  test("the bank, the outcome and the interactions, and an event for each of them", async () => {
    const service = await startService([asks("otp", "k"), loggedIn("k")]);
    const { inspect, spans } = recorder();
    await loginUnread(service.client(), person, { onInteraction: () => "8888", inspect });
    const [first, second, whole] = spans();
    expect(readAttributes(whole)).toStrictEqual({
      "ventanilla.provider": "test",
      "ventanilla.login.start": "started",
      "ventanilla.state": "loggedIn",
      "ventanilla.interactions": 1,
      "ventanilla.outcome": "logged_in",
    });
    expect(whole?.attributes["ventanilla.login.id"]).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(whole?.events.map(({ name, attributes }) => [name, attributes])).toStrictEqual([
      [
        "interaction.required",
        { "ventanilla.field": "otp", "ventanilla.fields": ["otp"], "ventanilla.interaction": 1 },
      ],
      ["interaction.answered", { "ventanilla.interaction": 1 }],
    ]);
    const sent = {
      "ventanilla.provider": "test",
      "http.request.method": "POST",
      "http.response.status_code": 200,
      "server.address": "127.0.0.1",
      "server.port": Number(new URL(service.url).port),
    };
    expect(readAttributes(first)).toStrictEqual({
      ...sent,
      "ventanilla.request": "submitCredentials",
      "ventanilla.outcome": "interaction_required",
    });
    expect(readAttributes(second)).toStrictEqual({
      ...sent,
      "ventanilla.request": "submitAnswer",
      "ventanilla.outcome": "logged_in",
    });
    const ids = spans().map(({ attributes }) => attributes["ventanilla.login.id"]);
    expect(new Set(ids).size).toBe(1);
    expect(spans().map(({ kind }) => kind)).toEqual([SpanKind.CLIENT, SpanKind.CLIENT, SpanKind.INTERNAL]);
  });

  test("the code, the request and the HTTP code of a fault", async () => {
    const service = await startService([{ http: 502, text: "<html>bad gateway</html>" }]);
    const { inspect, spans } = recorder();
    await loginUnread(service.client(), person, { ...plain, inspect }).catch(() => {});
    const [request, whole] = spans();
    const fault = {
      "ventanilla.outcome": "outcome_unknown",
      "http.response.status_code": 502,
      "ventanilla.failure.request": "POST /login/",
      "error.type": "outcome_unknown",
    };
    expect(readAttributes(request)).toMatchObject(fault);
    expect(readAttributes(whole)).toMatchObject(fault);
    expect(request?.status).toEqual({ code: SpanStatusCode.ERROR, message: "outcome_unknown" });
    expect(whole?.status).toEqual(request?.status);
  });

  test("the outcome after a session was replaced, and nothing of the failure before", async () => {
    const tooMany = { http: 403, json: { status: "max_sessions_reached", key: "other" } };
    const service = await startService([tooMany, { json: { status: "logged_out" } }, loggedIn("k")]);
    const { inspect, spans } = recorder();
    await loginUnread(service.client(), person, { ...plain, settings: { sessionReplacement: true }, inspect });
    const whole = spans().at(-1);
    expect(readAttributes(whole)).toStrictEqual({
      "ventanilla.provider": "test",
      "ventanilla.login.start": "started",
      "ventanilla.state": "loggedIn",
      "ventanilla.interactions": 0,
      "ventanilla.outcome": "logged_in",
    });
    expect(whole?.events.map(({ name }) => name)).toEqual(["session.replacing"]);
  });

  test("the number of clients to choose from", async () => {
    const { inspect, spans } = recorder();
    const account = { provider: "canal_pa", username: "newkey", password: "s3creto", fields: { company_code: "7701" } };
    const service = await startSandbox();
    await loginUnread(service.client(), account, { onInteraction: unasked, onSelectClient: () => "1", inspect });
    expect(spans().at(-1)?.events).toMatchObject([
      { name: "client.required", attributes: { "ventanilla.clients": 2 } },
      { name: "client.chosen" },
    ]);
  });
});

/** What an OpenTelemetry SDK registers in Node, as far as this needs it. */
function registerContexts() {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  onTestFinished(() => {
    context.disable();
    propagation.disable();
  });
}

test("the spans of a login belong to the span that is active when it starts", async () => {
  registerContexts();
  const service = await startService([loggedIn("k")]);
  const { tracer, inspect, tree } = recorder();
  await tracer.startActiveSpan("checkout", async (span) => {
    await loginUnread(service.client(), person, { ...plain, inspect });
    span.end();
  });
  expect(tree()).toEqual(["checkout: undefined", ...loggedInTree.map((line) => `  ${line}`)]);
});

test("the spans of HTTP's instrumentation hang below that of their request, and the bank gets its trace", async () => {
  registerContexts();
  const service = await startService([provider, asks("otp", "k"), loggedIn("k")]);
  const { tracer, inspect, spans, tree } = recorder();
  const instrumentation = new UndiciInstrumentation();
  instrumentation.setTracerProvider({ getTracer: () => tracer });
  onTestFinished(() => instrumentation.disable());
  await login(service.client(), person, { onInteraction: () => "8888", inspect });
  expect(tree().map((line) => line.replace(/:.*/, ""))).toEqual([
    "ventanilla.login",
    "  ventanilla.checkFields",
    "    GET",
    "  ventanilla.submitCredentials",
    "    POST",
    "  ventanilla.submitAnswer",
    "    POST",
  ]);
  const sent = spans().filter(({ name }) => name === "GET" || name === "POST");
  expect(service.requests.map(({ headers }) => headers["traceparent"])).toEqual(
    sent.map((span) => `00-${span.spanContext().traceId}-${span.spanContext().spanId}-01`),
  );
});

test("the default tracer is that of the registered provider; without one nothing is recorded", async () => {
  const service = await startService([loggedIn("k"), loggedIn("k")]);
  const { tracer, tree } = recorder();
  const inspect = traceTelemetry();
  expect((await loginUnread(service.client(), person, { ...plain, inspect })).state).toBe("loggedIn");
  trace.setGlobalTracerProvider({
    getTracer: (name) => {
      expect(name).toBe("ventanilla");
      return tracer;
    },
  });
  onTestFinished(() => trace.disable());
  await loginUnread(service.client(), person, { ...plain, inspect });
  expect(tree()).toEqual(loggedInTree);
});

test("a tracer that throws does not break the login", async () => {
  const service = await startService([loggedIn("k")]);
  const errors: unknown[] = [];
  const startSpan = () => {
    throw new Error("exporter is gone");
  };
  const tracer = { startSpan, startActiveSpan: () => undefined as never };
  const inspect = traceTelemetry({ tracer, onError: (error) => errors.push(error) });
  expect((await loginUnread(service.client(), person, { ...plain, inspect })).state).toBe("loggedIn");
  expect(errors.length).toBeGreaterThan(0);
});
