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

test("2.2 name is the provider's name", async () => {
  expect((await readByHand()).name).toBe("Banco Azul");
  expect((await readFromSandbox("faro_uy")).name).toBe("Banco Faro");
});

test("2.2 country is the provider's country", async () => {
  expect((await readByHand()).country).toBe("UY");
  expect((await readFromSandbox("quetzal_mx")).country).toBe("MX");
});

test("2.2 auth_fields are the fields needed to authenticate, in the service's order", async () => {
  const names = ["username", "password", "type", "personal_question"];
  expect((await readByHand()).auth_fields.map(({ name }) => name)).toEqual(names);
  const sandboxNames = (await theSandboxFields("brou_pers_uy_mock")).map(({ name }) => name);
  expect(sandboxNames).toEqual(["username", "password", "token"]);
});

test("2.2 account_type are the account types that the provider operates with", async () => {
  expect((await readByHand()).account_type).toEqual(byHand.account_type);
  const sandboxTypes = (await readFromSandbox("canal_pa")).account_type.map(({ name }) => name);
  expect(sandboxTypes).toEqual(["corp", "smes"]);
});

test("2.2 logo is the address of the provider's logo", async () => {
  expect((await readByHand()).logo).toBe("https://bank.example/logo.svg");
  expect((await readFromSandbox("test")).logo).toBe("https://example.com/logos/test.svg");
});

test("2.2 the response carries a top-level status, success", async () => {
  const { client } = await bankThatSays({ json: { status: "success", provider: byHand } });
  expect((await client.getProvider("bancoazul")).status).toBe("success");
  expect((await sandbox.getProvider("test")).status).toBe("success");
});

describe("2.2 an auth field", () => {
  test("name is the field to send", async () => {
    expect((await readByHand()).auth_fields[0]?.name).toBe("username");
  });

  test.each([
    ["username", "text"],
    ["password", "password"],
    ["type", "choice"],
  ])("type of %s is %s", async (name, type) => {
    expect((await readByHand()).auth_fields.find((field) => field.name === name)?.type).toBe(type);
    expect((await theSandboxFields("ceibo_ar")).find((field) => field.name === name)?.type).toBe(type);
  });

  test("interactive true is sent only in a second login, false in the first", async () => {
    expect((await readByHand()).auth_fields.map(({ interactive }) => interactive)).toEqual([false, false, false, true]);
    const fromSandbox = (await theSandboxFields("brou_pers_uy_mock")).map(({ interactive }) => interactive);
    expect(fromSandbox).toEqual([false, false, true]);
  });

  test("optional tells whether the field may be omitted", async () => {
    expect((await readByHand()).auth_fields.map(({ optional }) => optional)).toEqual([false, false, true, false]);
    const otp = (await theSandboxFields("faro_uy")).find(({ name }) => name === "otp");
    expect(otp?.optional).toBe(true);
  });

  test("label_en and label_es describe it in English and Spanish", async () => {
    expect((await readByHand()).auth_fields[0]).toMatchObject({ label_en: "User", label_es: "Usuario" });
    const password = (await theSandboxFields("test")).find(({ name }) => name === "password");
    expect(password).toMatchObject({ label_en: "Password", label_es: "Contraseña" });
  });
});

describe("2.2 an account type", () => {
  test.each(["pers", "corp", "smes"])("name can be %s", async (name) => {
    expect((await readByHand()).account_type.map((type) => type.name)).toContain(name);
  });

  test("label_en and label_es describe it in English and Spanish", async () => {
    const smes = { name: "smes", label_en: "Small and medium enterprises", label_es: "Pequeñas y medianas empresas" };
    expect((await readByHand()).account_type[2]).toEqual(smes);
    expect((await readFromSandbox("canal_pa")).account_type[1]).toEqual(smes);
  });
});
