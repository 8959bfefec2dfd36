import { ContractError } from "ventanilla";
import { describe, expect, test } from "vitest";
import { readFault } from "./faults.ts";
import { calls, clientThatReads, SESSION_KEY } from "./server.ts";

type Case = readonly [body: Readonly<Record<string, unknown>>, member: string];

async function expectRefused(request: string, status: string, [body, member]: Case) {
  const [, call] = calls.find(([name]) => name === request) ?? expect.fail(request);
  const error = await readFault(call(clientThatReads({ http: 202, json: { status, ...body } })));
  expect(error).toBeInstanceOf(ContractError);
  expect(error).toMatchObject({ code: "response_against_contract", httpStatus: 202, request, field: member });
}

const cases: readonly (readonly [request: string, cases: readonly Case[]])[] = [
  [
    "GET /provider/",
    [
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
    ],
  ],
  [
    "GET /provider/{code}/",
    [
      [{}, "provider"],
      [{ provider: null }, "provider"],
      [{ provider: "A" }, "provider"],
    ],
  ],
  [
    "GET /transfer/destinations",
    [
      [{}, "destinations"],
      [{ destinations: null }, "destinations"],
      [{ destinations: [{ name: "A" }] }, "destinations.0.id"],
      [{ destinations: [{ id: "1", name: "A" }] }, "destinations.0.id"],
      [{ destinations: [{ id: 1.5, name: "A" }] }, "destinations.0.id"],
      [{ destinations: [{ id: 1 }] }, "destinations.0.name"],
    ],
  ],
  [
    "GET /client/",
    [
      [{}, "clients"],
      [{ clients: null }, "clients"],
      [{ clients: "none" }, "clients"],
    ],
  ],
  [
    "GET /client/{id}/",
    [
      [{ key: "" }, "key"],
      [{ key: 5 }, "key"],
      [{ key: {} }, "key"],
    ],
  ],
];

describe("a response against the contract is refused and its wrong member named:", () => {
  describe.each(cases)("%s", (request, rows) => {
    test.each(rows)("%j", (...row) => expectRefused(request, "success", row));
  });

  const field = { name: "otp", type: "text", interactive: true, optional: false };
  const provider = { name: "A", country: "UY", auth_fields: [field], account_type: [], logo: "" };

  test.each<Case>([
    [{ name: undefined }, "name"],
    [{ country: 598 }, "country"],
    [{ auth_fields: undefined }, "auth_fields"],
    [{ auth_fields: null }, "auth_fields"],
    [{ auth_fields: {} }, "auth_fields"],
    [{ auth_fields: [field, "otp"] }, "auth_fields.1"],
    [{ account_type: ["pers"] }, "account_type.0"],
    [{ account_type: [{ label_en: "x" }] }, "account_type.0.name"],
    [{ logo: 5 }, "logo"],
  ])("GET /provider/{code}/ with %j", async (members, member) => {
    const body = { provider: { ...provider, ...members } };
    await expectRefused("GET /provider/{code}/", "success", [body, `provider.${member}`]);
  });

  test.each<Case>([
    [{ name: undefined }, "name"],
    [{ type: 5 }, "type"],
    [{ interactive: "no" }, "interactive"],
    [{ optional: 1 }, "optional"],
    [{ label_en: 5 }, "label_en"],
    [{ label_es: {} }, "label_es"],
    [{ choices: "ab" }, "choices"],
    [{ choices: ["a"] }, "choices.0"],
    [{ choices: [{}] }, "choices.0.name"],
    [{ default: 1 }, "default"],
  ])("GET /provider/{code}/ with a field of %j", async (members, member) => {
    const body = { provider: { ...provider, auth_fields: [{ ...field, ...members }] } };
    await expectRefused("GET /provider/{code}/", "success", [body, `provider.auth_fields.0.${member}`]);
  });

  test.each<[string, ...Case]>([
    ["logged_in", { key: "" }, "key"],
    ["logged_in", { key: 5 }, "key"],
    ["select_client", { key: "" }, "key"],
    ["select_client", { key: false }, "key"],
    ["interaction_required", { key: "", field: "otp" }, "key"],
    ["interaction_required", { key: "k", context: "?" }, "field"],
    ["interaction_required", { key: "k", context: "?", field: "" }, "field"],
    // The second login sends these three beside the answer.
    ["interaction_required", { key: "k", context: "?", field: "provider" }, "field"],
    ["interaction_required", { key: "k", context: "?", field: "username" }, "field"],
    ["interaction_required", { key: "k", context: "?", field: "password" }, "field"],
    ["interaction_required", { key: "k", context: "?", field: null }, "field"],
    ["interaction_required", { key: "k", context: 5, field: "otp" }, "context"],
  ])("POST /login/ %s %j", async (status, ...row) => {
    await expectRefused("POST /login/", status, row);
  });

  test("GET /client/ with a name that is a number", async () => {
    const client = clientThatReads({ json: { status: "success", clients: { "0": "First", "1": 2 } } });
    const error = await readFault(client.listClients(SESSION_KEY));
    expect(error).toMatchObject({ code: "response_against_contract", request: "GET /client/", field: "clients.1" });
  });
});
