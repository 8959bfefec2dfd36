import { createBankClient, createLoginMachine, readState, reveal } from "ventanilla";
import { describe, expect, vi } from "vitest";
import { createActor, waitFor } from "xstate";
import { test } from "../bank/bank.ts";
import { credentials, keys, type LoginCaseName, question } from "./login-cases.ts";
import { beginLogin } from "./login-conversation.ts";

const submit: LoginCaseName = "credentials are submitted";
const settings = { clientSelection: true, sessionReplacement: true };
const busy: Record<string, LoginCaseName[]> = {
  "the login": [submit],
  "the second login": [submit, "the bank asks a question", "the question is answered"],
  "the list of clients": [submit, "the bank wants a client selected"],
  "the selection of a client": [
    submit,
    "the bank wants a client selected",
    "the clients are listed",
    "a client is chosen",
  ],
  "the closing of the other session": [submit, "the bank counts too many sessions", "the other session is replaced"],
};

describe("while a request is under way", () => {
  test.for(Object.entries(busy))("cancelling hangs up on %s", async ([, path], { bank }) => {
    const { actor, lead, openRequest, requests } = beginLogin(bank, settings);
    await lead(...path);
    const sent = requests.length;
    actor.send({ type: "login.cancel" });
    await openRequest().abandoned;
    expect(readState(actor.getSnapshot())).toBe("idle");
    expect(requests).toHaveLength(sent);
    actor.stop();
  });

  test.for(Object.entries(busy))("stopping the actor hangs up on %s", async ([, path], { bank }) => {
    const { actor, lead, openRequest } = beginLogin(bank, settings);
    await lead(...path);
    actor.stop();
    await openRequest().abandoned;
  });

  test.for(Object.entries(busy))("a login that was cancelled during %s begins anew", async ([, path], { bank }) => {
    const { actor, lead, requests } = beginLogin(bank, settings);
    await lead(...path, "the login is cancelled", submit);
    expect(requests.at(-1)).toEqual(requests[0]);
    await lead("the bank starts a session");
    expect(actor.getSnapshot()).toMatchObject({ status: "done", output: { provider: "test" } });
  });
});

describe("a reply that comes too late", () => {
  // Answers when the test says so, and never listens to a signal.
  const stubborn = async () => {
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
    // Gives the answer and waits until it has been read and everyone has been told.
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
    const { actor, answer } = await stubborn();
    actor.send({ type: "login.cancel" });
    const before = actor.getSnapshot();
    await answer(0, body);
    expect(actor.getSnapshot()).toBe(before);
  });

  test("is not taken for the reply to the next login", async () => {
    const { actor, answers, answer } = await stubborn();
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
