import { createSandbox } from "ventanilla/sandbox";
import { expect, test } from "vitest";
import { converse, handClock, newConversation, readKey } from "./conversation.ts";

const slow = { provider: "tortuga_ec", username: "slow", password: "s3creto" };
const slowCode = { ...slow, username: "slowotp" };

test("the slow bank answers after its delay", async () => {
  const { clock, advance, waiting } = handClock();
  const { login } = newConversation({ clock });
  const reply = login(slow);
  await expect.poll(() => waiting()).toBe(1);
  advance(2999);
  expect(waiting()).toBe(1);
  advance(1);
  expect((await reply).body.status).toBe("logged_in");
});

test("the delay can be set, and a wrong password doesn't wait for it", async () => {
  const { clock, advance, waiting } = handClock();
  const { login } = newConversation({ clock, slowBankDelay: 50 });
  expect((await login({ ...slow, password: "guess" })).body.status).toBe("wrong_credentials");
  const reply = login(slow);
  await expect.poll(() => waiting()).toBe(1);
  advance(50);
  expect((await reply).body.status).toBe("logged_in");
});

test("a slow second login sent twice counts once", async () => {
  const { clock, advance, waiting } = handClock();
  const { login } = newConversation({ clock });
  const key = readKey(await login(slowCode));
  const first = login({ ...slowCode, otp: "314159" }, key);
  await expect.poll(() => waiting()).toBe(1);
  expect((await login({ ...slowCode, otp: "314159" }, key)).body).toEqual({ status: "error", message: "Invalid key" });
  advance(3000);
  expect((await first).body.status).toBe("logged_in");
});

test("a client that gives up frees the slow bank, and the sandbox still resolves", async () => {
  const { clock, waiting } = handClock();
  const sandbox = createSandbox({ clock });
  const leaving = new AbortController();
  const { login } = converse((request) => sandbox(new Request(request, { signal: leaving.signal })));
  const reply = login(slow);
  await expect.poll(() => waiting()).toBe(1);
  leaving.abort();
  expect(await reply).toEqual({ http: 499, body: { status: "error", message: "Request aborted" } });
  expect(waiting()).toBe(0);
});

test("with the system's clock the wait is real, and can be aborted too", async () => {
  expect((await newConversation({ slowBankDelay: 5 }).login(slow)).body.status).toBe("logged_in");
  const sandbox = createSandbox({ slowBankDelay: 60_000 });
  const { login } = converse((request) => sandbox(new Request(request, { signal: AbortSignal.timeout(20) })));
  expect((await login(slow)).http).toBe(499);
  const early = converse((request) => sandbox(new Request(request, { signal: AbortSignal.abort() })));
  expect((await early.login(slow)).http).toBe(499);
});

test("a clock that breaks is an internal error, not a crash", async () => {
  const clock = { now: () => 0, wait: () => Promise.reject(new Error("s3creto")) };
  expect(await newConversation({ clock }).login(slow)).toEqual({
    http: 500,
    body: { status: "error", message: "Internal error" },
  });
});
