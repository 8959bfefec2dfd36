import { createSandbox } from "ventanilla/sandbox";
import { expect, test } from "vitest";
import { converse, handClock, invalidKey, newConversation, readKey } from "./conversation.ts";

const slow = { provider: "tortuga_ec", username: "slow", password: "s3creto" };

test.each([
  ["three seconds", {}, 3000],
  ["the time that is set", { slowBankDelay: 50 }, 50],
])("the slow bank takes %s, but not for a wrong password", async (_, options, delay) => {
  const { clock, advance, waiting } = handClock();
  const { login } = newConversation({ clock, ...options });
  expect((await login({ ...slow, password: "guess" })).body.status).toBe("wrong_credentials");
  const reply = login(slow);
  await expect.poll(waiting).toBe(1);
  advance(delay - 1);
  expect(waiting()).toBe(1);
  advance(1);
  expect((await reply).body.status).toBe("logged_in");
});

test("a slow second login that is sent twice is accepted once", async () => {
  const { clock, advance, waiting } = handClock();
  const { login } = newConversation({ clock });
  const form = { ...slow, username: "slowotp" };
  const key = readKey(await login(form));
  const first = login({ ...form, otp: "314159" }, key);
  await expect.poll(waiting).toBe(1);
  expect(await login({ ...form, otp: "314159" }, key)).toEqual(invalidKey);
  advance(3000);
  expect((await first).body.status).toBe("logged_in");
});

test("with the system's clock the bank waits until the request is aborted, which gets HTTP 499", async () => {
  expect((await newConversation({ slowBankDelay: 5 }).login(slow)).body.status).toBe("logged_in");
  const sandbox = createSandbox({ slowBankDelay: 60_000 });
  for (const signal of [AbortSignal.timeout(20), AbortSignal.abort()]) {
    const { login } = converse((request) => sandbox(new Request(request, { signal })));
    expect(await login(slow)).toEqual({ http: 499, body: { status: "error", message: "Request aborted" } });
  }
});

test("a clock that breaks is an internal error, not a crash", async () => {
  const clock = { now: () => 0, wait: () => Promise.reject(new Error("s3creto")) };
  const internalError = { http: 500, body: { status: "error", message: "Internal error" } };
  expect(await newConversation({ clock }).login(slow)).toEqual(internalError);
});
