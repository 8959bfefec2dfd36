import { createDurableLoginClient } from "ventanilla/restate";
import { expect, test } from "vitest";
import { canaryOf, findCanaries } from "../../leaks/canaries.ts";

const sealKey = Buffer.alloc(32, 7).toString("base64");
const [username, password] = ["somebody-at-the-bank", "password-of-hers-4711"];
const form = { provider: "test", username, password };
const asked = {
  state: "awaitingInteraction",
  over: false,
  provider: "test",
  settings: {},
  interaction: { field: "otp", context: "Code?", number: 1, isRepeat: false, answersSent: 0 },
};

/** A client of an engine where the bank asks, and whose handler throws that. Resolves with what the login rejects with. */
async function thrownBy(thrown: Error): Promise<Error> {
  const logins = createDurableLoginClient({
    ingress: "http://restate.test",
    sealKey,
    fetch: async () => Response.json(asked),
  });
  const onInteraction = () => {
    throw thrown;
  };
  return logins.login({ ...form, onInteraction }).then(
    () => expect.fail("It did not reject."),
    (error: Error) => error,
  );
}

test("an error of a handler's own is the cause, for its author", async () => {
  const own = new Error("The mailbox is closed.");
  expect(await thrownBy(own)).toMatchObject({ code: "handler_failed", cause: own });
});

test.each([
  ["user name", username],
  ["password", password],
  ["seal key", sealKey],
])("the %s in a handler's error goes no further", async (name, value) => {
  const error = await thrownBy(new Error(`It was ${value}.`));
  expect(error).toMatchObject({ code: "handler_failed" });
  expect(error.cause).toBeUndefined();
  expect(findCanaries([error, error.stack, String(error)], [canaryOf(name, value)])).toEqual([]);
});
