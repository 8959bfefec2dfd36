import { type BankClient, ContractError } from "ventanilla";
import { describe, expect, test } from "vitest";
import { readFault } from "./faults.ts";
import { clientThatReads, FORM, SESSION_KEY } from "./server.ts";

const field = { name: "otp", type: "text", interactive: true, optional: false };
const provider = { name: "A", country: "UY", auth_fields: [field], account_type: [], logo: "" };

type Case = readonly [body: Readonly<Record<string, unknown>>, member: string];

async function expectRefused(
  call: (client: BankClient) => Promise<unknown>,
  status: string,
  [body, member]: Case,
  request: string,
) {
  const client = clientThatReads({ http: 202, json: { status, ...body } });
  const error = await readFault(call(client));
  expect(error).toBeInstanceOf(ContractError);
  expect(error).toMatchObject({ code: "response_against_contract", httpStatus: 202, request, field: member });
}

describe("a response against the contract is refused and its wrong member named:", () => {
  test.each<Case>([
    [{}, "providers"],
    [{ providers: null }, "providers"],
    [{ providers: {} }, "providers"],
    [{ providers: "none" }, "providers"],
    [{ providers: [null] }, "providers.0"],
    [{ providers: ["test"] }, "providers.0"],
    [{ providers: [{ code: "a", name: "A" }, { name: "A" }] }, "providers.1.code"],
    [{ providers: [{ code: 1, name: "A" }] }, "providers.0.code"],
    [{ providers: [{ code: "a" }] }, "providers.0.name"],
    [{ providers: [{ code: "a", name: "A", country: 598 }] }, "providers.0.country"],
  ])("GET /provider/ %j", async (...row) => {
    await expectRefused((client) => client.listProviders(), "success", row, "GET /provider/");
  });

  test.each<Case>([
    [{}, "provider"],
    [{ provider: null }, "provider"],
    [{ provider: "A" }, "provider"],
    [{ provider: { ...provider, name: undefined } }, "provider.name"],
    [{ provider: { ...provider, country: 598 } }, "provider.country"],
    [{ provider: { ...provider, auth_fields: undefined } }, "provider.auth_fields"],
    [{ provider: { ...provider, auth_fields: null } }, "provider.auth_fields"],
    [{ provider: { ...provider, auth_fields: {} } }, "provider.auth_fields"],
    [{ provider: { ...provider, auth_fields: [field, "otp"] } }, "provider.auth_fields.1"],
    [{ provider: { ...provider, auth_fields: [{ ...field, name: undefined }] } }, "provider.auth_fields.0.name"],
    [{ provider: { ...provider, auth_fields: [{ ...field, type: 5 }] } }, "provider.auth_fields.0.type"],
    [
      { provider: { ...provider, auth_fields: [{ ...field, interactive: "no" }] } },
      "provider.auth_fields.0.interactive",
    ],
    [{ provider: { ...provider, auth_fields: [{ ...field, optional: 1 }] } }, "provider.auth_fields.0.optional"],
    [{ provider: { ...provider, auth_fields: [{ ...field, label_en: 5 }] } }, "provider.auth_fields.0.label_en"],
    [{ provider: { ...provider, auth_fields: [{ ...field, label_es: {} }] } }, "provider.auth_fields.0.label_es"],
    [{ provider: { ...provider, auth_fields: [{ ...field, choices: "ab" }] } }, "provider.auth_fields.0.choices"],
    [{ provider: { ...provider, auth_fields: [{ ...field, choices: ["a"] }] } }, "provider.auth_fields.0.choices.0"],
    [
      { provider: { ...provider, auth_fields: [{ ...field, choices: [{}] }] } },
      "provider.auth_fields.0.choices.0.name",
    ],
    [{ provider: { ...provider, auth_fields: [{ ...field, default: 1 }] } }, "provider.auth_fields.0.default"],
    [{ provider: { ...provider, account_type: ["pers"] } }, "provider.account_type.0"],
    [{ provider: { ...provider, account_type: [{ label_en: "x" }] } }, "provider.account_type.0.name"],
    [{ provider: { ...provider, logo: 5 } }, "provider.logo"],
  ])("GET /provider/{code}/ %j", async (...row) => {
    await expectRefused((client) => client.getProvider("a"), "success", row, "GET /provider/{code}/");
  });

  test.each<Case>([
    [{}, "destinations"],
    [{ destinations: null }, "destinations"],
    [{ destinations: [{ name: "A" }] }, "destinations.0.id"],
    [{ destinations: [{ id: "1", name: "A" }] }, "destinations.0.id"],
    [{ destinations: [{ id: 1 }] }, "destinations.0.name"],
  ])("GET /transfer/destinations %j", async (...row) => {
    const call = (client: BankClient) => client.listTransferDestinations(SESSION_KEY);
    await expectRefused(call, "success", row, "GET /transfer/destinations");
  });

  test.each<Case>([
    [{}, "clients"],
    [{ clients: null }, "clients"],
    [{ clients: "none" }, "clients"],
  ])("GET /client/ %j", async (...row) => {
    await expectRefused((client) => client.listClients(SESSION_KEY), "success", row, "GET /client/");
  });

  test.each<Case>([
    [{ key: "" }, "key"],
    [{ key: 5 }, "key"],
    [{ key: {} }, "key"],
  ])("GET /client/{id}/ %j", async (...row) => {
    await expectRefused((client) => client.selectClient(SESSION_KEY, "0"), "success", row, "GET /client/{id}/");
  });

  test.each<[string, ...Case]>([
    ["logged_in", { key: "" }, "key"],
    ["logged_in", { key: 5 }, "key"],
    ["select_client", { key: "" }, "key"],
    ["select_client", { key: false }, "key"],
    ["interaction_required", { key: "", field: "otp" }, "key"],
    ["interaction_required", { key: "k", context: "?" }, "field"],
    ["interaction_required", { key: "k", context: "?", field: "" }, "field"],
    // What the second login sends again can't be the name of the response.
    ["interaction_required", { key: "k", context: "?", field: "provider" }, "field"],
    ["interaction_required", { key: "k", context: "?", field: "username" }, "field"],
    ["interaction_required", { key: "k", context: "?", field: "password" }, "field"],
    ["interaction_required", { key: "k", context: "?", field: null }, "field"],
    ["interaction_required", { key: "k", context: 5, field: "otp" }, "context"],
  ])("POST /login/ %s %j", async (status, ...row) => {
    await expectRefused((client) => client.login(FORM), status, row, "POST /login/");
  });

  test("GET /client/ with a name that is a number", async () => {
    const client = clientThatReads({ json: { status: "success", clients: { "0": "First", "1": 2 } } });
    const error = await readFault(client.listClients(SESSION_KEY));
    expect(error).toMatchObject({ code: "response_against_contract", request: "GET /client/" });
    expect(error.field).toMatch(/^clients/);
  });
});
