import type { BankClient } from "ventanilla";
import { describe, expect, test } from "vitest";
import { expectedSecret } from "../../bank/service.ts";
import { clientThatReads, FORM, SESSION_KEY } from "./local-bank.ts";

/** Expects each of these responses to be read as this. */
async function expectRead(call: (client: BankClient) => Promise<object>, responses: readonly object[], read: object) {
  const client = clientThatReads(...responses.map((json) => ({ json })));
  for (const _ of responses) expect(await call(client)).toStrictEqual(read);
}

describe("a provider of the list", () => {
  const bare = { code: "a", name: "A", country: "" };
  test.each<[what: string, sent: object, read?: object]>([
    ["keeps unknown members", { ...bare, logo: "https://a.example/", methods: { login: true } }],
    ["needs no country", { code: "a", name: "A" }, bare],
    ["may have a country that is null", { ...bare, country: null }, bare],
  ])("%s", async (_, sent, read = sent) => {
    const list = (provider: object) => ({ status: "success", providers: [provider], skipped: 0 });
    await expectRead((client) => client.listProviders(), [list(sent)], list(read));
  });
});

describe("a provider's detail", () => {
  const labels = { label_en: "E", label_es: "S" };
  const choices = [{ name: "1", ...labels }, { name: "2" }];
  const field = { name: "kind", type: "text", interactive: false, optional: false };
  const bare = { name: "A", country: "", auth_fields: [field], account_type: [] };
  const extra = { since: 2019, more: { deep: [null] } };

  test.each<[what: string, sent: object, read?: object]>([
    ["needs no more than a name and fields with a name", { name: "A", auth_fields: [{ name: "kind" }] }, bare],
    ["needs no labels of account types", { ...bare, account_type: [{ name: "corp" }] }],
    [
      "keeps unknown members, wherever they are",
      {
        ...bare,
        ...extra,
        auth_fields: [{ ...field, ...labels, ...extra, choices: [{ name: "1", ...labels, ...extra }], default: "1" }],
        account_type: [{ name: "pers", ...labels, ...extra }],
        logo: "https://a.example/",
        methods: null,
      },
    ],
    [
      "may have members that are null",
      {
        ...{ name: "A", country: null, account_type: null, logo: null },
        auth_fields: [{ name: "kind", type: null, interactive: null, optional: null, label_en: null, choices: null }],
      },
      { ...bare, logo: null, auth_fields: [{ ...field, label_en: null, choices: null }] },
    ],
    [
      "keeps choices, whatever the type of the field and with any default",
      {
        ...bare,
        auth_fields: [
          { ...field, type: "choice", choices, default: "2" },
          { ...field, type: "password", choices },
          { ...field, type: "select", choices, default: null },
          { ...field, type: "choice", choices: [] },
          { ...field, type: "choice" },
        ],
      },
    ],
  ])("%s", async (_, sent, read = sent) => {
    const provider = (members: object) => ({ status: "success", provider: members, skipped: 0 });
    await expectRead((client) => client.getProvider("test"), [provider(sent)], provider(read));
  });
});

test.each([0, -1, 9_007_199_254_740_991])("a destination's id can be %d; unknown members are kept", async (id) => {
  const response = { status: "success", destinations: [{ id, name: "A", swift: "AAAAUYMM" }], skipped: 0 };
  await expectRead((client) => client.listTransferDestinations(SESSION_KEY), [response], response);
});

test("unknown members at the top level of a response are dropped", async () => {
  const more = { request_id: "r-1", key: "k", meta: {} };
  const providers = { status: "success", providers: [], skipped: 0 };
  await expectRead((client) => client.listProviders(), [{ ...more, ...providers }], providers);
  await expectRead((client) => client.logout("key"), [{ ...more, status: "logged_out" }], { status: "logged_out" });
  const selecting = { ...more, status: "select_client", key: null, context: "?", field: "otp" };
  await expectRead((client) => client.login(FORM), [selecting], { status: "select_client" });
});

test("an interaction needs no context and no key", async () => {
  const bare = { status: "interaction_required", field: "otp" };
  const responses = [bare, { ...bare, context: null, key: null }];
  await expectRead((client) => client.login(FORM), responses, { ...bare, context: "" });
});

test.each<[status: string, request: string, call: (client: BankClient) => Promise<object>]>([
  ["logged_in", "login", (client) => client.login(FORM)],
  ["select_client", "login", (client) => client.login(FORM, { key: SESSION_KEY })],
  ["success", "selectClient", (client) => client.selectClient(SESSION_KEY, "0")],
])("%s of %s brings its key, and null or nothing is none", async (status, _, call) => {
  await expectRead(call, [{ status, key: null }, { status }], { status });
  const sent = [
    { status, key: "a key ñ" },
    { status, session_key: "a key ñ" },
    { status, key: "a key ñ", session_key: "b" },
  ];
  await expectRead(call, sent, { status, key: expectedSecret("a key ñ") });
});
