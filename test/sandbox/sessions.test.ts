import { expect, test } from "vitest";
import { handClock, newConversation, readKey } from "./conversation.ts";

const plain = { provider: "faro_uy", username: "plain", password: "s3creto" };
const invalidKey = { http: 200, body: { status: "error", message: "Invalid key" } };

test("two keys that disagree are no key", async () => {
  const { login, get } = newConversation();
  const [one, other] = [readKey(await login(plain)), readKey(await login(plain))];
  expect(await get(`/transfer/destinations?key=${one}&key=${other}`)).toEqual(invalidKey);
  expect(await get(`/transfer/destinations?key=${one}`, { "X-Session-Key": other })).toEqual(invalidKey);
});

test.each(["?key=nobody", "?key=", "?key=__proto__", "?key=%00", "?key=%ZZ"])("%s is an invalid key", async (query) => {
  const { get } = newConversation();
  expect(await get(`/transfer/destinations${query}`)).toEqual(invalidKey);
  expect(await get(`/client/${query}`)).toEqual(invalidKey);
  expect(await get(`/client/0/${query}`)).toEqual(invalidKey);
  expect(await get(`/logout/${query}`)).toEqual(invalidKey);
});

test("no key at all misses a parameter", async () => {
  const { get } = newConversation();
  for (const path of ["/transfer/destinations", "/client/", "/client/0/", "/logout/"])
    expect(await get(path)).toEqual({ http: 400, body: { status: "missing_params" } });
});

test("a session expires after its lifetime", async () => {
  const { clock, advance } = handClock();
  const { login, destinations } = newConversation({ clock });
  const key = readKey(await login(plain));
  advance(30 * 60_000 - 1);
  expect((await destinations(key)).body.status).toBe("success");
  advance(1);
  expect(await destinations(key)).toEqual(invalidKey);
});

test("too many sessions name the one in the way; when that one is closed, the login succeeds", async () => {
  const { login, get, destinations } = newConversation();
  const form = { provider: "faro_uy", username: "sessions", password: "s3creto" };
  const full = await login(form);
  expect(full).toEqual({ http: 403, body: { status: "max_sessions_reached", key: expect.any(String) } });
  expect(await login(form)).toEqual(full);
  expect((await destinations(full.body.key)).body.status).toBe("success");
  expect((await get(`/logout/?key=${full.body.key}`)).body.status).toBe("logged_out");
  const session = await login(form);
  expect(session.body.status).toBe("logged_in");
  expect(await login(form)).toEqual({ http: 403, body: { status: "max_sessions_reached", key: session.body.key } });
});

test("a session that is in the way expires like any other", async () => {
  const { clock, advance } = handClock();
  const { login } = newConversation({ clock });
  const form = { provider: "faro_uy", username: "sessions", password: "s3creto" };
  await login(form);
  advance(30 * 60_000);
  expect((await login(form)).body.status).toBe("logged_in");
});

test("a seed fixes the keys, and another seed gives others", async () => {
  const keys = async (seed?: string | number) => {
    const { login } = newConversation(seed === undefined ? {} : { seed });
    return [readKey(await login(plain)), readKey(await login(plain))];
  };
  expect(await keys("a")).toEqual(await keys("a"));
  expect(await keys(7)).toEqual(await keys("7"));
  const all = [...(await keys("a")), ...(await keys("b")), ...(await keys()), ...(await keys())];
  expect(new Set(all).size).toBe(8);
});

test("sandboxes know nothing of each other's sessions", async () => {
  const key = readKey(await newConversation().login(plain));
  expect(await newConversation().destinations(key)).toEqual(invalidKey);
});

test("thousands of expired sessions leave the live one alone", async () => {
  const { clock, advance } = handClock();
  const { login, destinations } = newConversation({ clock, sessionLifetime: 1000 });
  for (let count = 0; count < 1024; count++) await login(plain);
  advance(2000);
  const key = readKey(await login(plain));
  for (let count = 0; count < 1024; count++) await login(plain);
  expect((await destinations(key)).body.status).toBe("success");
});
