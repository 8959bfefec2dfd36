import { type BankClient, reveal } from "ventanilla";
import { describe, expect, test } from "vitest";
import { failures } from "../../../src/core/api/failures.ts";
import { KEY_LIMIT } from "../../../src/core/api/limits.ts";
import { isSecret } from "../../../src/core/api/reveal.ts";
import { calls, clientThatReads, FORM, SESSION_KEY } from "./local-bank.ts";

const error = (members: object) => ({ status: "error", ...members });

// By hand, from the contract, sections 3 and 7, and from what the service was seen to send.
const refusals: readonly (readonly [status: string, http: number, wire: object])[] = [
  ["wrong_credentials", 403, { status: "wrong_credentials" }],
  ["missing_credentials", 400, { status: "missing_credentials" }],
  ["provider_doesnt_exist", 404, { status: "provider_doesnt_exist" }],
  ["username_differs", 403, { status: "username_differs" }],
  ["known_wrong", 403, { status: "known_wrong" }],
  ["user_blocked", 403, { status: "user_blocked" }],
  ["max_sessions_reached", 403, { status: "max_sessions_reached" }],
  ["provider_unavailable", 503, { status: "provider_unavailable" }],
  ["missing_params", 400, { status: "missing_params" }],
  ["not_implemented", 200, { status: "not_implemented" }],
  ["invalid_key", 200, error({ message: "Invalid key" })],
  ["invalid_key", 200, error({ message: "invalid KEY" })],
  ["unauthorized_provider", 403, error({ message: "Unauthorized provider" })],
  ["wrong_client", 200, error({ message: "wrong_client" })],
  ["api_key_refused", 401, error({ message: "Missing API key" })],
  ["api_key_refused", 403, error({ message: "Key not found" })],
  ["wrong_credentials", 403, error({ code: "B1001" })],
  ["wrong_answer", 403, error({ code: "B1002" })],
  ["missing_answer", 403, error({ code: "B1003" })],
  ["wrong_answer", 403, error({ code: "B1004" })],
  ["missing_answer", 403, error({ code: "B1005" })],
  ["provider_session_expired", 403, error({ code: "B1006" })],
  ["provider_login_failed", 403, error({ code: "B1007" })],
  ["password_change_required", 403, error({ code: "B1008" })],
  ["logout_failed", 403, error({ code: "B1009" })],
  ["wrong_client", 403, error({ code: "B1010" })],
  ["user_blocked", 403, error({ code: "B1011" })],
  // The code decides before the message, and the message if the code is unknown.
  ["user_blocked", 403, error({ code: "B1011", message: "Invalid key" })],
  ["invalid_key", 403, error({ code: "B9999", message: "Invalid key" })],
  ["unexpected_status", 418, { status: "under_review" }],
  ["unexpected_status", 200, error({})],
  ["unexpected_status", 200, error({ message: "Something else" })],
  ["unexpected_status", 200, error({ message: "" })],
  ["unexpected_status", 200, error({ message: " Invalid key" })],
  ["unexpected_status", 200, error({ code: "B9999" })],
  ["unexpected_status", 200, error({ code: "b1001" })],
  ["unexpected_status", 200, { status: "ERROR", message: "Invalid key" }],
  ["unexpected_status", 200, { status: "failure", code: "B1001" }],
  ["unexpected_status", 200, { status: "Wrong_Credentials" }],
  ["unexpected_status", 200, { status: "" }],
  ["unexpected_status", 200, { status: "constructor" }],
  ["unexpected_status", 200, { status: "__proto__" }],
  ["unexpected_status", 200, error({ code: "constructor", message: "toString" })],
  ["unexpected_status", 200, error({ code: "__proto__", message: "hasownproperty" })],
  ["unexpected_status", 200, { status: "cancelled" }],
  ["unexpected_status", 200, { status: "unexpected_status" }],
  ["unexpected_status", 200, { status: "invalid_key" }],
];

test.each(refusals)("a login reads %s from HTTP %i with $2", async (status, httpStatus, wire) => {
  const client = clientThatReads({ http: httpStatus, json: wire });
  // Nothing was sent to the bank.
  const responded = status === "known_wrong" ? {} : { httpStatus };
  expect(await client.login(FORM)).toStrictEqual({ status, ...responded, wire });
});

// Beyond the contract: a request on a session that is answered as a login is.
const asked: readonly (readonly [wire: object, asked: object, key?: string])[] = [
  [{ status: "select_client" }, { status: "select_client" }],
  [
    { status: "interaction_required", key: "another", field: "otp", context: "Código por SMS" },
    { status: "interaction_required", field: "otp", context: "Código por SMS" },
    "another",
  ],
  [
    { status: "interaction_required", field: ["otp", "token"], context: { text: "Los dos" } },
    { status: "interaction_required", field: "otp", fields: ["otp", "token"], context: "Los dos" },
  ],
  [
    { status: "interaction_required", field: null, context: 5 },
    { status: "interaction_required", context: "" },
  ],
];

test.each(asked)("a request on a session that is answered as a login says what is asked", async (wire, asked, key) => {
  const onSession = calls.filter(([request]) => !/login|provider/.test(request));
  expect(onSession).toHaveLength(4);
  for (const [, call] of onSession) {
    const response = await call(clientThatReads({ json: wire }));
    expect(response).toMatchObject({ status: "session_incomplete", httpStatus: 200, asked });
    const found = "key" in response && isSecret(response.key) ? reveal(response.key) : undefined;
    expect(found).toBe(key);
  }
});

test("each refusal of the code table has a row here", () => {
  const known = Object.entries(failures).flatMap(([code, row]) => ("wire" in row ? [code] : []));
  const read = [...refusals.map(([status]) => status), "session_incomplete"];
  expect([...new Set(read)].sort()).toEqual(known.sort());
});

const secondLogin = (client: BankClient) => client.login(FORM, { key: SESSION_KEY });
const everyCall = [...calls, ["POST /login/?key=…", secondLogin]] as const;

test.each(everyCall)("%s reads statuses, messages, codes and unknown statuses", async (_, call) => {
  for (const [status, httpStatus, wire] of [
    ["missing_params", 400, { status: "missing_params" }],
    ["api_key_refused", 403, error({ message: "Key not found" })],
    ["user_blocked", 403, error({ code: "B1011" })],
    ["unexpected_status", 418, { status: "under_review" }],
  ] as const) {
    expect(await call(clientThatReads({ http: httpStatus, json: wire }))).toEqual({ status, httpStatus, wire });
  }
});

describe("the member wire of a refusal", () => {
  const envelope = { status: "error", code: "B1002", type: "interaction", message: "Token error" };

  test.each([
    ["a string", "The token was not accepted", "The token was not accepted"],
    ["a list", ["The token", ["was", 1], null], '["The token",["was",1],null]'],
    ["an object", { reason: "token", more: { deep: true } }, '{"reason":"token","more":{"deep":true}}'],
    ["null", null, "null"],
    ["a number", 5, "5"],
    ["empty", "", ""],
  ])("has a description that is %s, as text", async (_, sent, description) => {
    const client = clientThatReads({ http: 403, json: { ...envelope, description: sent } });
    const wire = { ...envelope, description };
    expect(await client.login(FORM)).toMatchObject({ status: "wrong_answer", httpStatus: 403, wire });
  });

  test("has a message beside any status, and leaves out other members and those that are not texts", async () => {
    const wire = { status: "wrong_credentials", message: "Usuario o contraseña incorrectos" };
    const client = clientThatReads({ json: { ...wire, extra: 1, code: 1001, type: null } });
    expect(await client.login(FORM)).toEqual({ status: "wrong_credentials", httpStatus: 200, wire });
  });

  const nested = (levels: number) => `${"[".repeat(levels)}"x"${"]".repeat(levels)}`;

  test("keeps a description nested ten levels deep", async () => {
    const client = clientThatReads({ text: `{"status":"error","description":${nested(10)}}` });
    expect(await client.login(FORM)).toMatchObject({ wire: { description: nested(10) } });
  });
});

// Beyond the contract: a description that is a text, of an error whose code is known, is for the person.
test.each<[description: unknown, code: string, shown: string | undefined]>([
  ["Password can only contain digits", "B1001", "Password can only contain digits"],
  ["", "B1001", undefined],
  [" ", "B1001", undefined],
  [["Password can only contain digits"], "B1001", undefined],
  [{ reason: "digits" }, "B1001", undefined],
  ["upstream host 10.0.0.3 failed", "C1001", undefined],
])("the description of $1 gives the person $2", async (description, code, shown) => {
  const response = await clientThatReads({ http: 403, json: error({ code, description }) }).login(FORM);
  expect("description" in response ? response.description : undefined).toBe(shown);
});

test.each<[status: string, sent: unknown, names: readonly string[] | undefined]>([
  ["missing_credentials", ["branch", "password"], ["branch", "password"]],
  ["missing_credentials", ["branch", 5, null, "", "x".repeat(201)], ["branch"]],
  ["missing_credentials", [{ name: "branch" }, "password", { name: 5 }, {}], ["branch", "password"]],
  ["missing_credentials", [], undefined],
  ["missing_credentials", "branch", undefined],
  ["missing_credentials", { 0: "branch" }, undefined],
  ["wrong_credentials", ["branch"], undefined],
])("%s with missing_fields $1 names $2", async (status, sent, names) => {
  const response = await clientThatReads({ http: 400, json: { status, missing_fields: sent } }).login(FORM);
  expect("missingFields" in response ? response.missingFields : undefined).toEqual(names);
});

test.each([5, [["B1001"]], { text: "no" }])("%j is no code and no message", async (member) => {
  const client = clientThatReads({ json: error({ code: member, message: member }) });
  expect(await client.login(FORM)).toEqual({ status: "unexpected_status", httpStatus: 200, wire: { status: "error" } });
});

test("the status of another method's success is an unexpected_status", async () => {
  const key = SESSION_KEY;
  const everything = { key, providers: [], provider: {}, destinations: [], clients: {}, field: "otp", context: "" };
  const expectUnexpected = async (status: string, call: (client: BankClient) => Promise<unknown>) => {
    const client = clientThatReads({ json: { ...everything, status } });
    expect(await call(client)).toEqual({ status: "unexpected_status", httpStatus: 200, wire: { status } });
  };
  for (const [request, call] of everyCall) {
    const isLogin = request.startsWith("POST");
    await expectUnexpected(isLogin ? "success" : "logged_in", call);
    await expectUnexpected(request === "GET /logout/" ? "success" : "logged_out", call);
  }
});

describe("max_sessions_reached", () => {
  test.each([
    ["max_sessions_reached", { status: "max_sessions_reached" }],
    ["wrong_client", { status: "error", message: "wrong_client" }],
  ])("has the key of the session to log out of, as a secret; so has %s, of a relay", async (status, wire) => {
    const longest = "k".repeat(KEY_LIMIT);
    const response = await clientThatReads({ http: 403, json: { ...wire, key: longest } }).login(FORM);
    if (response.status !== status || !isSecret(response.key)) expect.fail(response.status);
    expect(reveal(response.key)).toBe(longest);
    expect(response).toHaveProperty("wire", wire);
  });

  test.each([undefined, null, "", 5, {}, "k".repeat(KEY_LIMIT + 1)])(
    "has no key if the response has $0",
    async (key) => {
      const client = clientThatReads({ json: { status: "max_sessions_reached", key } });
      expect(await client.login(FORM)).not.toHaveProperty("key");
    },
  );
});
