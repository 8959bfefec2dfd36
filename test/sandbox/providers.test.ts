import { expect, test } from "vitest";
import { newConversation, type Reply } from "./conversation.ts";

const { get } = newConversation();

interface Field {
  readonly name: string;
  readonly type: string;
  readonly choices?: readonly { readonly name: string }[];
  readonly default?: string;
}

interface Provider {
  readonly auth_fields: readonly Field[];
  readonly account_type: readonly unknown[];
}

const readProvider = ({ body }: Reply) => body["provider"] as Provider;

const findChoices = (reply: Reply, name: string) =>
  readProvider(reply)
    .auth_fields.find((field) => field.name === name)
    ?.choices?.map((choice) => choice.name);

test("the list names every provider with its code, country and name, and nothing else", async () => {
  const { http, body } = await get("/provider/");
  const providers = body["providers"] as { code: string; country: string; name: string }[];
  expect(http).toBe(200);
  expect(body.status).toBe("success");
  expect(providers).toContainEqual({ code: "faro_uy", country: "UY", name: "Banco Faro" });
  for (const provider of providers) {
    expect(Object.keys(provider).sort()).toEqual(["code", "country", "name"]);
    expect(provider.code).toMatch(/^[a-z_]+$/);
    expect(provider.country).toMatch(/^[A-Z]{2}$/);
  }
  expect(providers.map(({ code }) => code)).toEqual(
    expect.arrayContaining(["test", "brou_pers_uy_mock", "bcp_pers_pe_mock"]),
  );
  expect(new Set(providers.map(({ country }) => country)).size).toBeGreaterThanOrEqual(7);
});

test("a provider tells its login fields, account types and logo", async () => {
  expect(await get("/provider/brou_pers_uy_mock/")).toEqual({
    http: 200,
    body: {
      status: "success",
      provider: {
        name: "BROU Personas (simulado)",
        country: "UY",
        auth_fields: [
          {
            name: "username",
            type: "text",
            interactive: false,
            optional: false,
            label_en: "User name",
            label_es: "Usuario",
          },
          {
            name: "password",
            type: "password",
            interactive: false,
            optional: false,
            label_en: "Password",
            label_es: "Contraseña",
          },
          { name: "token", type: "password", interactive: true, optional: false, label_en: "Token", label_es: "Token" },
        ],
        account_type: [{ name: "pers", label_en: "Personal", label_es: "Personal" }],
        logo: "https://example.com/logos/brou_pers_uy_mock.svg",
      },
    },
  });
});

test("a provider may declare two interactive fields", async () => {
  const interactive = readProvider(await get("/provider/quetzal_mx/")).auth_fields.filter(
    (field) => "interactive" in field && field.interactive,
  );
  expect(interactive.map(({ name }) => name)).toEqual(["otp", "personal_question"]);
});

test("a choice comes with a default at one bank and without at another", async () => {
  const readField = async (code: string) =>
    readProvider(await get(`/provider/${code}/`)).auth_fields.find(({ name }) => name === "type");
  const withDefault = await readField("ipe_br");
  const without = await readField("ceibo_ar");
  expect(withDefault).toMatchObject({ type: "choice", default: "pers" });
  expect(without).toMatchObject({
    type: "choice",
    choices: [
      { name: "pers", label_en: "Personal", label_es: "Personal" },
      { name: "corp", label_en: "Company", label_es: "Empresa" },
    ],
  });
  expect(without).not.toHaveProperty("default");
});

test("a field that is no choice may carry choices", async () => {
  const reply = await get("/provider/rareza_do/");
  expect(findChoices(reply, "branch")).toEqual(["north", "south"]);
  expect(readProvider(reply).auth_fields.at(-1)?.type).toBe("text");
});

test("dependent choices are all there until a choice narrows them", async () => {
  expect(findChoices(await get("/provider/puente_co/"), "type")).toEqual(["cc", "ci", "pp"]);
  expect(findChoices(await get("/provider/puente_co/?key=country_code&value=CO"), "type")).toEqual(["cc", "pp"]);
  expect(findChoices(await get("/provider/puente_co/?key=country_code&value=VE"), "type")).toEqual(["ci", "pp"]);
  expect(findChoices(await get("/provider/puente_co/?key=country_code&value=VE"), "country_code")).toEqual([
    "CO",
    "VE",
  ]);
  expect(await get("/provider/puente_co/?key=country_code&value=CO")).not.toHaveProperty(
    "body.provider.auth_fields.3.narrowedBy",
  );
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
    methods: { accounts: true, movements: true, transfers: false },
    endpoints_status: { login: "up", transfer: "up" },
  });
  expect(readProvider(await get("/provider/ceibo_ar/"))).toMatchObject({ methods: null, endpoints_status: null });
  expect(Object.keys(readProvider(await get("/provider/minimo_bo/"))).sort()).toEqual([
    "account_type",
    "auth_fields",
    "country",
    "logo",
    "name",
  ]);
});

test("a field may come without `optional` and labels, a provider without account types", async () => {
  expect(readProvider(await get("/provider/minimo_bo/"))).toMatchObject({
    auth_fields: [{ name: "document_number", type: "text", interactive: false }],
    account_type: [],
  });
});

test.each([
  "nobody",
  "FARO_UY",
  "__proto__",
  "constructor",
  "%00",
  "%ZZ",
  "%E0%A4%A",
  "a%2Fb",
  "ñandú_🐦",
  "%F0%9F%90",
])("there is no provider %s", async (code) => {
  expect(await get(`/provider/${code}/`)).toEqual({ http: 404, body: { status: "provider_doesnt_exist" } });
});
