import { getEventListeners } from "node:events";
import { inspect } from "node:util";
import { type BankClient, type LoginOptions, type LoginOutcome, resume, secret } from "ventanilla";
import { createMemoryStore } from "ventanilla/tokens";
import { afterEach, describe, expect, test, vi } from "vitest";
import {
  asks,
  cancelled,
  expectedSecret,
  failed,
  type Line,
  loggedIn,
  loginUnread,
  openQuestion,
  person,
  promised,
  selectClient,
  startService,
} from "../../bank/service.ts";
import { findCanaries, newCanaries } from "../../leaks/canaries.ts";
import { programs } from "../../programs.ts";
import { KEY } from "../pause/paused.ts";
import { logIn } from "./started.ts";

const clients = { json: { status: "success", clients: { 0: "First Client", "FIC-7": "Second Client" } } };

const NOW = Date.parse("2026-11-26");

const run = programs(new URL("left-open.ts", import.meta.url));

afterEach(() => void vi.useRealTimers());

async function loginToQuestion(
  options: Partial<LoginOptions> = {},
  script = [asks("otp", "key-1"), loggedIn("key-2")],
) {
  const { service, outcome } = await logIn(script, options);
  return { service, outcome: openQuestion(await outcome) };
}

describe("login without an answer from a handler", () => {
  test("resolves to the outcome that onInteraction returns", async () => {
    const script = [asks("otp", "key-1"), asks("token", "key-2"), loggedIn("key-3")];
    const { outcome } = await loginToQuestion(
      { onInteraction: ({ field }, { outcome }) => (field === "otp" ? "8888" : outcome) },
      script,
    );
    expect(outcome.interaction.field).toBe("token");
    expect((await outcome.answer("9999")).state).toBe("loggedIn");
  });

  test("resolves to the clients if clientSelection is on, and choose goes on", async () => {
    const service = await startService([selectClient("key-1"), clients, { json: { status: "success" } }]);
    const outcome = await loginUnread(service.client(), person, { settings: { clientSelection: true } });
    if (outcome.state !== "selectClient") expect.fail(outcome.state);
    const [first, second] = ["First Client", "Second Client"];
    expect(outcome).toMatchObject({ state: "selectClient", key: expectedSecret("key-1") });
    expect(outcome.clients).toEqual([
      { id: "0", name: first },
      { id: "FIC-7", name: second },
    ]);
    expect((await outcome.choose("FIC-7")).state).toBe("loggedIn");
  });

  test("refuses what is no client, and accepts a client or its id", async () => {
    const service = await startService([selectClient("key-1"), clients, { json: { status: "success" } }]);
    const outcome = await loginUnread(service.client(), person, { settings: { clientSelection: true } });
    if (outcome.state !== "selectClient") expect.fail(outcome.state);
    for (const none of [undefined, "", {}]) {
      const refused = { code: "invalid_input", field: "client" };
      await expect(outcome.choose(none as never)).rejects.toMatchObject(refused);
    }
    const [, second] = outcome.clients;
    if (second) expect((await outcome.choose(second)).state).toBe("loggedIn");
    expect(service.lines().at(-1)).toBe("GET /client/FIC-7/?key=key-1");
  });

  test("refuses an empty answer, and accepts another one", async () => {
    const { outcome } = await loginToQuestion();
    await expect(outcome.answer("")).rejects.toMatchObject({ code: "invalid_input", field: "otp" });
    expect((await outcome.answer("8888")).state).toBe("loggedIn");
  });
});

describe("the verbs of an outcome", () => {
  test("work taken out of it, and in a copy", async () => {
    const { service, outcome } = await loginToQuestion();
    const { answer } = outcome;
    const copy = { ...outcome };
    expect(copy.actor).toBe(outcome.actor);
    expect(await answer("8888")).toMatchObject({ state: "loggedIn" });
    await expect(copy.answer("9999")).rejects.toMatchObject({ code: "outcome_used" });
    await expect(copy.pause({ key: KEY })).rejects.toMatchObject({ code: "outcome_used" });
    expect(service.lines()).toEqual(["POST /login/", "POST /login/?key=key-1"]);
  });

  test("reject with outcome_used after an answer that has ended the login", async () => {
    const { service, outcome } = await loginToQuestion({}, [
      asks("otp", "key-1"),
      { json: { status: "user_blocked" } },
    ]);
    expect(await outcome.answer("8888")).toMatchObject({ state: "failed" });
    await expect(outcome.answer("9999")).rejects.toMatchObject({ code: "outcome_used" });
    expect(service.requests).toHaveLength(2);
  });

  test("cancel, taken out of it, cancels its own login", async () => {
    const [first, second] = [await loginToQuestion(), await loginToQuestion()];
    const { cancel } = first.outcome;
    expect(await cancel()).toEqual(cancelled);
    expect((await second.outcome.answer("8888")).state).toBe("loggedIn");
  });

  test.each([
    ["answered", async (outcome) => void outcome.answer("8888").catch(() => "its service is gone")],
    ["answered, and the response has come", (outcome) => outcome.answer("8888")],
    ["paused", (outcome) => outcome.pause({ key: KEY })],
  ] satisfies [string, (outcome: ReturnType<typeof openQuestion>) => Promise<unknown>][])(
    "reject with outcome_used, and send nothing, after it was %s",
    async (_, use) => {
      const { service, outcome } = await loginToQuestion();
      await use(outcome);
      for (const again of [outcome.answer("9999"), outcome.cancel(), outcome.pause({ key: KEY })]) {
        await expect(again).rejects.toMatchObject({ name: "BankError", code: "outcome_used" });
      }
      await outcome[Symbol.asyncDispose]();
      expect(service.requests.map(({ form }) => form["otp"])).not.toContain("9999");
    },
  );
});

test.each<[verb: string, script: readonly Line[], go: (client: BankClient) => Promise<LoginOutcome>]>([
  ["answer", [asks("otp", "key-1")], async (client) => openQuestion(await loginUnread(client, person)).answer("8888")],
  [
    "choose",
    [selectClient("key-1"), clients],
    async (client) => {
      const outcome = await loginUnread(client, person, { settings: { clientSelection: true } });
      return outcome.state === "selectClient" ? outcome.choose("0") : expect.fail(outcome.state);
    },
  ],
  [
    "resume, with a handler,",
    [asks("otp", "key-1")],
    async (client) => {
      const token = await openQuestion(await loginUnread(client, person)).pause({ key: KEY });
      const claimStore = createMemoryStore({ rows: new Map() });
      return resume(client, token, { key: KEY, claimStore, onInteraction: () => "8888" });
    },
  ],
])("%s rejects with a fault, and resolves to a refusal", async (_, script, go) => {
  const broken = await startService([...script, "broken"]);
  await expect(go(broken.client())).rejects.toMatchObject({ name: "BankError", code: "network_failed" });
  const refusing = await startService([...script, { json: { status: "error", message: "Invalid key" } }]);
  expect(await go(refusing.client())).toEqual(failed("invalid_key", { httpStatus: 200 }));
});

describe("an outcome that waits", () => {
  test.each([
    ["answerTimeout", { answerTimeout: 1000 }],
    ["the deadline", { deadline: new Date(NOW + 1000) }],
  ])("expires at %s, and leaves no listener", async (_, settings) => {
    vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"], now: NOW });
    const { signal } = new AbortController();
    const { service, outcome } = await loginToQuestion({ settings, signal });
    await vi.advanceTimersByTimeAsync(1000);
    expect(getEventListeners(signal, "abort")).toEqual([]);
    expect(outcome.actor.getSnapshot().status).toBe("stopped");
    expect(await outcome.answer("8888")).toEqual(failed("expired"));
    expect(service.requests).toHaveLength(1);
  });

  test.each([
    ["keeps no process alive", "awaitingInteraction", []],
    ["keeps the process alive until it expires, if a handler has been called", "failed", ["50"]],
    ["keeps the process alive if it is late before a handler could be called", "failed", ["50", "60000"]],
  ])("%s", async (_, status, parameters) => {
    const { printed, code } = await run("left-open", { parameters });
    expect([printed, code]).toEqual([status, 0]);
  });

  test("is cancelled by the login's signal", async () => {
    const caller = new AbortController();
    const { service, outcome } = await loginToQuestion({ signal: caller.signal });
    caller.abort();
    expect(await outcome.answer("8888")).toEqual(cancelled);
    expect(service.requests).toHaveLength(1);
  });

  test.each([0, 1, 2, 3, 4, 5, 6, 7])(
    "ends if it is cancelled %i microtasks after a handler left it open",
    async (turns) => {
      const caller = new AbortController();
      const { outcome } = await logIn([asks("otp", "key-1")], {
        signal: caller.signal,
        onInteraction: (_, { outcome }) => {
          const cancel = (left: number) => (left === 0 ? caller.abort() : queueMicrotask(() => cancel(left - 1)));
          queueMicrotask(() => cancel(turns));
          return outcome;
        },
      });
      await outcome;
      await new Promise((resolve) => setImmediate(resolve));
      expect(getEventListeners(caller.signal, "abort")).toEqual([]);
    },
  );

  test("goes on with its handlers if a screen answers through its actor", async () => {
    const script = [asks("otp", "key-1"), asks("token", "key-2"), loggedIn("key-3")];
    const loggedInAtLast = promised<void>();
    const { outcome } = await loginToQuestion(
      {
        onInteraction: ({ field }, { outcome }) => (field === "otp" ? outcome : "9999"),
        onTransition: ({ state }) => void (state === "loggedIn" && loggedInAtLast.keep()),
      },
      script,
    );
    outcome.actor.send({ type: "interaction.answer", answer: { otp: secret("8888") } });
    await loggedInAtLast.promise;
  });

  test("is cancelled if its actor is stopped in the middle of a request", async () => {
    const { service, outcome } = await loginToQuestion({}, [asks("otp", "key-1"), "held"]);
    const next = outcome.answer("8888");
    await service.arrival(2);
    outcome.actor.stop();
    expect(await next).toEqual(cancelled);
  });

  test("is cancelled by `await using`", async () => {
    const { outcome } = await loginToQuestion();
    await outcome[Symbol.asyncDispose]();
    expect(outcome.actor.getSnapshot().value).toBe("idle");
    expect(await outcome.cancel()).toEqual(cancelled);
  });
});

test("outcomes print their state and provider, and no secret", async () => {
  const canaries = newCanaries(["username", "password", "firstKey"]);
  const { username, password, firstKey } = canaries;
  const form = { provider: "test", username: username.value, password: password.value };
  const question = await loginUnread((await startService([asks("otp", firstKey.value)])).client(), form);
  const service = await startService([selectClient(firstKey.value), clients]);
  const choice = await loginUnread(service.client(), form, { settings: { clientSelection: true } });
  for (const outcome of [question, choice]) {
    const printed = [outcome, inspect(outcome, { depth: null, showHidden: true }), JSON.stringify(outcome)];
    for (const form of printed) expect(findCanaries(form, Object.values(canaries))).toEqual([]);
    expect(JSON.parse(JSON.stringify(outcome))).toMatchObject({ state: outcome.state, provider: "test" });
    if ("pause" in outcome) await outcome.cancel();
  }
});

describe("resume", () => {
  const resumed = async (token: string, service: Awaited<ReturnType<typeof startService>>) =>
    resume(service.client(), token, { key: KEY, claimStore: createMemoryStore({ rows: new Map() }) });

  test("resolves to the same outcome, with the same verbs", async () => {
    const { service, outcome } = await loginToQuestion();
    const second = openQuestion(await resumed(await outcome.pause({ key: KEY }), service));
    const shown = ({ state: status, id, provider, interaction }: typeof outcome) => ({
      status,
      id,
      provider,
      interaction,
    });
    expect(shown(second)).toEqual(shown(outcome));
    expect(await second.answer("8888")).toEqual({
      state: "loggedIn",
      id: outcome.id,
      provider: "test",
      key: expectedSecret("key-2"),
      loggedInAt: expect.any(Number),
    });
  });

  test("resolves to expired if the time has run out meanwhile", async () => {
    vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"], now: NOW });
    const { service, outcome } = await loginToQuestion({ settings: { answerTimeout: 1000 } });
    const token = await outcome.pause({ key: KEY, sealTtl: 60_000 });
    vi.setSystemTime(NOW + 1000);
    expect(await resumed(token, service)).toEqual(failed("expired"));
  });
});
