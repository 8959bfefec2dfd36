import { createLoginMachine, type LoginSettings, secret } from "ventanilla";
import { afterEach, describe, expect, onTestFinished, vi } from "vitest";
import { createActor } from "xstate";
import type { LoginEvent } from "../../machines/login.types.ts";
import { type HoldingBank, test } from "../bank/holding-bank.ts";
import { chosen, clients, pausedChoice, pausedQuestion, question } from "./login-cases.ts";
import { beginLogin } from "./login-conversation.ts";
import { readPosition } from "./position.ts";

afterEach(() => void vi.useRealTimers());

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const never = { answerTimeout: Number.POSITIVE_INFINITY };
const expired = { kind: "outcome", code: "expired" };

const freezeAt = (now: number) => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"], now });

const begin = (bank: HoldingBank, settings: LoginSettings) => {
  const login = beginLogin(bank, settings);
  onTestFinished(() => void login.actor.stop());
  return login;
};

const loginToQuestion = async (bank: HoldingBank, settings: LoginSettings) => {
  const login = begin(bank, settings);
  await login.lead("credentials are submitted", "the bank asks a question");
  return { ...login, expiresAt: login.actor.getSnapshot().context.interaction?.expiresAt };
};

const NOW = 1_700_000_000_000;
const soon = { deadline: NOW + MINUTE };

test.for<[string, LoginSettings, expiresAt: number | undefined]>([
  ["five minutes by default", {}, NOW + 5 * MINUTE],
  ["as long as the settings say", { answerTimeout: 2 * MINUTE }, NOW + 2 * MINUTE],
  ["endless if the settings say so", never, undefined],
  ["as long as there is until the deadline of the login", { ...never, ...soon }, soon.deadline],
  ["until the deadline if that is earlier", { answerTimeout: 5 * MINUTE, ...soon }, soon.deadline],
  ["over before the deadline if that is later", { answerTimeout: MINUTE / 2, ...soon }, NOW + MINUTE / 2],
])("the time to answer is %s", async ([, settings, after], { bank }) => {
  freezeAt(NOW);
  const { expiresAt, heard } = await loginToQuestion(bank, settings);
  expect(expiresAt).toBe(after);
  expect(heard).toMatchObject([{ type: "interaction.required", interaction: { expiresAt } }]);
});

test("the time to answer limits the choice of a client as well", async ({ bank }) => {
  freezeAt(NOW);
  const { actor, lead } = begin(bank, { clientSelection: true, ...soon });
  await lead("credentials are submitted", "the bank wants a client selected", "the clients are listed");
  expect(actor.getSnapshot().context.expiresAt).toBe(soon.deadline);
});

/** Takes up a login that waits until a time. */
type TakeUp = (bank: HoldingBank, expiresAt: number | undefined) => ReturnType<typeof begin>;

const { field, context } = question;
const interaction = { field, fields: [field], context, number: 2, isRepeat: true, answersSent: 1 };
const resume =
  (toPaused: (expiresAt: number | undefined) => Extract<LoginEvent, { type: "login.resume" }>["paused"]): TakeUp =>
  (bank, expiresAt) => {
    const login = begin(bank, {});
    login.actor.send({ type: "login.resume", paused: toPaused(expiresAt) });
    return login;
  };
const takeUpQuestion = resume((expiresAt) => ({
  ...pausedQuestion,
  interaction: { ...interaction, expiresAt },
  expiresAt,
}));
const takeUpChoice = resume((expiresAt) => ({ ...pausedChoice, expiresAt }));

const deadline = Date.now() + 60 * DAY;

describe.each<
  [string, string, (bank: HoldingBank, at: number) => Promise<Pick<ReturnType<TakeUp>, "actor" | "requests">>]
>([
  ["question", "awaitingInteraction", async (bank, at) => freezeAt(at) && takeUpQuestion(bank, deadline)],
  ["choice", "selectClient.choosing", async (bank, at) => freezeAt(at) && takeUpChoice(bank, deadline)],
  [
    "stored question",
    "awaitingInteraction",
    async (bank, at) => {
      const { actor, client } = await loginToQuestion(bank, { ...never, deadline });
      const snapshot = actor.getPersistedSnapshot();
      actor.stop();
      freezeAt(at);
      const again = createActor(createLoginMachine(client), { snapshot, input: {} });
      onTestFinished(() => void again.stop());
      return { actor: again.start(), requests: [] };
    },
  ],
])("the time of a %s that is taken up", (_, state, takeUp) => {
  test("ends at the same time as without the pause", async ({ bank }) => {
    const { actor, requests } = await takeUp(bank, deadline - 30 * DAY);
    await vi.advanceTimersByTimeAsync(30 * DAY - 1);
    expect(readPosition(actor.getSnapshot())).toBe(state);
    await vi.advanceTimersByTimeAsync(1);
    expect(actor.getSnapshot().context.failure).toEqual(expired);
    expect(requests).toEqual([]);
  });

  test("can run out during the pause: the login fails, and an answer comes too late", async ({ bank }) => {
    const { actor, requests } = await takeUp(bank, deadline + DAY);
    await vi.advanceTimersByTimeAsync(0);
    actor.send({ type: "interaction.answer", answer: { otp: secret(question.answer) } });
    actor.send({ type: "client.choose", client: chosen });
    expect(readPosition(actor.getSnapshot())).toBe("failed");
    expect(actor.getSnapshot().context).toMatchObject({ failure: expired, key: undefined, credentials: undefined });
    expect(requests).toEqual([]);
  });
});

test.for<[string, TakeUp, expiresAt: number | undefined, event: object]>([
  [
    "question",
    takeUpQuestion,
    deadline,
    { type: "interaction.required", interaction: { ...interaction, expiresAt: deadline } },
  ],
  ["choice", takeUpChoice, deadline, { type: "client.required", clients }],
  ["question without an end", takeUpQuestion, undefined, { type: "interaction.required", interaction }],
  ["choice without an end", takeUpChoice, undefined, { type: "client.required", clients }],
])("a %s that is taken up is announced again, with the rest of its time", ([, takeUp, expiresAt, event], { bank }) => {
  freezeAt(Date.now());
  const { actor, heard } = takeUp(bank, expiresAt);
  expect(heard).toEqual([event]);
  expect(actor.getSnapshot().context.expiresAt).toBe(expiresAt);
  expect(vi.getTimerCount()).toBe(expiresAt === undefined ? 0 : 1);
});
