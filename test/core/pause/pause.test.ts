import { BankError, type LoginActor, type LoginSettings, loginView, pause } from "ventanilla";
import type { LoginEvent } from "ventanilla/machines/login";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createActor, waitFor } from "xstate";
import { asks, expectedId, expectedSecret, type Line, loggedIn, selectClient } from "../../bank/service.ts";
import type { LoginCaseName } from "../../machines/login-cases.ts";
import { readPosition } from "../../machines/position.ts";
import { dataUrl, pngOfBytes } from "../api/pictures.ts";
import { answer, start, submit } from "../login/started.ts";
import { client, loginAfter, loginMachine } from "../view/screens.ts";
import { KEY, readFailure, takeUp, waiting } from "./paused.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const toFake = ["Date", "setTimeout", "clearTimeout"] as const;
const NOW = Date.parse("2026-11-26");
const unlimited = Number.POSITIVE_INFINITY;

const listed = { json: { status: "success", clients: { 0: "First Client", "FIC-7": "Señora Ñandú" } } };

/** The type makes sure that a new setting is added here and to the token. */
const everySetting: Required<LoginSettings> = {
  validate: true,
  clientSelection: true,
  sessionReplacement: true,
  repeatLimit: 3,
  interactionLimit: 3,
  answerTimeout: 60_000,
  deadline: NOW + 600_000,
  interactionKinds: { test: { otp: "question" } },
};

describe("a login that is paused and resumed", () => {
  test("has the same context, and is stopped in the first process", async () => {
    vi.useFakeTimers({ toFake: [...toFake], now: NOW });
    const provider = { json: { status: "success", provider: { name: "Test", country: "UY", auth_fields: [] } } };
    const { service, actor } = await waiting([provider, asks("otp", "key-1", "¿Código?")], everySetting);
    const { id } = actor.getSnapshot().context;
    const token = await pause(service.client(), actor, { key: KEY });
    vi.spyOn(console, "warn").mockReturnValue();
    actor.send(answer);
    expect(actor.getSnapshot().status).toBe("stopped");
    const resumed = await takeUp(service, token);
    expect(readPosition(resumed.actor.getSnapshot())).toBe("awaitingInteraction");
    expect(resumed.actor.getSnapshot().context).toStrictEqual({
      id,
      settings: everySetting,
      provider: "test",
      token: undefined,
      credentials: {
        id,
        provider: "test",
        fields: { username: expectedSecret("ana"), password: expectedSecret("hunter two") },
      },
      key: expectedSecret("key-1"),
      interaction: {
        field: "otp",
        fields: ["otp"],
        context: "¿Código?",
        number: 1,
        isRepeat: false,
        answersSent: 0,
        expiresAt: NOW + 60_000,
      },
      loggedInAt: undefined,
      answer: undefined,
      answerKind: undefined,
      answersInVain: undefined,
      clients: [],
      expiresAt: NOW + 60_000,
      client: undefined,
      sessionReplaced: false,
      failure: undefined,
      attempts: expect.any(Number),
    });
    expect(service.requests).toHaveLength(2);
  });

  test("keeps settings that are Infinity", async () => {
    const settings = { interactionLimit: unlimited, answerTimeout: unlimited, deadline: unlimited };
    const { service, actor } = await waiting([asks("otp", "key-1")], settings);
    const { actor: resumed } = await takeUp(service, await pause(service.client(), actor, { key: KEY }));
    expect(resumed.getSnapshot().context).toMatchObject({ settings, expiresAt: undefined });
  });

  test("keeps isRepeat and answersSent", async () => {
    const { service, actor } = await waiting(Array.from({ length: 4 }, () => asks("otp", "key-1")));
    const repeats = async (login: typeof actor, answersSent: number) => {
      login.send(answer);
      await waitFor(login, ({ context }) => context.interaction?.answersSent === answersSent);
    };
    await repeats(actor, 1);
    await repeats(actor, 2);
    const resumed = await takeUp(service, await pause(service.client(), actor, { key: KEY }));
    const { interaction } = resumed.actor.getSnapshot().context;
    expect(interaction).toMatchObject({ field: "otp", number: 3, isRepeat: true, answersSent: 2 });
    await repeats(resumed.actor, 3);
  });

  test("keeps the clients to choose from, and drops the credentials, which a choice does not need", async () => {
    const settings = { clientSelection: true, deadline: 4_000_000_000_000, answerTimeout: unlimited };
    const script = [selectClient("key-1"), listed, { json: { status: "success" } }];
    const { service, actor } = await waiting(script, settings);
    const resumed = await takeUp(service, await pause(service.client(), actor, { key: KEY }));
    expect(readPosition(resumed.actor.getSnapshot())).toBe("selectClient.choosing");
    expect(resumed.actor.getSnapshot().context).toMatchObject({
      clients: [
        { id: "0", name: "First Client" },
        { id: "FIC-7", name: "Señora Ñandú" },
      ],
      expiresAt: settings.deadline,
      credentials: undefined,
      interaction: undefined,
    });
    resumed.actor.send({ type: "client.choose", client: "FIC-7" });
    const { output } = await resumed.reaches("loggedIn");
    expect(output).toEqual({
      id: expectedId,
      provider: "test",
      key: expectedSecret("key-1"),
      loggedInAt: expect.any(Number),
    });
    expect(service.lines().slice(2)).toEqual(["GET /client/FIC-7/?key=key-1"]);
  });

  test("can't replace a second session", async () => {
    const tooMany = (key: string) => ({ http: 403, json: { status: "max_sessions_reached", key } });
    const loggedOut = { json: { status: "logged_out" } };
    const script = [tooMany("other"), loggedOut, asks("otp", "key-1"), tooMany("another")];
    const { service, actor, reaches } = await start(script, { sessionReplacement: true });
    actor.send(submit);
    await reaches("failed");
    actor.send({ type: "session.replace" });
    await reaches("awaitingInteraction");
    const resumed = await takeUp(service, await pause(service.client(), actor, { key: KEY }));
    resumed.actor.send(answer);
    const failed = await resumed.reaches("failed");
    expect(failed.context).toMatchObject({ sessionReplaced: true, failure: { code: "max_sessions_reached" } });
    expect(failed.can({ type: "session.replace" })).toBe(false);
  });

  test("keeps 8 KiB of credentials in many scripts unchanged", async () => {
    const username = `a"b\\c&d=e+f%00<g>\t'/ 密码 пароль 🦆 ${"8 KiB Ñandú ".repeat(640)}`;
    const form = { provider: "test", username, password: `${username}!` };
    const { service, actor } = await waiting([asks("otp", "key-1"), loggedIn("key-2")], {}, form);
    const resumed = await takeUp(service, await pause(service.client(), actor, { key: KEY }));
    resumed.actor.send(answer);
    await resumed.reaches("loggedIn");
    expect(service.requests[1]?.form).toEqual({ ...form, otp: "8888" });
  });

  test("drops a picture, so that its token stays below 1 KiB, and the view says so", async () => {
    const picture = dataUrl("image/png", pngOfBytes(100_000));
    const { service, actor } = await waiting([asks("captcha", "key-1", picture), loggedIn()]);
    const token = await pause(service.client(), actor, { key: KEY });
    expect(token.length).toBeLessThan(1024);
    const resumed = await takeUp(service, token);
    const view = loginView(resumed.actor.getSnapshot(), resumed.actor, { provider: "test" });
    if (view.state !== "awaitingInteraction") expect.fail(view.state);
    expect(view.question).toMatchObject({
      kind: "picture",
      picture: undefined,
      text: expect.stringContaining("Start again"),
    });
    // A person who saw the picture before can still answer.
    view.answer("7K4MP2");
    await resumed.reaches("loggedIn");
  });
});

function expectNotWaiting(error: unknown, detail: string): void {
  expect(error).toBeInstanceOf(BankError);
  expect(error).toMatchObject({ code: "login_not_waiting", message: `login_not_waiting: ${detail}` });
}

const submitted: LoginCaseName = "credentials are submitted";
const asked: LoginCaseName[] = [submitted, "the bank asks a question"];
const selecting: LoginCaseName[] = [submitted, "the bank wants a client selected"];

test.each<[state: string, path: LoginCaseName[], clientSelection?: boolean]>([
  ["idle", []],
  ["submitting", [submitted]],
  ["submitting", [...asked, "the question is answered"]],
  ["submitting", selecting],
  ["submitting", [...selecting, "the clients are listed", "a client is chosen"]],
  ["failed", selecting, false],
  ["submitting", [submitted, "the bank counts too many sessions", "the other session is replaced"]],
  ["failed", [submitted, "the bank refuses the credentials"]],
  ["loggedIn", [submitted, "the bank starts a session"]],
])("a login can't be paused in %s, after $1", async (state, path, clientSelection = true) => {
  const snapshot = loginAfter({ clientSelection, sessionReplacement: true }, ...path);
  const actor = createActor(loginMachine, { snapshot, input: {} });
  const before = actor.getSnapshot();
  expectNotWaiting(await readFailure(pause(client, actor, { key: KEY })), `is ${state}`);
  expect(actor.getSnapshot()).toBe(before);
});

describe("a login that changes while its token is created", () => {
  test.each<[by: string, state: string, script: Line[], event: LoginEvent]>([
    ["an answer", "submitting", [asks("otp", "key-1")], answer],
    ["a choice", "selectClient.selecting", [selectClient("key-1"), listed], { type: "client.choose", client: "0" }],
    ["a cancel", "idle", [asks("otp", "key-1")], { type: "login.cancel" }],
  ])("is not paused: by %s it is %s", async (_, state, script, event) => {
    const { service, actor } = await waiting([...script, "held"], { clientSelection: true });
    const paused = readFailure(pause(service.client(), actor, { key: KEY }));
    actor.send(event);
    expectNotWaiting(await paused, "went on");
    expect(readPosition(actor.getSnapshot())).toBe(state);
    expect(actor.getSnapshot().status).toBe("active");
  });

  test("is not paused if it expires", async () => {
    vi.useFakeTimers({ toFake: [...toFake] });
    const { service, actor, reaches } = await waiting([asks("otp", "key-1")], { answerTimeout: 60_000 });
    const paused = readFailure(pause(service.client(), actor, { key: KEY }));
    vi.advanceTimersByTime(60_000);
    expectNotWaiting(await paused, "went on");
    expect((await reaches("failed")).context.failure).toEqual({ kind: "outcome", code: "expired" });
  });

  test("is paused if the event had no effect", async () => {
    const { service, actor } = await waiting([asks("otp", "key-1")]);
    const paused = pause(service.client(), actor, { key: KEY });
    actor.send(submit);
    expect(await paused).toMatch(/^[\w.-]+$/);
  });

  test("gets one token if it is paused twice", async () => {
    const { service, actor } = await waiting([asks("otp", "key-1")]);
    const results = await Promise.allSettled([
      pause(service.client(), actor, { key: KEY }),
      pause(service.client(), actor, { key: KEY }),
    ]);
    // Either may be sealed first.
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    for (const result of results) if (result.status === "rejected") expectNotWaiting(result.reason, "went on");
    expectNotWaiting(await readFailure(pause(service.client(), actor, { key: KEY })), "was stopped");
  });
});

describe("pause refuses, without an effect on the login,", () => {
  test.each([
    ["key", { key: "short" }],
    ["sealTtl", { key: KEY, sealTtl: 0 }],
    ["sealTtl", { key: KEY, sealTtl: Number.NaN }],
    ["sealTtl", { key: KEY, sealTtl: unlimited }],
  ])("an invalid %s in %o", async (field, options) => {
    const { service, actor, reaches } = await waiting([asks("otp", "key-1"), loggedIn("key-2")]);
    const error = await readFailure(pause(service.client(), actor, options));
    expect(error).toBeInstanceOf(BankError);
    expect(error).toMatchObject({ code: "invalid_input", field });
    actor.send(answer);
    await reaches("loggedIn");
  });

  test("a snapshot instead of an actor", async () => {
    const { service, actor } = await waiting([asks("otp", "key-1")]);
    const snapshot = actor.getSnapshot() as unknown as LoginActor;
    const error = await readFailure(pause(service.client(), snapshot, { key: KEY }));
    expect(error).toMatchObject({ name: "BankError", code: "invalid_input", field: "login" });
  });

  test("a login that has lost its secrets through JSON", async () => {
    const { service, actor } = await waiting([asks("otp", "key-1")]);
    const snapshot = JSON.parse(JSON.stringify(actor.getPersistedSnapshot()));
    const restored: LoginActor = createActor(actor.logic, { input: {}, snapshot }).start();
    expect(readPosition(restored.getSnapshot())).toBe("awaitingInteraction");
    const error = await readFailure(pause(service.client(), restored, { key: KEY }));
    expect(error).toMatchObject({ name: "BankError", code: "secret_unavailable" });
    restored.stop();
  });
});
