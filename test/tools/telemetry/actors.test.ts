import { propagation } from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import {
  type BankClientOptions,
  createCredentials,
  createLinkMachine,
  createLoginMachine,
  type LinkSettings,
  type LoginSettings,
  pause,
  readState,
  resume,
  secret,
} from "ventanilla";
import type { LoginEvent } from "ventanilla/machines/login";
import { createMemoryStore } from "ventanilla/tokens";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { type AnyActor, createActor, type SnapshotFrom, waitFor } from "xstate";
import type { StoredActor } from "../../../src/tools/telemetry/stored-login.ts";
import { asks, loggedIn, openQuestion, type Service, startSandbox, startService } from "../../bank/service.ts";
import { answer } from "../../core/login/started.ts";
import { observed } from "./observed.ts";

// Each login has credentials of its own.
const submit = (): LoginEvent => {
  const credentials = createCredentials({ provider: "test", username: "12345otp", password: "asdfg" });
  return { type: "credentials.submit", credentials };
};
const refused = { http: 403, json: { status: "wrong_credentials" } };
const provider = { json: { status: "success", provider: { name: "Test", country: "UY", auth_fields: [] } } };
const tooMany = { http: 403, json: { status: "max_sessions_reached", key: "other" } };

function started(service: Service, settings: LoginSettings = {}, options: Partial<BankClientOptions> = {}) {
  const watched = observed(service, options);
  const actor = createActor(createLoginMachine(watched.client), {
    input: { validate: false, ...settings },
    inspect: watched.inspect,
  });
  onTestFinished(() => void actor.stop());
  actor.start();
  const reaches = (state: string) => waitFor(actor, (snapshot) => readState(snapshot).state === state);
  const submitUntil = (state: string) => {
    actor.send(submit());
    return reaches(state);
  };
  return { ...watched, actor, reaches, submitUntil };
}

/** Makes a statechart throw, as a guard or an action of one's own can. @returns the errors that the actor reports. */
function breakStatechart(actor: AnyActor): unknown[] {
  const errors: unknown[] = [];
  actor.subscribe({ error: (error) => errors.push(error) });
  vi.spyOn(actor.logic, "transition").mockImplementation(() => {
    throw new Error("hunter two");
  });
  // XState warns of events that arrive after the end of an actor.
  vi.spyOn(console, "warn").mockImplementation(() => {});
  onTestFinished(() => void vi.restoreAllMocks());
  return errors;
}

const begun = "login.started started at test in submitting after 0";
const asked =
  "interaction.required interaction_required at test in awaitingInteraction after 100 field=otp fields=otp number=1 answersSent=0";
const stopped = "login.cancelled stopped at test in awaitingInteraction after 100 interactions=1";

describe("an actor of one's own", () => {
  test("reports nothing before credentials are submitted", async () => {
    const { actor, lines } = started(await startService([]));
    actor.send({ type: "login.cancel" });
    actor.send({ type: "interaction.answer", answer: { otp: secret("1") } });
    actor.stop();
    expect(lines()).toEqual([]);
  });

  test("reports each of its logins with an id and a time of its own, and nothing after their ends", async () => {
    const service = await startService([refused, refused, loggedIn("k")]);
    const { actor, submitUntil, lines, events, wait } = started(service);
    await submitUntil("failed");
    actor.send({ type: "login.cancel" });
    await submitUntil("failed");
    wait(9000);
    await submitUntil("loggedIn");
    actor.stop();
    const failed =
      "login.failed wrong_credentials at test in failed after 100 kind=outcome httpStatus=403 interactions=0 replaceable=false";
    const finished = "login.finished logged_in at test in loggedIn after 100 interactions=0";
    expect(lines()).toEqual([begun, failed, begun, failed, begun, finished]);
    const ids = events.map(({ id }) => id);
    expect(ids).toEqual([ids[0], ids[0], ids[2], ids[2], ids[4], ids[4]]);
    expect(new Set(ids).size).toBe(3);
  });

  test.each(["login.cancel", "stop", "credentials.submit"] as const)(
    "whose login could replace a session reports the failure, not what follows (%s)",
    async (instead) => {
      const service = await startService([tooMany, loggedIn("k")]);
      const { actor, submitUntil, lines, events, tree, open } = started(service, { sessionReplacement: true });
      await submitUntil("failed");
      // The login may go on.
      expect(open()).toEqual([expect.stringMatching(/^ventanilla\.login /)]);
      if (instead === "login.cancel") actor.send({ type: instead });
      else if (instead === "stop") actor.stop();
      else await submitUntil("loggedIn");
      const isAgain = instead === "credentials.submit";
      expect(lines()).toEqual([
        begun,
        "login.failed max_sessions_reached at test in failed after 100 kind=outcome httpStatus=403 interactions=0 replaceable=true",
        ...(isAgain ? [begun, "login.finished logged_in at test in loggedIn after 100 interactions=0"] : []),
      ]);
      expect(new Set(events.map(({ id }) => id)).size).toBe(isAgain ? 2 : 1);
      expect(open()).toEqual([]);
      expect(tree()).toEqual([
        "ventanilla.login: max_sessions_reached",
        "  ventanilla.submitCredentials: max_sessions_reached",
        ...(isAgain ? ["ventanilla.login: logged_in", "  ventanilla.submitCredentials: logged_in"] : []),
      ]);
    },
  );

  test("whose statechart throws reports a failed login", async () => {
    const service = await startService(["held"]);
    const end = new AbortController();
    const { actor, lines, tree, open } = started(service, {}, { signal: end.signal });
    actor.send(submit());
    await service.arrival(1);
    const errors = breakStatechart(actor);
    actor.send({ type: "login.cancel" });
    await Promise.resolve();
    expect(open()).toEqual([]);
    end.abort();
    await new Promise((resolve) => setImmediate(resolve));
    expect(errors).toHaveLength(1);
    expect(lines()).toEqual([
      begun,
      "login.failed unexpected_fault at test in failed after 0 kind=fault interactions=0 replaceable=false",
    ]);
    expect(tree()).toEqual(["ventanilla.login: unexpected_fault ERROR", "  ventanilla.submitCredentials: aborted"]);
  });

  test("whose statechart throws after a failure reports that failure only", async () => {
    const { actor, submitUntil, lines, tree } = started(await startService([tooMany]), { sessionReplacement: true });
    await submitUntil("failed");
    breakStatechart(actor);
    actor.send({ type: "login.cancel" });
    await Promise.resolve();
    expect(lines()).toHaveLength(2);
    expect(tree()[0]).toBe("ventanilla.login: max_sessions_reached");
  });
});

describe("a login that is taken up", () => {
  test("by resume() reports that, and the open interaction; the paused login was stopped", async () => {
    const service = await startService([asks("otp", "k"), loggedIn("k")]);
    const { actor, submitUntil, client, inspect, lines, events, wait } = started(service);
    await submitUntil("awaitingInteraction");
    const key = Buffer.alloc(32, 7).toString("base64");
    const token = await pause(client, actor, { key });
    wait(60_000);
    const resumed = await resume(client, token, { key, claimStore: createMemoryStore({ rows: new Map() }), inspect });
    await openQuestion(resumed).answer("8888");
    expect(lines()).toEqual([
      begun,
      asked,
      stopped,
      "login.started resumed at test in awaitingInteraction after 0",
      asked.replace("100", "0"),
      "interaction.answered answered at test in submitting after 0 number=1 wait=0",
      "login.finished logged_in at test in loggedIn after 100 interactions=1",
    ]);
    expect(events[3]?.id).toBe(events[0]?.id);
  });

  test.each([
    ["awaitingInteraction", asks("otp", "k"), asked.replace("100", "0"), "awaitingInteraction after 0 interactions=1"],
    ["submitting", "held" as const, undefined, "submitting after 0 interactions=0"],
  ])("from a snapshot that was stored in %s reports that, and its state", async (state, reply, question, left) => {
    const { actor, submitUntil, client, inspect, events, lines } = started(await startService([reply, "held"]));
    await submitUntil(state);
    const snapshot = actor.getPersistedSnapshot() as SnapshotFrom<typeof actor.logic>;
    actor.stop();
    events.length = 0;
    // An earlier version stored no number of answers.
    delete (snapshot.context.interaction as { answersSent?: number } | undefined)?.answersSent;
    const again = createActor(createLoginMachine(client), { input: {}, snapshot, inspect }).start();
    again.send({ type: "login.cancel" });
    expect(lines()).toEqual([
      `login.started resumed at test in ${left.replace(/ interactions.*/, "")}`,
      ...(question ? [question] : []),
      `login.cancelled cancelled at test in ${left}`,
    ]);
  });

  test("from another process keeps its id, its duration and its interactions", async () => {
    const { actor, submitUntil, client, inspect, events, lines } = started(
      await startService([asks("otp", "k"), "held"]),
    );
    await submitUntil("awaitingInteraction");
    const snapshot = actor.getPersistedSnapshot();
    actor.stop();
    events.length = 0;
    const again = createActor(createLoginMachine(client), { input: {}, snapshot, inspect });
    const past = { provider: "test", state: "awaitingInteraction", duration: 700, interactions: 1 } as const;
    Object.assign(again, { storedLogin: { id: "5.a", past } } satisfies StoredActor);
    again.start();
    again.send(answer);
    again.send({ type: "login.cancel" });
    expect(lines()).toEqual([
      "interaction.answered answered at test in submitting after 700 number=1",
      "login.cancelled cancelled at test in submitting after 700 interactions=1",
    ]);
    expect(events[0]?.id).toBe("5.a");
  });

  test("from another process has spans for its requests only, within the trace of that process", async () => {
    propagation.setGlobalPropagator(new W3CTraceContextPropagator());
    onTestFinished(() => propagation.disable());
    const watched = observed(await startService([loggedIn("k")]));
    const { inspect } = watched;
    const actor = createActor(createLoginMachine(watched.client), { input: { validate: false }, inspect });
    const [traceId, spanId] = ["a".repeat(32), "b".repeat(16)];
    const stored: StoredActor = {
      storedLogin: { id: "5.a", past: undefined },
      traceHeaders: { traceparent: `00-${traceId}-${spanId}-01` },
    };
    Object.assign(actor, stored);
    actor.start();
    actor.send(submit());
    await waitFor(actor, (snapshot) => snapshot.matches("loggedIn"));
    const [span, ...others] = watched.spans();
    expect(others).toEqual([]);
    expect(span).toMatchObject({ name: "ventanilla.submitCredentials", parentSpanContext: { traceId, spanId } });
    expect(span?.attributes["ventanilla.login.id"]).toBe("5.a");
  });

  test.each([
    ["failed", refused],
    ["loggedIn", loggedIn("k")],
    ["failed", { json: { status: "select_client" } }],
  ])("after its end, in %s, is not reported", async (end, says) => {
    const { actor, submitUntil, client, inspect, lines } = started(await startService([says]));
    await submitUntil(end);
    const snapshot = actor.getPersistedSnapshot();
    createActor(createLoginMachine(client), { input: {}, snapshot, inspect }).start().stop();
    expect(lines()).toHaveLength(2);
  });
});

function linking(service: Service, settings: LinkSettings = { destinations: true }) {
  const watched = observed(service);
  const actor = createActor(createLinkMachine(watched.client), {
    input: { validate: false, ...settings },
    inspect: watched.inspect,
  });
  onTestFinished(() => void actor.stop());
  actor.start();
  const reaches = (state: "choosingProvider" | "loggingIn" | "failed" | "linked") =>
    waitFor(actor, (snapshot) => snapshot.matches(state));
  const untilAsked = async () => {
    await reaches("choosingProvider");
    actor.send({ type: "provider.choose", provider: "test" });
    await reaches("loggingIn");
    actor.send(submit());
    await waitFor(actor, (snapshot) => snapshot.children.login?.getSnapshot().value === "awaitingInteraction");
  };
  return { ...watched, actor, reaches, untilAsked };
}

describe("a link flow is a span around the span of its login, and has no events of its own", () => {
  const abandoned = [
    "  ventanilla.getProvider: success",
    "  ventanilla.login: stopped",
    "    ventanilla.submitCredentials: interaction_required",
  ];

  test("from the list of banks to the destinations", async () => {
    const { actor, reaches, untilAsked, inspect, lines, tree, open } = linking(await startSandbox());
    await untilAsked();
    actor.send(answer);
    await reaches("linked");
    expect(lines().slice(2)).toEqual([
      "interaction.answered answered at test in submitting after 100 number=1 wait=0",
      "login.finished logged_in at test in loggedIn after 200 interactions=1",
    ]);
    expect(tree()).toEqual([
      "ventanilla.link: linked",
      "  ventanilla.listProviders: success",
      "  ventanilla.getProvider: success",
      "  ventanilla.login: logged_in",
      "    ventanilla.submitCredentials: interaction_required",
      "    ventanilla.submitAnswer: logged_in",
      "  ventanilla.listDestinations: success",
    ]);
    expect(open()).toEqual([]);
    // Taken up after its end it has no further span.
    const { logic } = actor;
    createActor(logic, { input: {}, snapshot: actor.getPersistedSnapshot(), inspect }).start();
    expect(open()).toEqual([]);
  });

  test("whose statechart throws ends in a fault", async () => {
    const { actor, reaches, tree } = linking(await startSandbox());
    await reaches("choosingProvider");
    breakStatechart(actor);
    actor.send({ type: "link.cancel" });
    await Promise.resolve();
    expect(tree()).toEqual(["ventanilla.link: unexpected_fault ERROR", "  ventanilla.listProviders: success"]);
  });

  test("that is stopped after its choices could not be narrowed was stopped, and did not fail", async () => {
    const { actor, reaches, tree } = linking(await startService([provider, "broken"]), {
      provider: "test",
      dependentChoices: true,
    });
    await reaches("loggingIn");
    actor.send({ type: "choices.narrow", field: "type", value: "1" });
    await waitFor(actor, ({ context }) => context.failure !== undefined);
    actor.stop();
    expect(tree()[0]).toBe("ventanilla.link: stopped");
  });

  test.each([
    ["link.cancel", "cancelled"],
    ["stop", "stopped"],
  ] as const)("that ends with %s in the middle of its login", async (cause, outcome) => {
    const { actor, untilAsked, lines, tree, open, spans } = linking(await startSandbox());
    await untilAsked();
    if (cause === "stop") actor.stop();
    else actor.send({ type: cause });
    expect(lines()).toEqual([begun, asked, stopped]);
    expect(open()).toEqual([]);
    expect(tree()).toEqual([`ventanilla.link: ${outcome}`, "  ventanilla.listProviders: success", ...abandoned]);
    expect(spans().at(-1)).toMatchObject({ name: "ventanilla.link", attributes: { "ventanilla.provider": "test" } });
  });

  test("that is cancelled while its login replaces a session stops that login, which did not fail", async () => {
    const service = await startService([provider, tooMany, "held"]);
    const { actor, reaches, tree } = linking(service, { provider: "test", sessionReplacement: true });
    await reaches("loggingIn");
    actor.send(submit());
    await waitFor(actor, ({ children }) => children.login?.getSnapshot().value === "failed");
    actor.send({ type: "session.replace" });
    await service.arrival(3);
    actor.send({ type: "link.cancel" });
    expect(tree()).toEqual([
      "ventanilla.link: cancelled",
      "  ventanilla.getProvider: success",
      "  ventanilla.login: stopped",
      "    ventanilla.submitCredentials: max_sessions_reached",
      "    ventanilla.closeSession: aborted",
    ]);
  });

  test("with two banks has a login for each", async () => {
    const { actor, untilAsked, lines, events, tree, open } = linking(await startSandbox());
    for (let turn = 0; turn < 2; turn++) {
      await untilAsked();
      actor.send({ type: "provider.change" });
    }
    actor.send({ type: "link.cancel" });
    expect(lines()).toEqual([begun, asked, stopped, begun, asked, stopped]);
    expect(new Set(events.map(({ id }) => id)).size).toBe(2);
    const banks = "  ventanilla.listProviders: success";
    expect(tree()).toEqual(["ventanilla.link: cancelled", banks, ...abandoned, ...abandoned]);
    expect(open()).toEqual([]);
  });

  test.each([false, true])(
    "that is stopped after a fault ends in it, unless it was retried (%s)",
    async (isRetried) => {
      const list = { json: { status: "success", providers: [] } };
      const { actor, reaches, tree, open, spans } = linking(await startService(["broken", list]));
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
      expect(spans().at(-1)?.events).toMatchObject([
        { name: "link.failed", attributes: { "ventanilla.outcome": "network_failed" } },
      ]);
    },
  );

  test("aborts the span of a running request when it stops or goes on without it", async () => {
    const list = { json: { status: "success", providers: [{ code: "test", country: "UY", name: "Test" }] } };
    const service = await startService([list, "held"]);
    const { actor, reaches, tree, open } = linking(service);
    await reaches("choosingProvider");
    for (const [number, cause] of (["provider.change", "stop"] as const).entries()) {
      actor.send({ type: "provider.choose", provider: "test" });
      await service.arrival(number + 2);
      if (cause === "stop") actor.stop();
      else actor.send({ type: cause });
      expect(open()).toEqual(cause === "stop" ? [] : [expect.stringMatching(/^ventanilla\.link /)]);
    }
    const aborted = "  ventanilla.getProvider: aborted";
    expect(tree()).toEqual(["ventanilla.link: stopped", "  ventanilla.listProviders: success", aborted, aborted]);
  });
});
