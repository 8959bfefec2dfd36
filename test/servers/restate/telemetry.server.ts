import { inspect as print } from "node:util";
import { context, propagation, trace } from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import type { LoginOptions } from "ventanilla";
import { createDurableLoginClient, durableLogin } from "ventanilla/restate";
import { inspectAll, type LifecycleEvent, lifecycleTelemetry } from "ventanilla/telemetry";
import { afterAll, beforeAll, describe, expect, onTestFinished } from "vitest";
import {
  asks,
  loggedIn,
  promised,
  type Reply,
  type Service,
  startSandbox,
  startService,
  toLogin,
  unasked,
} from "../../bank/service.ts";
import { findCanaries } from "../../leaks/canaries.ts";
import { parrot } from "../../leaks/echoes.ts";
import { flowCanaries, sentTo } from "../../leaks/flows.ts";
import { line } from "../../tools/telemetry/observed.ts";
import { sandboxLogins } from "../../tools/telemetry/sandbox-logins.ts";
import { recorder, tree } from "../../tools/telemetry/spans.ts";
import { findForm } from "./counting-bank.ts";
import { logInDurably } from "./open-interaction.ts";
import { SEAL_KEY, type StageHere, startWorkerHere } from "./stage.ts";
import { test } from "./stage-test.ts";

// Beside the version of the stage: each test has a worker with telemetry of its own.
const version = "telemetry";

beforeAll(() => {
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
});
afterAll(() => propagation.disable());

/** A worker and a caller, each with its own spans. @param onEvent called with each lifecycle event of the worker. */
async function startTraced(
  { server }: StageHere,
  bank: Pick<Service, "client">,
  onEvent: (event: LifecycleEvent, breakConnections: () => void) => void = () => {},
) {
  const events: LifecycleEvent[] = [];
  const inspected: unknown[] = [];
  const spans = { worker: recorder(), caller: recorder() };
  const inspect = inspectAll(
    spans.worker.inspect,
    (event) => void inspected.push(event),
    lifecycleTelemetry((event) => {
      events.push(event);
      onEvent(event, worker.breakConnections);
    }),
  );
  const sealKey = SEAL_KEY;
  const worker = await startWorkerHere([durableLogin({ client: bank.client(), sealKey, inspect, version })]);
  onTestFinished(worker.close);
  await server.register(worker.uri);
  const logins = createDurableLoginClient({ ingress: server.ingress, sealKey, version });
  return {
    logins,
    events,
    inspected,
    lines: () => events.map(line).map(untimed),
    spans,
    worker,
    ended: () => expect.poll(() => events.some(isLast)).toBe(true),
  };
}

const isLast = (event: LifecycleEvent) =>
  event.type === "login.finished" ||
  event.type === "login.cancelled" ||
  (event.type === "login.failed" && !event.replaceable);

/** An event as a line, without its times: a worker does not know how long the person took. */
const untimed = (text: string) => text.replace(/ after [\d.]+/, "").replace(/ wait=[\d.]+/, "");

// An error of a handler ends the caller's statechart alone: in the worker the login goes on waiting.
const logins = sandboxLogins.filter(([name]) => name !== "a handler that throws");

const otp = { provider: "test", username: "12345otp", password: "asdfg" };
const otpEvents = [
  "login.started started at test in submitting",
  "interaction.required interaction_required at test in awaitingInteraction field=otp fields=otp number=1 answersSent=0",
  "interaction.answered answered at test in submitting number=1",
  "login.finished logged_in at test in loggedIn interactions=1",
];

describe("a worker has the events and spans of login():", () => {
  test.for(logins)("%s", async ([_name, options, expectedEvents, expectedSpans], { stage }) => {
    const { logins, events, lines, spans, ended } = await startTraced(stage, await startSandbox());
    const settings = { validate: false, ...options.settings };
    const outcome = await logInDurably(logins, ...toLogin({ onInteraction: unasked, ...options, settings }));
    await ended();

    expect(lines()).toEqual(expectedEvents.map(untimed));
    const named = spans.worker.spans().flatMap(({ attributes }) => attributes["ventanilla.login.id"] ?? []);
    expect(new Set([...events.map(({ id }) => id), ...named])).toEqual(new Set([outcome.id]));
    const durations = events.map(({ duration }) => duration);
    expect(durations).toEqual([...durations].sort((one, other) => one - other));
    expect(spans.worker.tree()).toEqual(expectedSpans.slice(1).map((expected) => expected.trim()));
    expect(spans.worker.open()).toEqual([]);
  });

  test("a request that is cancelled is aborted", async ({ stage }) => {
    const bank = await startService(["held"]);
    const { logins, lines, spans, ended } = await startTraced(stage, bank);
    const id = await logins.start({ ...otp, settings: { validate: false } });
    await bank.arrival(1);
    await logins.cancel(id);
    await ended();
    expect(lines()).toEqual([otpEvents[0], "login.cancelled cancelled at test in submitting interactions=0"]);
    await expect.poll(spans.worker.tree).toEqual(["ventanilla.submitCredentials: aborted"]);
    expect(spans.worker.open()).toEqual([]);
  });
});

describe("one trace holds the spans of caller and worker", () => {
  test.for<[string, Partial<LoginOptions>, readonly string[]]>([
    [
      "a choice of client",
      { ...findForm("canal_pa", "newkey"), onSelectClient: () => "1" },
      [
        "order 17: undefined",
        "  ventanilla.submitCredentials: select_client",
        "  ventanilla.listClients: success",
        "  ventanilla.selectClient: success",
      ],
    ],
    [
      "a session that the worker replaces automatically",
      { settings: { sessionReplacement: true }, ...findForm("faro_uy", "sessions") },
      [
        "order 17: undefined",
        "  ventanilla.submitCredentials: max_sessions_reached",
        "  ventanilla.closeSession: logged_out",
        "  ventanilla.submitCredentials: logged_in",
      ],
    ],
  ])("%s", async ([_name, options, expected], { stage }) => {
    const { logins, spans } = await startTraced(stage, await startSandbox());
    const span = spans.caller.tracer.startSpan("order 17");
    const headers: Record<string, string> = {};
    propagation.inject(trace.setSpan(context.active(), span), headers);
    await logInDurably(
      logins,
      ...toLogin({ ...otp, onInteraction: unasked, ...options, settings: { validate: false, ...options.settings } }),
      { headers },
    );
    span.end();
    const all = [...spans.caller.spans(), ...spans.worker.spans()];
    expect(tree(all)).toEqual(expected);
    expect(new Set(all.map((span) => span.spanContext().traceId)).size).toBe(1);
  });
});

describe("a step that Restate repeats", () => {
  test("has one event, although the connection breaks at each event", async ({ stage }) => {
    const bank = await startSandbox();
    const broken = new Set<string>();
    const { logins, lines, spans, ended } = await startTraced(stage, bank, ({ type }, breakConnections) => {
      if (!broken.has(type)) breakConnections();
      broken.add(type);
    });
    const outcome = await logInDurably(logins, otp, {
      settings: { validate: false },
      onInteraction: () => "8888",
    });
    expect(outcome.state).toBe("loggedIn");
    await ended();
    expect(lines()).toEqual(otpEvents);
    expect(spans.worker.tree()).toEqual([
      "ventanilla.submitCredentials: interaction_required",
      "ventanilla.submitAnswer: logged_in",
    ]);
    expect(bank.lines().filter((line) => line.startsWith("POST"))).toHaveLength(2);
  });

  test("has one span for its request, although the connection breaks before the bank responds", async ({ stage }) => {
    const { promise: response, keep: respond } = promised<Reply>();
    const bank = await startService([() => response]);
    const { logins, lines, spans, worker, ended } = await startTraced(stage, bank);
    const id = await logins.start({ ...otp, settings: { validate: false } });
    await bank.arrival(1);
    const before = worker.attempts();
    worker.breakConnections();
    await expect.poll(worker.attempts).toBeGreaterThan(before);
    respond(loggedIn("k"));
    expect((await logins.wait(id)).state).toBe("loggedIn");
    await ended();
    expect(lines()).toEqual([otpEvents[0], "login.finished logged_in at test in loggedIn interactions=0"]);
    expect(spans.worker.tree()).toEqual(["ventanilla.submitCredentials: logged_in"]);
    expect(bank.lines()).toHaveLength(1);
  });
});

test("no canary is in what a worker's inspect function gets, nor in a span, although the bank repeats all", async ({
  stage,
}) => {
  const canaries = flowCanaries();
  const { apiKey, firstKey, secondKey, sessionKey, username, password, companyCode, firstAnswer } = canaries;
  const bank = await startService(
    parrot([
      // What the bank writes for the person is the bank's, and is in a snapshot as it came.
      () => asks("otp", firstKey.value),
      (echo) => ({ json: { status: "select_client", key: secondKey.value, message: echo } }),
      () => ({ json: { status: "success", clients: { 0: "First Client" } } }),
      (echo, all) => ({ json: { status: all.at(-1) ?? "", key: sessionKey.value, message: echo } }),
    ]),
  );
  const client = () => bank.client({ apiKey: apiKey.value });
  const { logins, events, inspected, spans, ended } = await startTraced(stage, { client });
  const form = {
    provider: "test",
    username: username.value,
    password: password.value,
    fields: { company_code: companyCode.value },
  };
  await logInDurably(logins, form, {
    settings: { validate: false },
    onInteraction: () => firstAnswer.value,
    onSelectClient: () => "0",
  });
  await ended();
  for (const { token } of [apiKey, username, password, companyCode, firstAnswer, firstKey, secondKey])
    expect(sentTo(bank)).toContain(token);
  const codes = ["started", "interaction_required", "answered", "select_client", "chosen", "unexpected_status"];
  expect(events.map(({ code }) => code)).toEqual(codes);
  const attributes = spans.worker.spans().map(({ name, attributes, events, status }) => {
    return { name, attributes, events, status };
  });
  const seen = [inspected, events, attributes];
  const printed = seen.map((part) => print(part, { showHidden: true, depth: 8 }));
  expect(findCanaries([seen, printed], Object.values(canaries))).toEqual([]);
});
