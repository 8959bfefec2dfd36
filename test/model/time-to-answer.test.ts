import { createLoginMachine, readState, secret } from "ventanilla";
import { afterEach, describe, expect, vi } from "vitest";
import { createActor } from "xstate";
import { type Bank, test } from "../bank/bank.ts";
import { form } from "./login-cases.ts";
import { beginLogin } from "./login-conversation.ts";

afterEach(() => {
  vi.useRealTimers();
});

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const loginToQuestion = async (bank: Bank, settings: { answerTimeout?: number; deadline?: number }) => {
  const login = beginLogin(bank, settings);
  await login.lead("credentials are submitted", "the bank asks a question");
  const expiresAt = login.actor.getSnapshot().context.interaction?.expiresAt;
  return { ...login, expiresAt };
};

describe("the time to answer", () => {
  test("is five minutes by default, and has no end where that is asked for", async ({ bank }) => {
    const before = Date.now();
    const usual = await loginToQuestion(bank, {});
    expect(usual.expiresAt).toBeGreaterThanOrEqual(before + 5 * MINUTE);
    expect(usual.expiresAt).toBeLessThanOrEqual(Date.now() + 5 * MINUTE);
    usual.actor.stop();
    const endless = await loginToQuestion(bank, { answerTimeout: Number.POSITIVE_INFINITY });
    expect(endless.expiresAt).toBeUndefined();
    endless.actor.stop();
  });

  test("begins with the question", async ({ bank }) => {
    const before = Date.now();
    const { expiresAt, actor, heard } = await loginToQuestion(bank, { answerTimeout: 5 * MINUTE });
    expect(expiresAt).toBeGreaterThanOrEqual(before + 5 * MINUTE);
    expect(expiresAt).toBeLessThanOrEqual(Date.now() + 5 * MINUTE);
    expect(heard).toMatchObject([{ type: "interaction.required", interaction: { expiresAt } }]);
    actor.stop();
  });

  test("ends with the whole login's deadline, where that is earlier", async ({ bank }) => {
    const deadline = Date.now() + MINUTE;
    const early = await loginToQuestion(bank, { answerTimeout: 5 * MINUTE, deadline });
    expect(early.expiresAt).toBe(deadline);
    early.actor.stop();
    const late = await loginToQuestion(bank, { answerTimeout: MINUTE / 2, deadline });
    expect(late.expiresAt).toBeLessThan(deadline);
    late.actor.stop();
    const only = await loginToQuestion(bank, { answerTimeout: Number.POSITIVE_INFINITY, deadline });
    expect(only.expiresAt).toBe(deadline);
    only.actor.stop();
  });

  test("also limits the choice of a client", async ({ bank }) => {
    const deadline = Date.now() + MINUTE;
    const { actor, lead } = beginLogin(bank, { clientSelection: true, deadline });
    await lead("credentials are submitted", "the bank wants a client selected", "the clients are listed");
    expect(actor.getSnapshot().context.expiresAt).toBe(deadline);
    actor.stop();
  });
});

describe("a question that was put aside", () => {
  const putAside = async (bank: Bank, settings: { answerTimeout?: number; deadline?: number }) => {
    const { actor, client, next, requests } = await loginToQuestion(bank, settings);
    const stored = actor.getPersistedSnapshot();
    actor.stop();
    return { machine: createLoginMachine(client), stored, next, requests };
  };
  const restore = ({ machine, stored }: Awaited<ReturnType<typeof putAside>>) =>
    createActor(machine, { snapshot: stored, input: {} });

  test("expires at the time that it was given, not later for having been put aside", async ({ bank }) => {
    const deadline = Date.now() + 60 * DAY;
    const aside = await putAside(bank, { answerTimeout: Number.POSITIVE_INFINITY, deadline });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"], now: deadline - 30 * DAY });
    const actor = restore(aside).start();
    await vi.advanceTimersByTimeAsync(30 * DAY - 1);
    expect(readState(actor.getSnapshot())).toBe("awaitingInteraction");
    await vi.advanceTimersByTimeAsync(1);
    expect(actor.getSnapshot().context.failure).toEqual({ kind: "outcome", code: "expired" });
    actor.stop();
  });

  test("has expired when it is taken up after its time", async ({ bank }) => {
    const deadline = Date.now() + MINUTE;
    const aside = await putAside(bank, { deadline });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"], now: deadline + DAY });
    const actor = restore(aside).start();
    await vi.advanceTimersByTimeAsync(0);
    expect(actor.getSnapshot().context.failure?.code).toBe("expired");
  });

  test("leaves no timer behind when it is dropped", async ({ bank }) => {
    const aside = await putAside(bank, { deadline: Date.now() + MINUTE });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
    const actor = restore(aside).start();
    expect(vi.getTimerCount()).toBe(1);
    actor.send({ type: "login.cancel" });
    expect(vi.getTimerCount()).toBe(0);
  });

  test("takes its answer as if nothing had been", async ({ bank }) => {
    const aside = await putAside(bank, {});
    const actor = restore(aside).start();
    actor.send({ type: "interaction.answer", answer: secret("8888") });
    const { seen } = await aside.next();
    expect(seen.query).toEqual({ key: "key-of-the-question" });
    expect(seen.form).toEqual({ provider: "test", username: form.username, password: form.password, otp: "8888" });
    expect(aside.requests).toHaveLength(2);
    actor.stop();
  });

  test("holds no secret once it is text, and then fails before anything is sent", async ({ bank }) => {
    const aside = await putAside(bank, {});
    const text = JSON.stringify(aside.stored);
    for (const value of [form.username, form.password, "key-of-the-question"]) expect(text).not.toContain(value);
    const actor = createActor(aside.machine, { snapshot: JSON.parse(text), input: {} }).start();
    actor.send({ type: "interaction.answer", answer: secret("8888") });
    await expect.poll(() => readState(actor.getSnapshot())).toBe("failed");
    expect(actor.getSnapshot().context.failure?.code).toBe("secret_unavailable");
    expect(aside.requests).toHaveLength(1);
  });
});
