import { createBankClient, createLoginMachine, readState, reveal } from "ventanilla";
import { describe, expect, vi } from "vitest";
import { createActor, waitFor } from "xstate";
import { test } from "../bank/bank.ts";
import { credentials, keys, question } from "./login-cases.ts";

describe("a reply that comes too late", () => {
  // A client whose requests end only when the test says so: its `fetch` ignores the signal.
  const begin = async () => {
    const answers: ((body: object | Error) => void)[] = [];
    const whole = vi.fn();
    const client = createBankClient({
      onResponse: whole,
      baseUrl: "http://bank.test",
      apiKey: "never-sent",
      retry: false,
      fetch: () =>
        new Promise((resolve, reject) => {
          answers.push((body) => (body instanceof Error ? reject(body) : resolve(Response.json(body))));
        }),
    });
    const actor = createActor(createLoginMachine(client), { input: {} }).start();
    actor.send({ type: "credentials.submit", credentials });
    await expect.poll(() => answers).toHaveLength(1);
    // Gives the response and waits until the client has read it.
    const answer = async (index: number, body: object | Error) => {
      answers[index]?.(body);
      if (!(body instanceof Error)) await expect.poll(() => whole).toHaveBeenCalledTimes(1);
      await new Promise((resolve) => setImmediate(resolve));
    };
    return { actor, answers, answer };
  };

  test.for<[string, object]>([
    ["session", { status: "logged_in", key: keys.session }],
    ["question", { status: "interaction_required", key: keys.question, ...question }],
    ["refusal", { status: "wrong_credentials" }],
    ["fault", new TypeError("fetch failed")],
  ])("brings no %s after a cancel", async ([, body]) => {
    const { actor, answer } = await begin();
    actor.send({ type: "login.cancel" });
    const before = actor.getSnapshot();
    await answer(0, body);
    expect(actor.getSnapshot()).toBe(before);
  });

  test("is not taken for the reply to the next login", async () => {
    const { actor, answers, answer } = await begin();
    actor.send({ type: "login.cancel" });
    actor.send({ type: "credentials.submit", credentials });
    await expect.poll(() => answers).toHaveLength(2);
    await answer(0, { status: "logged_in", key: keys.other });
    expect(readState(actor.getSnapshot())).toBe("submitting");
    answers[1]?.({ status: "logged_in", key: keys.session });
    const { context } = await waitFor(actor, ({ status }) => status === "done");
    expect(context.key && reveal(context.key)).toBe(keys.session);
    expect(answers).toHaveLength(2);
  });
});
