import { BankError } from "ventanilla";
import { expect, test } from "vitest";
import { readFault } from "./faults.ts";
import { calls, clientThatReads } from "./local-bank.ts";

const field = { name: "otp", type: "text", interactive: true, optional: false };
const detail = (members: object) => ({
  provider: { name: "A", country: "UY", auth_fields: [field], account_type: [], logo: "", ...members },
});
const detailWithField = (members: object) => detail({ auth_fields: [{ ...field, ...members }] });
const asks = (members: object) => ({
  status: "interaction_required",
  key: "k",
  context: "?",
  field: "otp",
  ...members,
});

test.each<[request: string, body: object, member: string]>([
  ["GET /provider/", {}, "providers"],
  ["GET /provider/", { providers: null }, "providers"],
  ["GET /provider/", { providers: {} }, "providers"],
  ["GET /provider/", { providers: "none" }, "providers"],
  ["GET /provider/", { providers: [null] }, "providers.0"],
  ["GET /provider/", { providers: ["test"] }, "providers.0"],
  ["GET /provider/", { providers: [{ code: 1, name: "A" }] }, "providers.0.code"],
  ["GET /provider/", { providers: [{ code: "a" }] }, "providers.0.name"],
  ["GET /provider/{code}/", {}, "provider"],
  ["GET /provider/{code}/", { provider: null }, "provider"],
  ["GET /provider/{code}/", { provider: "A" }, "provider"],
  ["GET /provider/{code}/", detail({ auth_fields: undefined }), "provider.auth_fields"],
  ["GET /provider/{code}/", detail({ auth_fields: {} }), "provider.auth_fields"],
  ["GET /provider/{code}/", detailWithField({ name: undefined }), "provider.auth_fields.0.name"],
  ["GET /transfer/destinations", {}, "destinations"],
  ["GET /transfer/destinations", { destinations: null }, "destinations"],
  ["GET /transfer/destinations", { destinations: [{ name: "A" }] }, "destinations.0.id"],
  ["GET /transfer/destinations", { destinations: [{ id: 1.5, name: "A" }] }, "destinations.0.id"],
  ["GET /transfer/destinations", { destinations: [{ id: 1 }] }, "destinations.0.name"],
  ["GET /client/", {}, "clients"],
  ["GET /client/", { clients: null }, "clients"],
  ["GET /client/", { clients: "none" }, "clients"],
  ["GET /client/{id}/", { key: "" }, "key"],
  ["GET /client/{id}/", { key: 5 }, "key"],
  ["GET /client/{id}/", { key: {} }, "key"],
  ["POST /login/", { status: "logged_in", key: "" }, "key"],
  ["POST /login/", { status: "logged_in", key: 5 }, "key"],
  ["POST /login/", { status: "select_client", key: "" }, "key"],
  ["POST /login/", { status: "select_client", key: false }, "key"],
  ["POST /login/", asks({ key: "" }), "key"],
])("%s: not $1: $2", async (request, body, member) => {
  const [, call] = calls.find(([name]) => name === request) ?? expect.fail(request);
  const error = await readFault(call(clientThatReads({ http: 202, json: { status: "success", ...body } })));
  expect(error).toBeInstanceOf(BankError);
  expect(error).toMatchObject({ code: "response_against_contract", httpStatus: 202, request, field: member });
});
