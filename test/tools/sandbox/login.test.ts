import type { LoginResponse, RefusalStatus } from "ventanilla";
import { expect, test } from "vitest";
import { type Form, newConversation, type Reply } from "./conversation.ts";

const { login } = newConversation();
const password = "s3creto";

const missing: Reply = { http: 400, body: { status: "missing_credentials" } };
const wrong: Reply = { http: 403, body: { status: "wrong_credentials", message: "Invalid credentials" } };
const wrongInSpanish = { status: "wrong_credentials", message: "Usuario o contraseña incorrectos" };
const loggedIn: Reply = { http: 200, body: { status: "logged_in", key: expect.any(String) } };

const plain = { provider: "faro_uy", username: "plain", password };
const minimal = { provider: "minimo_bo", username: "plain", password, document_number: "4455667" };
const company = { provider: "canal_pa", username: "newkey", password };
const choice = { provider: "ipe_br", username: "plain", password };
const local = { provider: "puente_co", username: "local", password };
const optional = { provider: "cordillera_cl", username: "plain", password };
const branch = { provider: "rareza_do", username: "branch", password };

test.each<[what: string, form: Form, expected: Reply]>([
  ["with a wrong password is refused", { ...plain, password: "guess" }, wrong],
  ["of an unknown user is refused", { ...plain, username: "nobody" }, wrong],
  ["of a user with the name of an object's member is refused", { ...plain, username: "__proto__" }, wrong],
  ["needs a provider", { username: "plain", password }, missing],
  ["needs a username", { provider: "faro_uy", password }, missing],
  ["needs a password that is not empty", { ...plain, password: "" }, missing],
  ["needs the bank's own field", company, missing],
  ["needs the right value of the bank's own field", { ...company, company_code: "0" }, wrong],
  ["needs a field without `optional`", { ...minimal, document_number: "" }, missing],
  ["needs a choice even where the form offers a default", choice, missing],
  ["needs the account's choice", { ...choice, type: "corp" }, wrong],
  ["needs one of the choices", { ...choice, type: "toString" }, wrong],
  ["with dependent choices that fit goes on", { ...local, country_code: "CO", type: "cc" }, loggedIn],
  ["needs the second of two dependent choices to fit", { ...local, country_code: "CO", type: "ci" }, wrong],
  ["needs the first of two dependent choices to fit", { ...local, country_code: "VE", type: "cc" }, wrong],
  ["may leave out an optional field", optional, loggedIn],
  ["needs the right value of an optional field that is sent", { ...optional, document_number: "1" }, wrong],
  ["takes no value outside the choices of a text field", { ...branch, branch: "west" }, wrong],
  [
    "takes any of the choices where the account has none of its own",
    { ...branch, username: "novelty", branch: "x" },
    wrong,
  ],
  ["ignores unknown fields", { ...plain, ["__proto__"]: "x", constructor: "y", otp: "1" }, loggedIn],
])("a first login %s", async (_, form, expected) => {
  expect(await login(form)).toEqual(expected);
});

// A status that no bank of the sandbox has would be tried by no test.
const ends = {
  logged_in: plain,
  interaction_required: { provider: "test", username: "12345otp", password: "asdfg" },
  select_client: { ...company, company_code: "7701" },
} satisfies Record<Exclude<LoginResponse["status"], RefusalStatus>, Form>;

test.each(Object.entries(ends))("a first login can end with %s", async (status, form) => {
  expect((await login(form)).body).toMatchObject({ status });
});

test("a bank may refuse without a message, or with HTTP 200", async () => {
  const bare = { http: 403, body: { status: "wrong_credentials" } };
  expect(await login({ ...minimal, password: "guess" })).toEqual(bare);
  expect(await login({ ...plain, provider: "bahia_es", password: "guess" })).toEqual({
    http: 200,
    body: wrongInSpanish,
  });
});

test.each(["nobody", "__proto__", "Faro_UY", "faro\0uy"])(
  "a login at an unknown provider answers provider_doesnt_exist: %j",
  async (provider) => {
    expect(await login({ ...plain, provider })).toEqual({ http: 404, body: { status: "provider_doesnt_exist" } });
  },
);
