import { expect, test } from "vitest";
import { handClock, invalidKey, newConversation, readKey } from "./conversation.ts";

const password = "s3creto";
const plain = { provider: "faro_uy", username: "plain", password };
const limited = { ...plain, username: "sessions" };
const { login, get, destinations } = newConversation();
const paths = ["/transfer/destinations", "/client/", "/client/0/", "/logout/"];

test("two different keys in one request are an invalid key", async () => {
  const [one, other] = [readKey(await login(plain)), readKey(await login(plain))];
  expect(await get(`/transfer/destinations?key=${one}&key=${other}`)).toEqual(invalidKey);
  expect(await get(`/transfer/destinations?key=${one}`, { "X-Session-Key": other })).toEqual(invalidKey);
});

test.each(["?key=nobody", "?key=", "?key=__proto__", "?key=%ZZ"])("%s is an invalid key", async (query) => {
  for (const path of paths) expect(await get(path + query)).toEqual(invalidKey);
});

test("a request without a key answers missing_params", async () => {
  for (const path of paths) expect(await get(path)).toEqual({ http: 400, body: { status: "missing_params" } });
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

test("max_sessions_reached has the key of the other session; after its logout the login succeeds", async () => {
  const full = await login(limited);
  expect(full).toEqual({ http: 403, body: { status: "max_sessions_reached", key: expect.any(String) } });
  expect(await login(limited)).toEqual(full);
  expect((await destinations(full.body.key)).body.status).toBe("success");
  expect((await get(`/logout/?key=${full.body.key}`)).body.status).toBe("logged_out");
  const session = await login(limited);
  expect(session.body.status).toBe("logged_in");
  expect(await login(limited)).toEqual({ http: 403, body: { status: "max_sessions_reached", key: session.body.key } });
});

test("each login has a key of its own, and a sandbox refuses the keys of another", async () => {
  const [one, other] = [newConversation(), newConversation()];
  const keys = [readKey(await one.login(plain)), readKey(await one.login(plain)), readKey(await other.login(plain))];
  expect(new Set(keys).size).toBe(3);
  expect(await other.destinations(keys[0])).toEqual(invalidKey);
});

test("sweeping thousands of expired sessions keeps the live one", async () => {
  const { clock, advance } = handClock();
  const { login, destinations } = newConversation({ clock, sessionLifetime: 1000 });
  for (let count = 0; count < 1024; count++) await login(plain);
  advance(2000);
  const key = readKey(await login(plain));
  for (let count = 0; count < 1024; count++) await login(plain);
  expect((await destinations(key)).body.status).toBe("success");
});

const wrongClient = { http: 200, body: { status: "error", message: "wrong_client" } };
const begin = async (username: string) =>
  readKey(await login({ provider: "canal_pa", username, password, company_code: "7701" }));

test("the choice of a client can bring a new key, which replaces the old one", async () => {
  const key = await begin("newkey");
  expect(await destinations(key)).toEqual(invalidKey);
  const chosen = await get(`/client/1/?key=${key}`);
  expect(chosen).toEqual({ http: 200, body: { status: "success", key: expect.any(String) } });
  expect(chosen.body.key).not.toBe(key);
  expect(await destinations(key)).toEqual(invalidKey);
  expect((await destinations(chosen.body.key)).body["destinations"]).toEqual([
    { id: 71, name: "Banco Esclusa" },
    { id: 72, name: "Caja Istmo" },
  ]);
});

test.each(["2", "FIC-02412222", "__proto__", "%00", "%ZZ"])(
  "the wrong client %s is refused and the choice stays open",
  async (id) => {
    const key = await begin("samekey");
    expect(await get(`/client/${id}/?key=${key}`)).toEqual(wrongClient);
    expect(await destinations(key)).toEqual(invalidKey);
    expect(await get(`/client/1/?key=${key}`)).toEqual({ http: 200, body: { status: "success" } });
    expect((await destinations(key)).body.status).toBe("success");
  },
);

test.each([
  ["that waits for a choice without clients", () => begin("empty")],
  ["of a user without clients", async () => readKey(await login(plain))],
])("a session %s lists no clients", async (_, open) => {
  const key = await open();
  expect(await get(`/client/?key=${key}`)).toEqual({ http: 200, body: { status: "success", clients: {} } });
  expect(await get(`/client/0/?key=${key}`)).toEqual(wrongClient);
});
