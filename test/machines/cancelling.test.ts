import { createBankClient, createLoginMachine, reveal } from "ventanilla";
import { expect, onTestFinished, test, vi } from "vitest";
import { createActor, waitFor } from "xstate";
import { credentials, keys } from "./login-cases.ts";
import { readPosition } from "./position.ts";

// In every state a cancel leads to idle: login-table.ts. That it hangs up: test/faults/cancelling.test.ts.
test("a reply that comes after a cancel has no effect, and is not taken for the reply to the next login", async () => {
  // These requests end only when the test says so: the `fetch` ignores the signal.
  const answers: ((body: object) => void)[] = [];
  const onResponse = vi.fn();
  const client = createBankClient({
    onResponse,
    baseUrl: "http://bank.test",
    apiKey: "never-sent",
    fetch: () => new Promise((resolve) => answers.push((body) => resolve(Response.json(body)))),
  });
  const actor = createActor(createLoginMachine(client), { input: { validate: false } }).start();
  onTestFinished(() => void actor.stop());
  for (const length of [1, 2, 3]) {
    actor.send({ type: "login.cancel" });
    actor.send({ type: "credentials.submit", credentials });
    await expect.poll(() => answers).toHaveLength(length);
  }
  const before = actor.getSnapshot();
  answers[0]?.({ status: "logged_in", key: keys.other });
  answers[1]?.({ status: "wrong_credentials" });
  await expect.poll(() => onResponse).toHaveBeenCalledTimes(2);
  await new Promise(setImmediate);
  expect(actor.getSnapshot()).toBe(before);
  expect(readPosition(before)).toBe("submitting");
  answers[2]?.({ status: "logged_in", key: keys.session });
  const { context } = await waitFor(actor, ({ status }) => status === "done");
  expect(context.key && reveal(context.key)).toBe(keys.session);
});
