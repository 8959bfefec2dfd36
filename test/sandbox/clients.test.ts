import { expect, test } from "vitest";
import { newConversation, readKey } from "./conversation.ts";

const { login, get, destinations } = newConversation();
const invalidKey = { http: 200, body: { status: "error", message: "Invalid key" } };
const wrongClient = { http: 200, body: { status: "error", message: "wrong_client" } };
const success = { http: 200, body: { status: "success" } };

const begin = async (username: string) =>
  readKey(await login({ provider: "canal_pa", username, password: "s3creto", company_code: "7701" }));

test("select_client comes with a key that lists the clients and nothing else yet", async () => {
  const reply = await login({ provider: "canal_pa", username: "newkey", password: "s3creto", company_code: "7701" });
  expect(reply).toEqual({ http: 200, body: { status: "select_client", key: expect.any(String) } });
  expect(await get(`/client/?key=${reply.body.key}`)).toEqual({
    http: 200,
    body: { status: "success", clients: { 0: "First Client", 1: "Second Client" } },
  });
  expect(await destinations(reply.body.key)).toEqual(invalidKey);
});

test("choosing a client may give a new key, which replaces the old one", async () => {
  const key = await begin("newkey");
  const chosen = await get(`/client/1/?key=${key}`);
  expect(chosen).toEqual({ http: 200, body: { status: "success", key: expect.any(String) } });
  expect(chosen.body.key).not.toBe(key);
  expect(await destinations(key)).toEqual(invalidKey);
  expect((await destinations(chosen.body.key)).body["destinations"]).toEqual([
    { id: 71, name: "Banco Esclusa" },
    { id: 72, name: "Caja Istmo" },
  ]);
});

test("there may be nobody to choose", async () => {
  const key = await begin("empty");
  expect(await get(`/client/?key=${key}`)).toEqual({ http: 200, body: { status: "success", clients: {} } });
  expect(await get(`/client/0/?key=${key}`)).toEqual(wrongClient);
});

test.each(["2", "FIC-02412222", "__proto__", "%00", "%ZZ"])("a wrong client %s changes nothing", async (id) => {
  const key = await begin("samekey");
  expect(await get(`/client/${id}/?key=${key}`)).toEqual(wrongClient);
  expect(await destinations(key)).toEqual(invalidKey);
  expect(await get(`/client/1/?key=${key}`)).toEqual(success);
});

test("a session of a user without clients lists none", async () => {
  const key = readKey(await login({ provider: "faro_uy", username: "plain", password: "s3creto" }));
  expect(await get(`/client/?key=${key}`)).toEqual({ http: 200, body: { status: "success", clients: {} } });
  expect(await get(`/client/0/?key=${key}`)).toEqual(wrongClient);
});
