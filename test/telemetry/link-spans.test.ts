import { AsyncLocalStorage } from "node:async_hooks";
import { type Context, type ContextManager, context, ROOT_CONTEXT, trace } from "@opentelemetry/api";
import {
  createCredentials,
  createLinkMachine,
  createLoginMachine,
  type LinkSettings,
  login,
  readState,
} from "ventanilla";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createActor, waitFor } from "xstate";
import { traceLogins } from "../../src/telemetry/opentelemetry/index.ts";
import { loggedIn, person, type Service, startSandbox, startService, unasked } from "../bank/service.ts";
import { answer, submit } from "../login/started.ts";
import { recorder } from "./spans.ts";

const account = createCredentials({ provider: "test", username: "12345otp", password: "asdfg" });

async function linking(service: Service, settings: LinkSettings = {}) {
  const recorded = recorder();
  const actor = createActor(createLinkMachine(service.client()), { input: settings, inspect: recorded.inspect });
  onTestFinished(() => void actor.stop());
  actor.start();
  const reaches = (state: Parameters<ReturnType<typeof actor.getSnapshot>["matches"]>[0]) =>
    waitFor(actor, (snapshot) => snapshot.matches(state));
  const choose = async () => {
    await reaches("choosingProvider");
    actor.send({ type: "provider.choose", provider: "test" });
    await reaches("loggingIn");
  };
  const isAsked = () => waitFor(actor, (snapshot) => snapshot.context.login?.value === "awaitingInteraction");
  return { ...recorded, actor, reaches, choose, isAsked };
}

describe("a link flow is a span around its login's", () => {
  test("from the list of banks to the destinations", async () => {
    const { actor, reaches, choose, isAsked, tree, open, spans } = await linking(await startSandbox());
    await choose();
    actor.send({ type: "credentials.submit", credentials: account });
    await isAsked();
    actor.send(answer);
    await reaches("linked");
    expect(tree()).toEqual([
      "ventanilla.link: linked",
      "  ventanilla.listProviders: success",
      "  ventanilla.getProvider: success",
      "  ventanilla.login: logged_in",
      "    ventanilla.submitCredentials: interaction_required",
      "    ventanilla.submitCredentials: logged_in",
      "  ventanilla.listDestinations: success",
    ]);
    expect(open()).toEqual([]);
    expect(spans().at(-1)?.attributes["ventanilla.provider"]).toBe("test");
  });

  test.each([
    ["link.cancel", "cancelled"],
    ["stop", "stopped"],
  ] as const)("that ends with %s in the middle of its login", async (cause, outcome) => {
    const { actor, choose, isAsked, tree, open, spans } = await linking(await startSandbox());
    await choose();
    actor.send({ type: "credentials.submit", credentials: account });
    await isAsked();
    if (cause === "stop") actor.stop();
    else actor.send({ type: cause });
    expect(open()).toEqual([]);
    expect(tree()).toEqual([
      `ventanilla.link: ${outcome}`,
      "  ventanilla.listProviders: success",
      "  ventanilla.getProvider: success",
      "  ventanilla.login: stopped",
      "    ventanilla.submitCredentials: interaction_required",
    ]);
    expect(spans().at(-1)).toMatchObject({ name: "ventanilla.link", attributes: { "ventanilla.provider": "test" } });
  });

  test("that goes on with another bank has a login for each", async () => {
    const { actor, choose, isAsked, tree, open } = await linking(await startSandbox());
    for (let turn = 0; turn < 2; turn++) {
      await choose();
      actor.send({ type: "credentials.submit", credentials: account });
      await isAsked();
      actor.send({ type: "provider.change" });
    }
    actor.send({ type: "link.cancel" });
    const once = [
      "  ventanilla.getProvider: success",
      "  ventanilla.login: stopped",
      "    ventanilla.submitCredentials: interaction_required",
    ];
    expect(tree()).toEqual(["ventanilla.link: cancelled", "  ventanilla.listProviders: success", ...once, ...once]);
    expect(open()).toEqual([]);
  });

  test("that is left in a fault is an error; the one taken up again is not", async () => {
    const list = { json: { status: "success", providers: [] } };
    for (const isRetried of [false, true]) {
      const service = await startService(["broken", list]);
      const { actor, reaches, tree, open, spans } = await linking(service);
      await reaches("failed");
      if (isRetried) {
        actor.send({ type: "link.retry" });
        await reaches("choosingProvider");
      }
      actor.stop();
      expect(tree()).toEqual([
        isRetried ? "ventanilla.link: stopped" : "ventanilla.link: network_failed ERROR",
        "  ventanilla.listProviders: network_failed ERROR",
        ...(isRetried ? ["  ventanilla.listProviders: success"] : []),
      ]);
      expect(open()).toEqual([]);
      const events = spans()
        .at(-1)
        ?.events.map(({ name, attributes }) => [name, attributes]);
      expect(events).toEqual([["link.failed", { "ventanilla.outcome": "network_failed" }]]);
    }
  });

  test("whose request is under way ends with it", async () => {
    const service = await startService(["held"]);
    const { actor, tree, open } = await linking(service);
    await service.arrival(1);
    actor.stop();
    expect(tree()).toEqual(["ventanilla.link: stopped", "  ventanilla.listProviders: aborted"]);
    expect(open()).toEqual([]);
  });
});

test("a request that the flow goes on without ends at once", async () => {
  const list = { json: { status: "success", providers: [{ code: "test", country: "UY", name: "Test" }] } };
  const service = await startService([list, "held"]);
  const { actor, reaches, tree, open } = await linking(service);
  await reaches("choosingProvider");
  actor.send({ type: "provider.choose", provider: "test" });
  await service.arrival(2);
  actor.send({ type: "provider.change" });
  expect(open()).toEqual([expect.stringMatching(/^ventanilla\.link /)]);
  expect(tree()).toEqual(["ventanilla.listProviders: success", "ventanilla.getProvider: aborted"]);
});

describe("an actor of one's own leaves no span open", () => {
  const tooMany = { http: 403, json: { status: "max_sessions_reached", key: "other" } };

  test.each(["login.cancel", "stop", "credentials.submit"] as const)(
    "where a session could be replaced, and is not (%s)",
    async (instead) => {
      const service = await startService([tooMany, loggedIn("k")]);
      const { inspect, tree, open } = recorder();
      const actor = createActor(createLoginMachine(service.client()), { input: { sessionReplacement: true }, inspect });
      onTestFinished(() => void actor.stop());
      actor.start();
      actor.send(submit);
      await waitFor(actor, (snapshot) => readState(snapshot) === "failed");
      // It may go on.
      expect(open()).toEqual([expect.stringMatching(/^ventanilla\.login /)]);
      if (instead === "login.cancel") actor.send({ type: instead });
      else if (instead === "stop") actor.stop();
      else {
        actor.send(submit);
        await waitFor(actor, (snapshot) => readState(snapshot) === "loggedIn");
      }
      expect(open()).toEqual([]);
      const again = ["ventanilla.login: logged_in", "  ventanilla.submitCredentials: logged_in"];
      expect(tree()).toEqual([
        "ventanilla.login: max_sessions_reached",
        "  ventanilla.submitCredentials: max_sessions_reached",
        ...(instead === "credentials.submit" ? again : []),
      ]);
    },
  );

  test("where the statechart breaks in itself", async () => {
    const service = await startService(["held"]);
    const { inspect, tree, open } = recorder();
    const end = new AbortController();
    const client = service.client({ signal: end.signal });
    const actor = createActor(createLoginMachine(client), { input: {}, inspect });
    actor.subscribe({ error: () => {} });
    actor.start();
    actor.send(submit);
    await service.arrival(1);
    vi.spyOn(actor.logic, "transition").mockImplementation(() => {
      throw new Error("hunter two");
    });
    onTestFinished(() => void vi.restoreAllMocks());
    // XState warns of the aborted request's end, which comes after that of its actor.
    vi.spyOn(console, "warn").mockImplementation(() => {});
    actor.send({ type: "login.cancel" });
    await Promise.resolve();
    expect(open()).toEqual([]);
    end.abort();
    await new Promise((resolve) => setImmediate(resolve));
    expect(tree()).toEqual(["ventanilla.login: unexpected_fault ERROR", "  ventanilla.submitCredentials: aborted"]);
  });
});

/** What an OpenTelemetry SDK registers in Node, as far as this needs it. */
class Contexts implements ContextManager {
  readonly #storage = new AsyncLocalStorage<Context>();
  active = () => this.#storage.getStore() ?? ROOT_CONTEXT;
  with: ContextManager["with"] = (active, call, self, ...args) =>
    this.#storage.run(active, () => call.apply(self, args));
  bind: ContextManager["bind"] = (_context, target) => target;
  enable = () => this;
  disable = () => this;
}

describe("the spans of a login belong", () => {
  test("to the span that is active when it starts", async () => {
    context.setGlobalContextManager(new Contexts());
    onTestFinished(() => context.disable());
    const service = await startSandbox();
    const { tracer, inspect, tree, spans } = recorder();
    const options = { provider: "test", username: "12345", password: "gfdsa", onInteraction: unasked, inspect };
    await tracer.startActiveSpan("checkout", async (span) => {
      await login(service.client(), options);
      span.end();
    });
    expect(tree()).toEqual([
      "checkout: undefined",
      "  ventanilla.login: logged_in",
      "    ventanilla.submitCredentials: logged_in",
    ]);
    expect(new Set(spans().map((span) => span.spanContext().traceId)).size).toBe(1);
  });

  test("to the registered provider's tracer, unless another is given; with none nothing is recorded", async () => {
    const service = await startService([loggedIn("k"), loggedIn("k")]);
    const { tracer, tree } = recorder();
    const inspect = traceLogins();
    const outcome = await login(service.client(), { ...person, onInteraction: unasked, inspect });
    expect(outcome.status).toBe("logged_in");
    const names: string[] = [];
    trace.setGlobalTracerProvider({
      getTracer: (name) => {
        names.push(name);
        return tracer;
      },
    });
    onTestFinished(() => trace.disable());
    await login(service.client(), { ...person, onInteraction: unasked, inspect });
    expect(new Set(names)).toEqual(new Set(["ventanilla"]));
    expect(tree()).toEqual(["ventanilla.login: logged_in", "  ventanilla.submitCredentials: logged_in"]);
  });
});

test("a tracer that throws does not break the login", async () => {
  const service = await startService([loggedIn("k")]);
  const errors: unknown[] = [];
  const tracer = {
    startSpan: () => {
      throw new Error("exporter is gone");
    },
    startActiveSpan: () => undefined as never,
  };
  const inspect = traceLogins({ tracer, onError: (error) => errors.push(error) });
  expect((await login(service.client(), { ...person, onInteraction: unasked, inspect })).status).toBe("logged_in");
  expect(errors.length).toBeGreaterThan(0);
});
