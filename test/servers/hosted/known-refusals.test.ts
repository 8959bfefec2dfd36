import type { HostedLoginOptions } from "ventanilla/hosted";
import { createMemoryStore } from "ventanilla/tokens";
import { expect, test } from "vitest";
import { SEAL_KEY } from "../relay/stage.ts";
import { createBrowser, stage } from "./stage.ts";

/** A hosted login at which each person has a session and a browser. */
async function open(store = createMemoryStore({ rows: new Map() })) {
  const refusals: HostedLoginOptions["refusals"] = { store, key: SEAL_KEY };
  const set = await stage({ refusals });
  const openSession = async (session: object = {}) => {
    const { id, url } = await set.hosted.create({ user: "42", provider: "test", ...session });
    const browser = createBrowser();
    await browser.open(url);
    return { id, browser };
  };
  return { ...set, openSession };
}

test("a password that the bank has refused is not sent again, by any session, until another one is typed", async () => {
  const { openSession, posts, hosted } = await open();
  const before = Date.now();
  const first = await openSession();
  expect(await first.browser.logIn("12345", "wrong")).toMatchObject({ status: "wrong_credentials" });
  const second = await openSession();
  for (const { browser } of [first, second]) {
    const response = await browser.logIn("12345", "wrong");
    // The page has the time, by way of the relay.
    expect(response).toMatchObject({ status: "known_wrong", refusedAt: expect.any(Number) });
    expect("refusedAt" in response && response.refusedAt).toBeGreaterThanOrEqual(before);
  }
  expect(posts()).toHaveLength(1);
  expect(await hosted.read(second.id)).toMatchObject({ status: "opened" });
  expect(await second.browser.logIn()).toMatchObject({ status: "logged_in" });
  expect(posts()).toHaveLength(2);
});

test("the same form, submitted again after the page has warned of it, is sent to the bank", async () => {
  const { openSession, posts } = await open();
  const { browser } = await openSession();
  const logIn = async (password: string) => (await browser.logIn("12345", password)).status;
  expect(await logIn("wrong")).toBe("wrong_credentials");
  expect(await logIn("wrong")).toBe("known_wrong");
  expect(await logIn("wrong")).toBe("wrong_credentials");
  expect(await logIn("bad")).toBe("wrong_credentials");
  expect(await logIn("wrong")).toBe("known_wrong");
  // Another form that is known: the page says so first.
  expect(await logIn("bad")).toBe("known_wrong");
  expect(posts()).toHaveLength(3);
  expect(await logIn("bad")).toBe("wrong_credentials");
  expect(posts()).toHaveLength(4);
});

test("a session that was made with ignoreKnownRefusal sends it", async () => {
  const { openSession, posts } = await open();
  const { browser } = await openSession();
  await browser.logIn("12345", "wrong");
  const again = await openSession({ ignoreKnownRefusal: true });
  expect(await again.browser.logIn("12345", "wrong")).toMatchObject({ status: "wrong_credentials" });
  expect(await browser.logIn("12345", "wrong")).toMatchObject({ status: "known_wrong" });
  expect(posts()).toHaveLength(2);
});

test("a store that fails stops no login, and onError is told", async () => {
  const store = { ...createMemoryStore({ rows: new Map() }), read: () => Promise.reject(new Error("down")) };
  const { openSession, errors } = await open(store);
  const { browser } = await openSession();
  expect(await browser.logIn()).toMatchObject({ status: "logged_in" });
  expect(errors).toMatchObject([{ code: "handler_failed", field: "refusals" }]);
});

test("a memory that can't be used is refused at once", async () => {
  await expect(stage({ refusals: {} as never })).rejects.toMatchObject({
    code: "invalid_input",
    field: "refusals.store",
  });
});
