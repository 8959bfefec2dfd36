import {
  type AwaitingInteractionOutcome,
  type BankClient,
  createBankClient,
  createLoginMachine,
  type LoginOutcome,
  loginView,
  pause,
  resume,
} from "ventanilla";
import { expect, onTestFinished, test, vi } from "vitest";
import { createActor, waitFor } from "xstate";
import type { ApprovalResponse } from "../../../src/core/api/client.ts";
import { loginUnread } from "../../bank/service.ts";
import { KEY as key } from "../pause/paused.ts";
import { credentials } from "./started.ts";

const person = { provider: "test", username: "ana", password: "1234" };
const question = { status: "interaction_required", key: "key-1", field: "app_confirmation", context: "In your app" };

/** A bank that has the approval from the given answer on, and counts what arrives. */
function openBank(approvedFrom = 1, asked: object = question) {
  const posted: string[] = [];
  const bank: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    if (request.method !== "POST") return Response.json({ status: "provider_doesnt_exist" }, { status: 404 });
    posted.push(await request.text());
    const isApproved = posted.length > approvedFrom;
    return Response.json(isApproved ? { status: "logged_in", key: "key-of-session" } : asked);
  };
  const client = createBankClient({ baseUrl: "http://bank.test", apiKey: "key", fetch: bank });
  return {
    posted,
    client,
    answers: () => posted.slice(1).map((form) => new URLSearchParams(form).get("app_confirmation")),
  };
}

/** A client that can ask the bank's app, and what the app says. */
function withApp(client: BankClient) {
  let resolve: (response: ApprovalResponse) => void = () => {};
  const said = new Promise<ApprovalResponse>((each) => (resolve = each));
  const asked: { readonly key: string; readonly signal: AbortSignal }[] = [];
  const own: BankClient = {
    ...client,
    awaitApproval: (key, { signal }) => {
      asked.push({ key: `${key}`, signal });
      return said;
    },
  };
  return { client: own, asked, resolve };
}

const never = () => new Promise<never>(() => {});

test("an approval in the app finishes a login whose handler still waits, by one second login", async () => {
  const bank = openBank();
  const app = withApp(bank.client);
  let signal: AbortSignal | undefined;
  const outcome = loginUnread(app.client, person, {
    onInteraction: (_, context) => {
      signal = context.signal;
      app.resolve({ status: "approved" });
      return never();
    },
  });
  expect(await outcome).toMatchObject({ state: "loggedIn" });
  expect(signal?.aborted).toBe(true);
  expect(bank.answers()).toEqual(["true"]);
  expect(app.asked).toMatchObject([{ key: "[secret]" }]);
});

test.each([
  ["denied", "approval_denied"],
  ["expired", "expired"],
] as const)("an approval that is %s ends the login with %s, and nothing more is sent", async (status, code) => {
  const bank = openBank();
  const app = withApp(bank.client);
  app.resolve({ status });
  expect(await loginUnread(app.client, person, { onInteraction: never })).toMatchObject({
    state: "failed",
    failure: { code },
  });
  expect(bank.posted.length).toBe(1);
});

test.each([
  ["breaks", async () => Promise.reject(new Error("no route")), "unexpected_fault"],
  ["says what it may not", async () => ({ status: "maybe" }) as never, "response_against_contract"],
] as const)(
  "a client that %s ends no login: an event says so, and the person can confirm",
  async (_, awaitApproval, code) => {
    const bank = openBank();
    const actor = createActor(createLoginMachine({ ...bank.client, awaitApproval }), { input: { validate: false } });
    const heard: unknown[] = [];
    actor.on("approval.unknown", ({ failure }) => heard.push(failure.code));
    actor.start();
    actor.send({ type: "credentials.submit", credentials });
    await expect.poll(() => heard).toEqual([code]);
    const view = loginView(actor.getSnapshot(), actor, { provider: "test" });
    if (view.state !== "awaitingInteraction") throw new Error(view.state);
    view.answer("true");
    await waitFor(actor, (snapshot) => snapshot.matches("loggedIn"));
    expect(bank.answers()).toEqual(["true"]);
  },
);

test("only a confirmation waits for the bank's app", async () => {
  const bank = openBank(1, { ...question, field: "otp", context: "The code of your card" });
  const app = withApp(bank.client);
  expect(await loginUnread(app.client, person, { onInteraction: () => "77" })).toMatchObject({ state: "loggedIn" });
  expect(app.asked).toEqual([]);
});

test("an outcome of before the approval resolves to what came of it, and sends nothing", async () => {
  const bank = openBank();
  const app = withApp(bank.client);
  const outcome = await loginUnread(app.client, person);
  if (outcome.state !== "awaitingInteraction") throw new Error(outcome.state);
  app.resolve({ status: "approved" });
  await waitFor(outcome.actor, (snapshot) => snapshot.matches("loggedIn"));
  expect(await outcome.answer("true")).toMatchObject({ state: "loggedIn" });
  expect(bank.posted.length).toBe(2);
});

test("a paused login waits for the app where it is resumed", async () => {
  const bank = openBank();
  const outcome = await loginUnread(bank.client, person);
  if (outcome.state !== "awaitingInteraction") throw new Error(outcome.state);
  const token = await outcome.pause({ key });
  const app = withApp(bank.client);
  app.resolve({ status: "approved" });
  expect(await resume(app.client, token, { key, onInteraction: never, onSelectClient: never })).toMatchObject({
    state: "loggedIn",
  });
  expect(bank.answers()).toEqual(["true"]);
});

test("a bank that asks again after an approval is not asked for it once more", async () => {
  const bank = openBank(5);
  const app = withApp(bank.client);
  app.resolve({ status: "approved" });
  const actor = createActor(createLoginMachine(app.client), { input: { validate: false } }).start();
  actor.send({ type: "credentials.submit", credentials });
  const { context } = await waitFor(actor, (snapshot) => snapshot.context.interaction?.number === 2);
  await new Promise((resolve) => setImmediate(resolve));
  expect([context.interaction, app.asked.length, bank.posted.length]).toMatchObject([{ isRepeat: true }, 1, 2]);
  expect(actor.getSnapshot().matches("awaitingInteraction")).toBe(true);
});

test("a confirmation that comes too early is told so, and is no wrong answer", async () => {
  const bank = openBank(13);
  const actor = createActor(createLoginMachine(bank.client), { input: { validate: false } }).start();
  actor.send({ type: "credentials.submit", credentials });
  for (let number = 1; number <= 12; number += 1) {
    const { context } = await waitFor(actor, (snapshot) => snapshot.context.interaction?.number === number);
    const view = loginView(actor.getSnapshot(), actor, { provider: "test", locale: "en" });
    if (view.state !== "awaitingInteraction") throw new Error(view.state);
    const { isRepeat, answersSent, repeatText } = view.question;
    expect([isRepeat, answersSent, context.interaction?.expiresAt]).toEqual([number > 1, 0, context.expiresAt]);
    if (number > 1) expect(repeatText).toMatch(/has not received your approval yet/);
    view.answer("true");
  }
  await waitFor(actor, (snapshot) => snapshot.context.interaction?.number === 13);
  expect(bank.posted.length).toBe(13);
});

test("a text that is typed in is counted all the same", async () => {
  const text = "Approve the login in your bank's app";
  const bank = openBank(9, { ...question, field: "otp", context: text });
  const actor = createActor(createLoginMachine(bank.client), { input: { validate: false } }).start();
  actor.send({ type: "credentials.submit", credentials });
  const answer = async (number: number, typed: string) => {
    await waitFor(actor, (snapshot) => snapshot.context.interaction?.number === number);
    const view = loginView(actor.getSnapshot(), actor, { provider: "test", locale: "en" });
    if (view.state !== "awaitingInteraction") throw new Error(view.state);
    view.answer(typed);
    const { context } = await waitFor(actor, (snapshot) => snapshot.context.interaction?.number === number + 1);
    return context.interaction;
  };
  expect(await answer(1, "123456")).toMatchObject({ isRepeat: true, answersSent: 1 });
  expect(await answer(2, "")).toMatchObject({ isRepeat: true, answersSent: 1, confirmationsSent: 1 });
  expect(await answer(3, "123457")).toMatchObject({ isRepeat: true, answersSent: 2, confirmationsSent: 1 });
});

test.each([
  ["a handler", { onInteraction: () => "true" }],
  ["a verb", {}],
])("%s that confirms again and again does so every three seconds, until the time is over", async (_, handlers) => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const bank = openBank(1_000);
  const confirm = async (): Promise<LoginOutcome> => {
    let outcome: LoginOutcome = await loginUnread(bank.client, person, {
      ...handlers,
      settings: { answerTimeout: 61_000 },
    });
    while (outcome.state === "awaitingInteraction") outcome = await outcome.answer("true");
    return outcome;
  };
  const ended = confirm();
  await vi.advanceTimersByTimeAsync(10_000);
  // At once, and after 3, 6 and 9 seconds.
  expect(bank.answers().length).toBe(4);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await ended).toMatchObject({ state: "failed", failure: { code: "expired" } });
  expect(bank.answers().length).toBe(21);
});

test("a pause keeps how often was confirmed too early", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const bank = openBank(9);
  const first = await loginUnread(bank.client, person);
  if (first.state !== "awaitingInteraction") throw new Error(first.state);
  const again = first.answer("true");
  await vi.advanceTimersByTimeAsync(3_000);
  const early = await again;
  if (early.state !== "awaitingInteraction") throw new Error(early.state);
  expect(await resume(bank.client, await early.pause({ key }), { key })).toMatchObject({
    interaction: { number: 2, isRepeat: true, answersSent: 0, confirmationsSent: 1 },
  });
});

/** A bank that lets nobody in, a client that always hears of an approval, and a login that has gone on by itself once. */
async function approvedInVain(settings: object = {}) {
  const bank = openBank(Number.POSITIVE_INFINITY);
  const client = withApp(bank.client);
  client.resolve({ status: "approved" });
  const outcome = await loginUnread(client.client, person, { settings });
  if (outcome.state !== "awaitingInteraction") throw new Error(outcome.state);
  const { context } = await waitFor(outcome.actor, ({ context }) => context.interaction?.number === 2);
  return { bank, client: client.client, outcome: outcome as AwaitingInteractionOutcome, context };
}
const settled = () => new Promise((resolve) => setTimeout(resolve, 50));

test("a login that is paused after an approval in vain answers no more by itself where it is resumed", async () => {
  const { bank, client, context, outcome } = await approvedInVain();
  expect(context.interaction).toMatchObject({ approvalSent: true, answersSent: 0 });
  let token = await pause(client, outcome.actor, { key });
  for (let reloads = 1; reloads <= 5; reloads += 1) {
    const resumed = await resume(client, token, { key });
    if (resumed.state !== "awaitingInteraction") throw new Error(resumed.state);
    await settled();
    token = await resumed.pause({ key });
  }
  expect(bank.posted).toHaveLength(2);
});

test("a snapshot that is stored after an approval in vain answers no more by itself", async () => {
  const { bank, client, outcome } = await approvedInVain();
  const stored = outcome.actor.getPersistedSnapshot();
  outcome.actor.stop();
  const actor = createActor(createLoginMachine(client), { snapshot: stored }).start();
  await settled();
  expect(actor.getSnapshot().matches("awaitingInteraction")).toBe(true);
  expect(bank.posted).toHaveLength(2);
});

test("a bank that asks again after the person has confirmed is not answered by itself once more", async () => {
  const { bank, client, outcome } = await approvedInVain();
  const view = loginView(outcome.actor.getSnapshot(), outcome.actor, { provider: "test" });
  if (view.state !== "awaitingInteraction") throw new Error(view.state);
  expect(view.question.awaitsApproval).toBe(false);
  view.answer("true");
  await waitFor(outcome.actor, ({ context }) => context.interaction?.number === 3);
  await settled();
  expect(bank.posted).toHaveLength(3);
  expect(client.kind).toBe("service");
});

test("what a login answers by itself counts in the limit", async () => {
  const bank = openBank(Number.POSITIVE_INFINITY);
  const app = withApp(bank.client);
  app.resolve({ status: "approved" });
  const handlers = { onInteraction: never, onSelectClient: never };
  expect(await loginUnread(app.client, person, { ...handlers, settings: { interactionLimit: 1 } })).toMatchObject({
    state: "failed",
    failure: { code: "too_many_interactions" },
  });
  expect(bank.posted).toHaveLength(2);
});
