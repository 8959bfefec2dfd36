import { reveal } from "ventanilla";
import { describe, expect, test } from "vitest";
import { clientThatReads, FORM, SESSION_KEY } from "../core/api/local-bank.ts";
import { keyIn, known, readProvider, sandbox } from "./sandbox.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

test("2.1 the members of a list entry refer to the bank, and code is the value sent as provider at login", async () => {
  const listed = await sandbox.listProviders();
  if (listed.status !== "success") expect.fail(listed.status);
  const entry = listed.providers.find(({ name }) => name === "BCP Personas (simulado)");
  expect(entry).toEqual({ code: "bcp_pers_pe_mock", country: "PE", name: "BCP Personas (simulado)" });
  const response = await sandbox.login(known(entry?.code ?? "", "12345", "asdfg"));
  expect(response.status).toBe("interaction_required");
});

describe("2.2 a provider's detail", () => {
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

  test("2.2 is read to the letter, beside a top-level status, success", async () => {
    const client = clientThatReads({ json: { status: "success", provider: byHand } });
    expect(await client.getProvider("bancoazul")).toEqual({ status: "success", provider: byHand, skipped: 0 });
  });

  test.each([
    ["name is the provider's name", "faro_uy", { name: "Banco Faro" }],
    ["country is the provider's country", "quetzal_mx", { country: "MX" }],
    ["logo is the address of the provider's logo", "test", { logo: "https://example.com/logos/test.svg" }],
    ["account_type are the types that it operates with", "canal_pa", { account_type: byHand.account_type.slice(1) }],
    [
      "auth_fields are what is needed, in order; interactive ones are for a second login",
      "brou_pers_uy_mock",
      {
        auth_fields: [
          { name: "username", interactive: false },
          { name: "password", interactive: false },
          { name: "token", interactive: true },
        ],
      },
    ],
  ])("2.2 %s", async (_, code, expected) => {
    expect(await readProvider(code)).toMatchObject(expected);
  });

  test.each([
    ["type is a kind of text", "ceibo_ar", "username", { type: "text" }],
    ["type is a password", "ceibo_ar", "password", { type: "password" }],
    ["type is choice", "ceibo_ar", "type", { type: "choice" }],
    ["optional tells whether it may be omitted", "faro_uy", "otp", { optional: true }],
    ["it has labels in two languages", "test", "password", { label_en: "Password", label_es: "Contraseña" }],
  ])("2.2 an auth field: %s", async (_, code, name, expected) => {
    const { auth_fields } = await readProvider(code);
    expect(auth_fields.find((field) => field.name === name)).toMatchObject(expected);
  });
});

describe("2.3 a login response", () => {
  test("2.3 and 5.2 key is the session key, UUID-shaped in the sandbox, and handed out as a secret", async () => {
    const key = keyIn(await sandbox.login(known("test", "12345", "gfdsa")));
    expect(String(key)).toBe("[secret]");
    expect(reveal(key)).toMatch(UUID);
    const client = clientThatReads({ json: { status: "logged_in", key: SESSION_KEY } });
    expect(reveal(keyIn(await client.login(FORM)))).toBe(SESSION_KEY);
  });

  test("2.3 key, context and the name of the interactive field come with interaction_required", async () => {
    const otp = await sandbox.login(known("test", "12345otp", "asdfg"));
    expect(otp).toMatchObject({ status: "interaction_required", context: "OTP required", field: "otp" });
    expect(reveal(keyIn(otp))).toMatch(UUID);
    expect(await sandbox.login(known("test", "12345pq", "asdfg"))).toMatchObject({ field: "personal_question" });
    const byHand = { context: "¿Cuál fue su primera mascota? 🐕", field: "personal_question" };
    const client = clientThatReads({ json: { status: "interaction_required", key: SESSION_KEY, ...byHand } });
    expect(await client.login(FORM)).toMatchObject(byHand);
  });
});

describe("2.4 a transfer destination", () => {
  test("2.4 id identifies the institution, as an integer, and name is its name", async () => {
    const byHand = { status: "success", destinations: [{ id: 84, name: "Banco Azul" }], skipped: 0 };
    const client = clientThatReads({ json: byHand });
    expect(await client.listTransferDestinations(SESSION_KEY)).toEqual(byHand);
  });

  test.each([
    [
      known("faro_uy", "plain"),
      [
        { id: 101, name: "Banco Gaviota" },
        { id: 102, name: "Caja del Puerto" },
      ],
    ],
    [known("bahia_es", "plain"), [{ id: 2100, name: "Caja Marisma" }]],
  ])("2.4 institutions and their names differ between banks: those of $0.provider", async (form, destinations) => {
    const key = keyIn(await sandbox.login(form));
    expect(await sandbox.listTransferDestinations(key)).toEqual({ status: "success", destinations, skipped: 0 });
  });
});
