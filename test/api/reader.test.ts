import type { BankClient } from "ventanilla";
import { describe, expect, test } from "vitest";
import { expectedSecret } from "../bank/service.ts";
import { clientThatReads, FORM, SESSION_KEY } from "./server.ts";

async function providerRead(provider: unknown) {
  const client = clientThatReads({ json: { status: "success", provider } });
  const response = await client.getProvider("test");
  return response.status === "success" ? response.provider : expect.fail(response.status);
}

describe("unknown members are kept", () => {
  test("on a provider of the list", async () => {
    const providers = [{ code: "a", country: "UY", name: "A", logo: "https://a.example/", methods: { login: true } }];
    const client = clientThatReads({ json: { status: "success", providers } });
    expect(await client.listProviders()).toEqual({ status: "success", providers });
  });

  test("on a provider's detail and everything in it", async () => {
    const extra = { since: 2019, more: { deep: [null] } };
    const labels = { label_en: "E", label_es: "S" };
    const provider = {
      name: "A",
      country: "UY",
      auth_fields: [
        {
          name: "type",
          type: "choice",
          interactive: false,
          optional: true,
          ...labels,
          choices: [{ name: "1", ...labels, ...extra }],
          default: "1",
          ...extra,
        },
      ],
      account_type: [{ name: "pers", ...labels, ...extra }],
      logo: "https://a.example/",
      aliases: ["a", "b"],
      bank: { code: "a", name: "A", logo: "https://a.example/" },
      methods: null,
      endpoints_status: { login: "up" },
    };
    expect(await providerRead(provider)).toEqual(provider);
    const { aliases: _, bank: __, methods: ___, endpoints_status: ____, ...bare } = provider;
    expect(await providerRead(bare)).toEqual(bare);
  });

  test("on a transfer destination", async () => {
    const destinations = [{ id: 1, name: "A", swift: "AAAAUYMM" }];
    const client = clientThatReads({ json: { status: "success", destinations } });
    expect(await client.listTransferDestinations(SESSION_KEY)).toEqual({ status: "success", destinations });
  });

  test("but not at the top level of a response", async () => {
    const more = { request_id: "r-1", key: "k", meta: {} };
    const client = clientThatReads(
      { json: { ...more, status: "success", providers: [] } },
      { json: { ...more, status: "logged_out" } },
      { json: { ...more, status: "select_client", key: null, context: "?", field: "otp" } },
    );
    expect(await client.listProviders()).toEqual({ status: "success", providers: [] });
    expect(await client.logout(SESSION_KEY)).toEqual({ status: "logged_out" });
    expect(await client.login(FORM)).toEqual({ status: "select_client" });
  });
});

describe("members that are absent", () => {
  test("on a provider of the list", async () => {
    const bare = { code: "a", name: "A" };
    const client = clientThatReads({ json: { status: "success", providers: [bare, { ...bare, country: null }] } });
    const read = { ...bare, country: "" };
    expect(await client.listProviders()).toEqual({ status: "success", providers: [read, read] });
  });

  test("on a provider's detail", async () => {
    const read = await providerRead({ name: "A", auth_fields: [{ name: "otp" }] });
    expect(read).toEqual({
      name: "A",
      country: "",
      auth_fields: [{ name: "otp", type: "text", interactive: false, optional: false }],
      account_type: [],
    });
    expect(read).not.toHaveProperty("logo");
    for (const absent of ["label_en", "label_es", "choices", "default"]) {
      expect(read.auth_fields[0]).not.toHaveProperty(absent);
    }
  });

  test("on account types and choices", async () => {
    const bare = { name: "A", country: "UY", account_type: [{ name: "corp" }] };
    const field = { name: "type", type: "choice", interactive: false, optional: false, choices: [{ name: "1" }] };
    const read = await providerRead({ ...bare, auth_fields: [field] });
    expect(read).toEqual({ ...bare, auth_fields: [field] });
  });

  test("on an interaction: its context and key", async () => {
    const client = clientThatReads(
      { json: { status: "interaction_required", field: "otp" } },
      { json: { status: "interaction_required", field: "otp", context: null, key: null } },
    );
    const bare = { status: "interaction_required", field: "otp", context: "" };
    expect(await client.login(FORM)).toEqual(bare);
    expect(await client.login(FORM)).toEqual(bare);
  });
});

describe("the choices of a field", () => {
  const choices = [
    { name: "1", label_en: "One", label_es: "Uno" },
    { name: "2", label_en: "Two", label_es: "Dos" },
  ];
  const field = { name: "kind", interactive: false, optional: false };

  test.each(["choice", "text", "password", "select"])("are kept for type %s", async (type) => {
    const auth_fields = [{ ...field, type, choices }];
    expect((await providerRead({ name: "A", auth_fields })).auth_fields).toEqual(auth_fields);
  });

  test("may come with a default, without one, be null or absent", async () => {
    const auth_fields = [
      { ...field, type: "choice", choices, default: "2" },
      { ...field, type: "choice", choices },
      { ...field, type: "choice", choices, default: null },
      { ...field, type: "text", choices: null, default: null },
      { ...field, type: "choice", choices: [] },
      { ...field, type: "choice" },
    ];
    expect((await providerRead({ name: "A", auth_fields })).auth_fields).toEqual(auth_fields);
  });
});

test("a logo can be null", async () => {
  expect(await providerRead({ name: "A", auth_fields: [], logo: null })).toMatchObject({ logo: null });
});

test.each([0, -1, 9_007_199_254_740_991])("a destination's id can be %d", async (id) => {
  const client = clientThatReads({ json: { status: "success", destinations: [{ id, name: "A" }] } });
  expect(await client.listTransferDestinations(SESSION_KEY)).toMatchObject({ destinations: [{ id }] });
});

test.each<[status: string, request: string, call: (client: BankClient) => Promise<{ readonly status: string }>]>([
  ["logged_in", "login", (client) => client.login(FORM)],
  ["select_client", "login", (client) => client.login(FORM, { key: SESSION_KEY })],
  ["success", "selectClient", (client) => client.selectClient(SESSION_KEY, "0")],
])("%s of %s brings its key, and null or nothing is none", async (status, _, call) => {
  const client = clientThatReads(
    { json: { status, key: "a key ñ" } },
    { json: { status, key: null } },
    { json: { status } },
  );
  expect(await call(client)).toEqual({ status, key: expectedSecret("a key ñ") });
  expect(await call(client)).toEqual({ status });
  expect(await call(client)).toEqual({ status });
});

describe("members that are null", () => {
  test("on a provider, its fields and their choices", async () => {
    const field = { name: "type", type: null, interactive: null, optional: null, label_en: null, label_es: null };
    const provider = {
      name: "A",
      country: null,
      auth_fields: [{ ...field, choices: null, default: null }],
      account_type: null,
      logo: null,
    };
    expect(await providerRead(provider)).toMatchObject({
      country: "",
      auth_fields: [{ name: "type", type: "text", interactive: false, optional: false, choices: null, default: null }],
      account_type: [],
      logo: null,
    });
  });
});
