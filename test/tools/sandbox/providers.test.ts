import { createBankClient } from "ventanilla";
import { SANDBOX_API_KEY, serveSandbox } from "ventanilla/sandbox";
import { expect, onTestFinished, test } from "vitest";
import { newConversation, type Reply } from "./conversation.ts";

const { get } = newConversation();

interface Provider {
  readonly auth_fields: readonly { readonly name: string; readonly choices?: readonly { readonly name: string }[] }[];
}

const readProvider = ({ body }: Reply) => body["provider"] as Provider;
const readField = async (path: string, name: string) =>
  readProvider(await get(path)).auth_fields.find((field) => field.name === name);

/** Reads a list as the service's official SDK does: one element that breaks the contract (section 2.1) breaks the list. */
function readStrictly({ http, body }: Reply) {
  expect([http, Object.keys(body).sort(), body.status]).toEqual([200, ["providers", "status"], "success"]);
  const providers = body["providers"] as readonly Record<string, unknown>[];
  return providers.map((provider) => {
    const [code, country] = [expect.stringMatching(/^[a-z_]+$/), expect.stringMatching(/^[A-Z]{2}$/)];
    expect(provider).toEqual({ code, country, name: expect.stringMatching(/./) });
    return provider["code"];
  });
}

test("the list names every provider with its code, country and name, and nothing else", async () => {
  const codes = readStrictly(await get("/provider/"));
  expect(codes).toContain("faro_uy");
  expect(new Set(codes).size).toBe(codes.length);
});

const text = expect.any(String);
const labels = { label_en: text, label_es: text };
const strictField = { name: text, type: text, interactive: expect.any(Boolean), optional: expect.any(Boolean) };

// As strictly (section 2.2): a member that is missing or of another type breaks the detail.
test("the detail of each listed bank has every member of the contract", async () => {
  const codes = readStrictly(await get("/provider/"));
  expect(codes.length).toBeGreaterThan(15);
  for (const code of codes) {
    const { body } = await get(`/provider/${code}/`);
    const detail = body["provider"] as { auth_fields: unknown[]; account_type: unknown[] };
    expect([code, detail]).toMatchObject([code, { name: text, country: text, logo: expect.stringMatching(/^https:/) }]);
    for (const field of detail.auth_fields) expect([code, field]).toMatchObject([code, { ...strictField, ...labels }]);
    for (const type of detail.account_type) {
      expect([code, type]).toEqual([code, { name: expect.stringMatching(/^(pers|corp|smes)$/), ...labels }]);
    }
  }
});

test("the list has malformed elements on request, and the client skips those without a name", async () => {
  const options = { malformed: true };
  const reply = await newConversation(options).get("/provider/");
  expect(() => readStrictly(reply)).toThrow();
  const { url, close } = await serveSandbox(options);
  onTestFinished(close);
  const client = createBankClient({ baseUrl: url, apiKey: SANDBOX_API_KEY });
  const providers = reply.body["providers"] as readonly { readonly code: string }[];
  expect(providers.map(({ code }) => code)).toEqual(expect.arrayContaining(["minimo_bo", "grieta_hn"]));
  expect(await client.listProviders()).toMatchObject({ skipped: 1, providers: providers.slice(0, -1) });
});

const companies = [
  { name: "pers", label_en: "Personal", label_es: "Personal" },
  { name: "corp", label_en: "Company", label_es: "Empresa" },
];
const typed = { interactive: false, optional: false, ...labels };

test.each([
  ["is interactive", "brou_pers_uy_mock", "token", { ...typed, type: "password", interactive: true }],
  ["may be left out", "faro_uy", "otp", { ...typed, type: "text", interactive: true, optional: true }],
  ["is a choice without a default", "ceibo_ar", "type", { ...typed, type: "choice", choices: companies }],
  ["has a default", "ipe_br", "type", { ...typed, type: "choice", default: "pers", choices: expect.any(Array) }],
  ["has no more members than it must", "minimo_bo", "document_number", { type: "text", interactive: false }],
])("a field that %s", async (_, code, name, members) => {
  expect(await readField(`/provider/${code}/`, name)).toEqual({ name, ...members });
});

test.each([
  ["rareza_do/", "branch", ["north", "south"]],
  ["puente_co/", "type", ["cc", "ci", "pp"]],
  ["puente_co/?key=country_code&value=CO", "type", ["cc", "pp"]],
  ["puente_co/?key=country_code&value=VE", "type", ["ci", "pp"]],
  ["puente_co/?key=country_code&value=VE", "country_code", ["CO", "VE"]],
])("at %s the choices of %s are %j", async (path, name, choices) => {
  const field = await readField(`/provider/${path}`, name);
  expect(field?.choices?.map((choice) => choice.name)).toEqual(choices);
  expect(field).not.toHaveProperty("narrowedBy");
});

test.each(["?key=country_code", "?value=CO", "?key=country_code&value=XX", "?key=__proto__&value=toString"])(
  "%s narrows nothing",
  async (query) => {
    expect(await get(`/provider/puente_co/${query}`)).toEqual(await get("/provider/puente_co/"));
  },
);

test("one provider has members beyond the contract, another has them empty, a third has none", async () => {
  expect(readProvider(await get("/provider/faro_uy/"))).toMatchObject({
    aliases: ["faro", "banco_faro"],
    bank: { code: "faro", name: "Grupo Faro", logo: "https://example.com/logos/grupo-faro.svg" },
    methods: { accounts: true, accounts_movements: true, credit_cards: true, personal_info: true, transfers: true },
    endpoints_status: {
      test: [{ endpoint: "/login/", status: "ok", timestamp: expect.any(String) }],
      prod: expect.arrayContaining([{ endpoint: "/login/", status: "ok", timestamp: expect.any(String) }]),
    },
  });
  expect(readProvider(await get("/provider/ceibo_ar/"))).toMatchObject({ methods: null, endpoints_status: null });
  expect(readProvider(await get("/provider/minimo_bo/"))).toEqual({
    name: "Banco Mínimo",
    country: "BO",
    auth_fields: expect.any(Array),
    account_type: [],
    logo: "https://example.com/logos/minimo_bo.svg",
  });
});

test.each(["nobody", "FARO_UY", "__proto__", "%00", "%ZZ", "%E0%A4%A", "a%2Fb", "ñandú_🐦"])(
  "there is no provider %s",
  async (code) => {
    expect(await get(`/provider/${code}/`)).toEqual({ http: 404, body: { status: "provider_doesnt_exist" } });
  },
);
