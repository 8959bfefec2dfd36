import { describe, expect, test } from "vitest";
import { bankThatSays } from "../api/server.ts";
import { createSandboxClient } from "./sandbox.ts";

const sandbox = createSandboxClient();

const labels = { label_en: "in English", label_es: "en español" };

const byHand = {
  name: "Banco Azul",
  country: "UY",
  auth_fields: [
    { name: "username", type: "text", interactive: false, optional: false, label_en: "User", label_es: "Usuario" },
    { name: "password", type: "password", interactive: false, optional: false, ...labels },
    { name: "type", type: "choice", interactive: false, optional: true, ...labels },
    { name: "personal_question", type: "text", interactive: true, optional: false, ...labels },
  ],
  account_type: [
    { name: "pers", label_en: "Personal", label_es: "Personal" },
    { name: "corp", label_en: "Corporate", label_es: "Corporativa" },
    { name: "smes", label_en: "Small and medium enterprises", label_es: "Pequeñas y medianas empresas" },
  ],
  logo: "https://bank.example/logo.svg",
};

async function readByHand() {
  const { client } = await bankThatSays({ json: { status: "success", provider: byHand } });
  const answer = await client.getProvider("bancoazul");
  return answer.status === "success" ? answer.provider : expect.fail(answer.status);
}

async function readFromSandbox(code: string) {
  const answer = await sandbox.getProvider(code);
  return answer.status === "success" ? answer.provider : expect.fail(answer.status);
}

const theSandboxFields = async (code: string) => (await readFromSandbox(code)).auth_fields;

test("2.2 a whole provider is read to the letter", async () => {
  expect(await readByHand()).toEqual(byHand);
});

test.each([
  ["name is the provider's name", "faro_uy", "name", "Banco Faro"],
  ["country is the provider's country", "quetzal_mx", "country", "MX"],
  ["logo is the address of the provider's logo", "test", "logo", "https://example.com/logos/test.svg"],
] as const)("2.2 %s", async (_, code, member, expected) => {
  expect((await readFromSandbox(code))[member]).toBe(expected);
});

test("2.2 auth_fields are the fields needed to authenticate, in the service's order", async () => {
  const names = (await theSandboxFields("brou_pers_uy_mock")).map(({ name }) => name);
  expect(names).toEqual(["username", "password", "token"]);
});

test("2.2 account_type are the account types that the provider operates with", async () => {
  expect((await readFromSandbox("canal_pa")).account_type).toEqual([
    { name: "corp", label_en: "Corporate", label_es: "Corporativa" },
    { name: "smes", label_en: "Small and medium enterprises", label_es: "Pequeñas y medianas empresas" },
  ]);
});

test("2.2 the response carries a top-level status, success", async () => {
  expect((await sandbox.getProvider("test")).status).toBe("success");
});

describe("2.2 an auth field", () => {
  test.each([
    ["username", "text"],
    ["password", "password"],
    ["type", "choice"],
  ])("type of %s is %s", async (name, type) => {
    expect((await theSandboxFields("ceibo_ar")).find((field) => field.name === name)?.type).toBe(type);
  });

  test("interactive true is sent only in a second login, false in the first", async () => {
    const interactive = (await theSandboxFields("brou_pers_uy_mock")).map(({ interactive }) => interactive);
    expect(interactive).toEqual([false, false, true]);
  });

  test("optional tells whether the field may be omitted", async () => {
    const otp = (await theSandboxFields("faro_uy")).find(({ name }) => name === "otp");
    expect(otp?.optional).toBe(true);
  });

  test("label_en and label_es describe it in English and Spanish", async () => {
    const password = (await theSandboxFields("test")).find(({ name }) => name === "password");
    expect(password).toMatchObject({ label_en: "Password", label_es: "Contraseña" });
  });
});
