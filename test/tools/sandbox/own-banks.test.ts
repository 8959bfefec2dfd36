import { createSandbox, type SandboxBank } from "ventanilla/sandbox";
import { expect, test } from "vitest";
import type { SandboxBankAccount } from "../../../src/tools/sandbox/own-banks.ts";
import { newConversation, readKey } from "./conversation.ts";

const user = { username: "ana", password: "abc" } satisfies SandboxBankAccount;
const bank: SandboxBank = { code: "mi_banco", country: "UY", name: "Mi Banco", accounts: [user] };
const credentials = { provider: "mi_banco", ...user };
const loggedIn = { http: 200, body: { status: "logged_in" } };

test("a bank of your own is listed, read and logged in at, beside those of the sandbox", async () => {
  const { get, login, destinations } = newConversation({
    banks: [{ ...bank, destinations: [{ id: 7, name: "Otro" }] }],
  });
  const providers = (await get("/provider/")).body["providers"];
  expect(providers).toContainEqual({ code: "mi_banco", country: "UY", name: "Mi Banco" });
  expect(providers).toContainEqual({ code: "test", country: "UY", name: "Banco de prueba" });
  const { body } = await get("/provider/mi_banco/");
  expect(body["provider"]).toMatchObject({
    auth_fields: [
      { name: "username", interactive: false },
      { name: "password", interactive: false },
    ],
    account_type: [],
  });
  expect(await login({ ...credentials, password: "x" })).toMatchObject({ body: { status: "wrong_credentials" } });
  const reply = await login(credentials);
  expect(reply).toMatchObject(loggedIn);
  expect((await destinations(readKey(reply))).body["destinations"]).toEqual([{ id: 7, name: "Otro" }]);
  expect((await newConversation().get("/provider/mi_banco/")).http).toBe(404);
});

test("its fields, questions and clients come in turn", async () => {
  const { get, login } = newConversation({
    banks: [
      {
        ...bank,
        auth_fields: [
          { name: "username", type: "text", interactive: false },
          { name: "password", type: "password", interactive: false },
          { name: "branch", type: "text", interactive: false },
          { name: "otp", type: "text", interactive: true },
          { name: "token", type: "text", interactive: true },
        ],
        accounts: [
          {
            ...user,
            fields: { branch: "9" },
            answers: [
              { field: "otp", context: "Código", answer: "1" },
              { field: "otp", context: "Otro código", answer: "2", together: { token: "3" } },
            ],
            clients: { 5: "Cinco" },
          },
        ],
      },
    ],
  });
  expect(await login(credentials)).toEqual({ http: 400, body: { status: "missing_credentials" } });
  expect(await login({ ...credentials, branch: "8" })).toMatchObject({ body: { status: "wrong_credentials" } });
  const form = { ...credentials, branch: "9" };
  const first = await login(form);
  expect(first.body).toMatchObject({ status: "interaction_required", context: "Código", field: "otp" });
  const key = readKey(first);
  expect((await login({ ...form, otp: "1" }, key)).body).toMatchObject({ field: ["otp", "token"] });
  expect((await login({ ...form, otp: "2", token: "3" }, key)).body).toMatchObject({ status: "select_client" });
  expect((await get(`/client/?key=${key}`)).body["clients"]).toEqual({ 5: "Cinco" });
});

test("a user may be refused, and a bank of the sandbox may be replaced", async () => {
  const accounts = [{ ...user, refusal: { http: 403, body: { status: "user_blocked" } } }];
  const { get, login } = newConversation({ banks: [{ ...bank, code: "test", accounts }] });
  expect(await login({ ...credentials, provider: "test" })).toEqual({ http: 403, body: { status: "user_blocked" } });
  const providers = (await get("/provider/")).body["providers"] as { code: string }[];
  expect(providers.filter(({ code }) => code === "test")).toEqual([{ code: "test", country: "UY", name: "Mi Banco" }]);
});

const withUser = (more: object) => [{ ...bank, accounts: [{ ...user, ...more }] }];

test.each<[field: string, banks: unknown]>([
  ["banks", {}],
  ["banks.0", ["mi_banco"]],
  ["banks.1.code", [bank, { ...bank, code: "Mi Banco" }]],
  ["banks.0.country", [{ ...bank, country: "Uruguay" }]],
  ["banks.0.name", [{ ...bank, name: undefined }]],
  ["banks.0.fields", [{ ...bank, fields: [] }]],
  ["banks.0.auth_fields.0.interactive", [{ ...bank, auth_fields: [{ name: "otp", type: "text" }] }]],
  ["banks.0.account_type.0.name", [{ ...bank, account_type: [{ name: "vip", label_en: "", label_es: "" }] }]],
  ["banks.0.destinations.0.id", [{ ...bank, destinations: [{ id: "7", name: "Otro" }] }]],
  ["banks.0.accounts", [{ ...bank, accounts: undefined }]],
  ["banks.0.accounts.0.password", withUser({ password: "" })],
  ["banks.0.accounts.0.refusal.body.status", withUser({ refusal: { body: {} } })],
  ["banks.0.accounts.0.refusal.http", withUser({ refusal: { http: 99, body: { status: "user_blocked" } } })],
  ["banks.0.accounts.0.fields.branch", withUser({ fields: { branch: "9" } })],
  ["banks.0.accounts.0.answers.0.field", withUser({ answers: [{ field: "otp", context: "", answer: "1" }] })],
])("what is wrong at %s is refused, and named", (field, banks) => {
  const refusal = expect.objectContaining({ name: "BankError", code: "invalid_input", field });
  expect(() => createSandbox({ banks: banks as SandboxBank[] })).toThrow(refusal);
});

test("an unknown option is refused by its name", () => {
  expect(() => createSandbox({ bank: [] } as object)).toThrow(
    expect.objectContaining({ code: "invalid_input", field: "bank" }),
  );
});
