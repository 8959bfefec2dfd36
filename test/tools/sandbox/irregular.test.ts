import { expect, test } from "vitest";
import { newConversation, readKey } from "./conversation.ts";

const password = "s3creto";
const { login, destinations, get } = newConversation();
const loggedIn = { http: 200, body: { status: "logged_in" } };
const notSent = { http: 400, body: { status: "error", code: "B1003" } };
const wrong = { http: 403, body: { status: "wrong_credentials" } };

const both = { provider: "cerrojo_sv", username: "both", password };

test("a bank may ask for several fields at once: `field` is a list", async () => {
  expect(await login(both)).toEqual({
    http: 200,
    body: {
      status: "interaction_required",
      key: expect.any(String),
      context: "Código por SMS y clave del token",
      field: ["otp", "token"],
    },
  });
});

test.each([
  ["both right answers log in", { otp: "161803", token: "314159" }, loggedIn],
  ["without the second one it has no answer", { otp: "161803" }, notSent],
  ["without the first one it has no answer", { token: "314159" }, notSent],
  ["with a wrong second one it is refused", { otp: "161803", token: "161803" }, wrong],
  ["with a wrong first one it is refused", { otp: "314159", token: "314159" }, wrong],
])("of several fields: %s", async (_, answers, expected) => {
  expect(await login({ ...both, ...answers }, readKey(await login(both)))).toMatchObject(expected);
});

test.each([
  ["nofield", { context: "Enviamos un código a su correo" }],
  ["nullfield", { context: "Enviamos un código a su correo", field: null }],
  ["object", { context: { text: "Enviamos un código a su correo" }, field: "otp" }],
])("%s: the bank has sent its code, and takes it", async (username, members) => {
  const form = { provider: "silencio_ni", username, password };
  const asked = await login(form);
  expect(asked.body).toEqual({ status: "interaction_required", key: expect.any(String), ...members });
  expect(await login({ ...form, otp: "271828" }, readKey(asked))).toMatchObject(loggedIn);
});

test.each(["12345pq answers with prometeo", "12345pq answers with 8888"])("%s", async (what) => {
  const [username = "", answer = ""] = what.split(" answers with ");
  const form = { provider: "test", username, password: "asdfg" };
  const asked = await login(form);
  expect(asked.body["context"]).toBe("Nombre de la empresa más grande de OpenBanking en LATAM");
  expect(await login({ ...form, personal_question: answer }, readKey(asked))).toMatchObject(loggedIn);
});

test("an approval in the app comes under the field of a code: any value goes on, and none does not", async () => {
  const form = { provider: "mirador_gt", username: "approve", password };
  const key = readKey(await login(form));
  expect(await login(form, key)).toMatchObject(notSent);
  expect(await login({ ...form, otp: "true" }, key)).toMatchObject(loggedIn);
});

test("one element of each list may be bad, and the others are as the contract shows", async () => {
  const { body } = await get("/provider/grieta_hn/");
  const { auth_fields, account_type } = body["provider"] as Record<string, { name: unknown }[]>;
  expect(auth_fields?.map(({ name }) => name)).toEqual(["username", "password", "branch", "company_code"]);
  expect(auth_fields?.at(-1)).toMatchObject({ interactive: "false", default: 1 });
  expect(account_type?.map(({ name }) => name)).toEqual(["pers", null]);
  const key = readKey(await login({ provider: "grieta_hn", username: "plain", password }));
  expect((await destinations(key)).body["destinations"]).toEqual([
    { id: 201, name: "Banco Roca" },
    { id: "doscientos", name: "Banco Fisura" },
    { id: 203, name: null },
  ]);
});

test("a bank without transfers says that, and lists no destinations", async () => {
  const { body } = await get("/provider/silencio_ni/");
  expect(body["provider"]).toMatchObject({ methods: { accounts: true, transfers: false } });
});
