import { type LoginSettings, readState, reveal, secret } from "ventanilla";
import { afterEach, describe, expect, vi } from "vitest";
import type { PausedLogin } from "../../machines/login.types.ts";
import { type Bank, test } from "../bank/bank.ts";
import { chosen, clients, form, keys, pausedChoice, pausedQuestion, question } from "./login-cases.ts";
import { beginLogin } from "./login-conversation.ts";

afterEach(() => {
  vi.useRealTimers();
});

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const { provider, username, password } = form;

const { field, context } = question;
const repeated = { field, context, number: 2, isRepeat: true, answersSent: 1 };

const questionUntil = (expiresAt?: number, settings?: LoginSettings): PausedLogin => ({
  ...pausedQuestion,
  interaction: { ...repeated, expiresAt },
  expiresAt,
  settings: settings ?? pausedQuestion.settings,
});
const choiceUntil = (expiresAt?: number): PausedLogin => ({ ...pausedChoice, expiresAt });

const takeUp = (bank: Bank, paused: PausedLogin, own: LoginSettings = {}) => {
  const login = beginLogin(bank, own);
  login.actor.send({ type: "login.resume", paused });
  return login;
};

const freezeAt = (now: number) => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"], now });

const expired = { type: "login.failed", failure: { kind: "outcome", code: "expired" } };

describe("a question that is taken up", () => {
  test("is asked again as it was asked, with what is left of its time", ({ bank }) => {
    const expiresAt = Date.now() + MINUTE;
    const { actor, heard } = takeUp(bank, questionUntil(expiresAt));
    expect(heard).toEqual([{ type: "interaction.required", interaction: { ...repeated, expiresAt } }]);
    expect(actor.getSnapshot().context).toMatchObject({ expiresAt, interaction: { number: 2, expiresAt } });
    actor.stop();
  });

  test("is answered by the one request of a second login, under the key it was paused with", async ({ bank }) => {
    const { actor, lead, requests } = takeUp(bank, questionUntil());
    await lead("the question is answered", "the bank starts a session without a key");
    expect(requests).toEqual([
      {
        method: "POST",
        path: "/login/",
        query: { key: keys.paused },
        form: { provider, username, password, otp: question.answer },
      },
    ]);
    const { status, output } = actor.getSnapshot();
    expect(status).toBe("done");
    expect(output && { ...output, key: reveal(output.key) }).toEqual({ provider, key: keys.paused });
  });

  test("goes on to another one with the time that it was paused with, not with the new login's own", async ({
    bank,
  }) => {
    const deadline = Date.now() + 5 * MINUTE;
    const paused = questionUntil(undefined, { interactionLimit: 3, deadline });
    const { actor, lead } = takeUp(bank, paused, { interactionLimit: 1, deadline: deadline - MINUTE });
    await lead("the question is answered", "the bank asks a question");
    expect(actor.getSnapshot().context.interaction).toMatchObject({ number: 3, answersSent: 2, expiresAt: deadline });
    actor.stop();
  });

  test("is cancelled without a word to the bank, and leaves nothing of itself to the next login", async ({ bank }) => {
    const { actor, lead, requests } = takeUp(bank, questionUntil(Date.now() + MINUTE));
    await lead("the login is cancelled", "credentials are submitted", "the bank asks a question");
    expect(requests).toEqual([{ method: "POST", path: "/login/", query: {}, form }]);
    expect(actor.getSnapshot().context).toMatchObject({
      expiresAt: expect.any(Number),
      interaction: { number: 1, isRepeat: false },
    });
    actor.stop();
  });
});

describe("a choice that is taken up", () => {
  test("is offered again as it was, without the credentials", ({ bank }) => {
    const expiresAt = Date.now() + MINUTE;
    const { actor, heard } = takeUp(bank, choiceUntil(expiresAt));
    expect(heard).toEqual([{ type: "client.required", clients }]);
    expect(actor.getSnapshot().context).toMatchObject({ expiresAt, clients, credentials: undefined });
    actor.stop();
  });

  test("is made by the one request that selects the client, under the key it was paused with", async ({ bank }) => {
    const { actor, lead, requests } = takeUp(bank, choiceUntil());
    await lead("a client is chosen", "the client is selected under a new key");
    expect(requests).toEqual([{ method: "GET", path: `/client/${chosen}/`, query: { key: keys.paused }, form: {} }]);
    const { output } = actor.getSnapshot();
    expect(output && { ...output, key: reveal(output.key) }).toEqual({ provider, key: keys.selected });
  });
});

describe.each([
  ["a question", "awaitingInteraction", questionUntil],
  ["a choice", "selectClient.choosing", choiceUntil],
])("the time of %s that is taken up", (_, state, pausedUntil) => {
  test("ends when it would have ended, not later for the pause", async ({ bank }) => {
    const deadline = Date.now() + 60 * DAY;
    freezeAt(deadline - 30 * DAY);
    const { actor, requests, heard } = takeUp(bank, pausedUntil(deadline));
    await vi.advanceTimersByTimeAsync(30 * DAY - 1);
    expect(readState(actor.getSnapshot())).toBe(state);
    await vi.advanceTimersByTimeAsync(1);
    expect(heard.at(-1)).toEqual(expired);
    expect(requests).toEqual([]);
    actor.stop();
  });

  test("has run out where it ended during the pause: the login fails, and an answer comes too late", async ({
    bank,
  }) => {
    const deadline = Date.now();
    freezeAt(deadline + DAY);
    const { actor, requests, heard } = takeUp(bank, pausedUntil(deadline));
    await vi.advanceTimersByTimeAsync(0);
    expect(readState(actor.getSnapshot())).toBe("failed");
    expect(heard.at(-1)).toEqual(expired);
    actor.send({ type: "interaction.answer", answer: secret(question.answer) });
    actor.send({ type: "client.choose", client: chosen });
    expect(readState(actor.getSnapshot())).toBe("failed");
    expect(actor.getSnapshot().context).toMatchObject({ key: undefined, credentials: undefined });
    expect(requests).toEqual([]);
    actor.stop();
  });

  test("leaves no timer behind when the login is cancelled", ({ bank }) => {
    freezeAt(Date.now());
    const { actor } = takeUp(bank, pausedUntil(Date.now() + MINUTE));
    expect(vi.getTimerCount()).toBe(1);
    actor.send({ type: "login.cancel" });
    expect(vi.getTimerCount()).toBe(0);
    actor.stop();
  });

  test("has no end where none was given", ({ bank }) => {
    freezeAt(Date.now());
    const { actor } = takeUp(bank, pausedUntil());
    expect(vi.getTimerCount()).toBe(0);
    expect(readState(actor.getSnapshot())).toBe(state);
    actor.stop();
  });
});
