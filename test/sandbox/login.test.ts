import { describe, expect, test } from "vitest";
import { newConversation, readKey, UUID } from "./conversation.ts";

const password = "s3creto";
const { login } = newConversation();

test("what a login and an interaction bring, to the letter", async () => {
  const form = { provider: "test", username: "12345otp", password: "asdfg" };
  const key = expect.stringMatching(UUID);
  const required = await login(form);
  expect(required).toEqual({
    http: 200,
    body: { status: "interaction_required", key, context: "OTP required", field: "otp" },
  });
  expect(await login({ ...form, otp: "8888" }, readKey(required))).toEqual({
    http: 200,
    body: { status: "logged_in", key },
  });
});

describe("a first login", () => {
  const plain = { provider: "faro_uy", username: "plain", password };
  const missing = { http: 400, body: { status: "missing_credentials" } };
  const wrong = { http: 403, body: { status: "wrong_credentials", message: "Invalid credentials" } };

  test("with a wrong password, or of a user nobody knows, gives no key", async () => {
    expect(await login({ ...plain, password: "guess" })).toEqual(wrong);
    expect(await login({ ...plain, username: "nobody" })).toEqual(wrong);
    expect(await login({ ...plain, username: "__proto__", password: "\0" })).toEqual(wrong);
  });

  test("may meet wrong credentials without a message", async () => {
    const bare = { provider: "minimo_bo", username: "plain", password: "guess", document_number: "4455667" };
    expect(await login(bare)).toEqual({ http: 403, body: { status: "wrong_credentials" } });
  });

  test("may meet wrong credentials with HTTP 200 and a message", async () => {
    expect(await login({ provider: "bahia_es", username: "plain", password: "guess" })).toEqual({
      http: 200,
      body: { status: "wrong_credentials", message: "Usuario o contraseña incorrectos" },
    });
  });

  test.each(["provider", "username", "password"])("without %s misses credentials", async (name) => {
    expect(await login({ ...plain, [name]: "" })).toEqual(missing);
    expect(await login(Object.fromEntries(Object.entries(plain).filter(([field]) => field !== name)))).toEqual(missing);
  });

  test.each(["nobody", "__proto__", "Faro_UY", "faro\0uy"])("at an unknown provider %j says so", async (provider) => {
    expect(await login({ ...plain, provider })).toEqual({ http: 404, body: { status: "provider_doesnt_exist" } });
  });

  test("ignores fields that nobody asked for", async () => {
    const reply = await login({ ...plain, ["__proto__"]: "x", constructor: "y", otp: "1" });
    expect(reply.body.status).toBe("logged_in");
  });

  test("needs the bank's own fields, the right ones", async () => {
    const company = { provider: "canal_pa", username: "newkey", password };
    expect(await login(company)).toEqual(missing);
    expect(await login({ ...company, company_code: "0" })).toEqual(wrong);
    expect((await login({ ...company, company_code: "7701" })).body.status).toBe("select_client");
  });

  test("needs a field that says nothing about being optional", async () => {
    const minimal = { provider: "minimo_bo", username: "plain", password };
    expect(await login(minimal)).toEqual(missing);
    expect((await login({ ...minimal, document_number: "4455667" })).body.status).toBe("logged_in");
  });

  test("needs a choice even where the form offers a default, and one of the choices", async () => {
    const choice = { provider: "ipe_br", username: "plain", password };
    expect(await login(choice)).toEqual(missing);
    expect(await login({ ...choice, type: "corp" })).toEqual(wrong);
    expect(await login({ ...choice, type: "toString" })).toEqual(wrong);
    expect((await login({ ...choice, type: "pers" })).body.status).toBe("logged_in");
    expect((await login({ provider: "ceibo_ar", username: "personal", password, type: "pers" })).body.status).toBe(
      "logged_in",
    );
  });

  test("needs dependent choices that fit together", async () => {
    const local = { provider: "puente_co", username: "local", password };
    expect((await login({ ...local, country_code: "CO", type: "cc" })).body.status).toBe("logged_in");
    expect(await login({ ...local, country_code: "CO", type: "ci" })).toEqual(wrong);
    expect(await login({ ...local, country_code: "VE", type: "cc" })).toEqual(wrong);
    const foreign = { ...local, username: "foreign", country_code: "VE", type: "ci" };
    expect((await login(foreign)).body.status).toBe("logged_in");
  });

  test("may leave out an optional field, not get it wrong", async () => {
    const optional = { provider: "cordillera_cl", username: "plain", password };
    expect((await login(optional)).body.status).toBe("logged_in");
    expect((await login({ ...optional, document_number: "12345678-5" })).body.status).toBe("logged_in");
    expect(await login({ ...optional, document_number: "1" })).toEqual(wrong);
  });

  test("accepts any of the choices of a text field, and none outside", async () => {
    const branch = { provider: "rareza_do", username: "branch", password };
    expect((await login({ ...branch, branch: "north" })).body.status).toBe("logged_in");
    expect(await login({ ...branch, branch: "west" })).toEqual(wrong);
  });
});

test.each([
  ["faro_uy", "blocked", 403, { status: "user_blocked" }],
  ["niebla_py", "plain", 503, { status: "provider_unavailable" }],
  ["rareza_do", "novelty", 200, { status: "under_review" }],
  ["rareza_do", "notyet", 501, { status: "not_implemented" }],
  ["rareza_do", "params", 400, { status: "missing_params" }],
  ["rareza_do", "unauthorized", 403, { status: "error", message: "Unauthorized provider" }],
  ["bahia_es", "renew", 403, { status: "error", code: "B1008", message: "Must change password" }],
  ["rareza_do", "credentials", 403, { status: "error", code: "B1001", message: "Invalid credentials" }],
  ["rareza_do", "broken", 502, { status: "error", code: "B1007", message: "Provider login failed" }],
  ["rareza_do", "locked", 403, { status: "error", code: "B1011", message: "User blocked" }],
])("%s/%s is refused", async (provider, username, http, body) => {
  const reply = await login({ provider, username, password });
  expect(reply.http).toBe(http);
  expect(reply.body).toMatchObject(body);
  expect(reply.body).not.toHaveProperty("key");
  if ("code" in body)
    expect(Object.keys(reply.body).sort()).toEqual(["code", "description", "message", "status", "type"]);
});
