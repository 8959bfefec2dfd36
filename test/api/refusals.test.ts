import { type BankClient, reveal } from "ventanilla";
import { describe, expect, test } from "vitest";
import { KEY_LIMIT } from "../../src/api/limits.ts";
import { isSecret } from "../../src/api/reveal.ts";
import { calls, clientThatReads, FORM, SESSION_KEY } from "./server.ts";

const statuses: [string, number][] = [
  ["wrong_credentials", 403],
  ["missing_credentials", 400],
  ["provider_doesnt_exist", 404],
  ["user_blocked", 403],
  ["max_sessions_reached", 403],
  ["provider_unavailable", 503],
  ["missing_params", 400],
  ["not_implemented", 501],
];

const messages: [string, string, number][] = [
  ["Invalid key", "invalid_key", 200],
  ["invalid KEY", "invalid_key", 200],
  ["Unauthorized provider", "unauthorized_provider", 403],
  ["wrong_client", "wrong_client", 200],
  ["Missing API key", "missing_api_key", 401],
  ["Key not found", "unknown_api_key", 403],
  ["Key not Found", "unknown_api_key", 403],
];

const codes: [string, string][] = [
  ["B1001", "wrong_credentials"],
  ["B1002", "wrong_answer"],
  ["B1003", "missing_answer"],
  ["B1004", "wrong_answer"],
  ["B1005", "missing_answer"],
  ["B1006", "provider_session_expired"],
  ["B1007", "provider_login_failed"],
  ["B1008", "password_change_required"],
  ["B1009", "logout_failed"],
  ["B1010", "wrong_client"],
  ["B1011", "user_blocked"],
];

const secondLogin = (client: BankClient) => client.login(FORM, { key: SESSION_KEY });

describe.each([...calls, ["POST /login/?key=…", secondLogin]] as const)("%s", (request, call) => {
  // Every row at a login, the last of each table at the other requests.
  const rows = <Row>(table: readonly Row[]) => (request === "POST /login/" ? table : table.slice(-1));

  test.each(rows(statuses))("reads the status %s", async (status, httpStatus) => {
    const client = clientThatReads({ http: httpStatus, json: { status } }, { json: { status } });
    expect(await call(client)).toStrictEqual({ status, httpStatus, wire: { status } });
    expect(await call(client)).toEqual({ status, httpStatus: 200, wire: { status } });
  });

  test.each(rows(messages))("reads the message %s as %s", async (message, status, httpStatus) => {
    const client = clientThatReads({ http: httpStatus, json: { status: "error", message } });
    expect(await call(client)).toEqual({ status, httpStatus, wire: { status: "error", message } });
  });

  test.each(rows(codes))("reads the code %s as %s", async (code, status) => {
    const client = clientThatReads({ http: 403, json: { status: "error", code } });
    expect(await call(client)).toEqual({ status, httpStatus: 403, wire: { status: "error", code } });
  });

  test("reads an unknown status as unexpected_status", async () => {
    const client = clientThatReads({ http: 418, json: { status: "under_review" } });
    const wire = { status: "under_review" };
    expect(await call(client)).toEqual({ status: "unexpected_status", httpStatus: 418, wire });
  });
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
    expect(await client.login(FORM)).toEqual({ status: "wrong_answer", httpStatus: 403, wire });
  });

  test("has a message beside any status, and leaves out members that are not texts", async () => {
    const client = clientThatReads(
      { json: { status: "wrong_credentials", message: "Usuario o contraseña incorrectos", extra: 1 } },
      { json: { status: "wrong_credentials", code: 1001, type: null, message: ["no"] } },
    );
    const status = "wrong_credentials";
    const wire = { status, message: "Usuario o contraseña incorrectos" };
    expect(await client.login(FORM)).toEqual({ status, httpStatus: 200, wire });
    expect(await client.login(FORM)).toEqual({ status, httpStatus: 200, wire: { status } });
  });

  const nested = (levels: number) => `${"[".repeat(levels)}"x"${"]".repeat(levels)}`;

  test("keeps a description nested ten levels deep", async () => {
    const client = clientThatReads({ text: `{"status":"error","description":${nested(10)}}` });
    expect(await client.login(FORM)).toMatchObject({ wire: { description: nested(10) } });
  });

  test("has [unreadable] in place of the depths of a description nested 100,000 levels deep", async () => {
    const client = clientThatReads({
      text: `{"status":"error","code":"B1011","description":${nested(100_000)}}`,
    });
    const response = await client.login(FORM);
    expect(response.status).toBe("user_blocked");
    expect(response).toMatchObject({
      wire: { description: expect.stringMatching(/^\[{1,40}"\[unreadable\]"\]{1,40}$/) },
    });
  });
});

test.each([
  [{ status: "error" }],
  [{ status: "error", message: "Something else" }],
  [{ status: "error", message: "" }],
  [{ status: "error", message: " Invalid key" }],
  [{ status: "error", message: 5 }],
  [{ status: "error", code: "B1012" }],
  [{ status: "error", code: "b1001" }],
  [{ status: "error", code: 1001 }],
  [{ status: "error", code: ["B1001"] }],
  [{ status: "ERROR", message: "Invalid key" }],
  [{ status: "failure", code: "B1001" }],
  [{ status: "Wrong_Credentials" }],
  [{ status: "" }],
  [{ status: "constructor" }],
  [{ status: "__proto__" }],
  [{ status: "error", code: "constructor", message: "toString" }],
  [{ status: "error", code: "__proto__", message: "hasownproperty" }],
  [{ status: "cancelled" }],
  [{ status: "unexpected_status" }],
  [{ status: "invalid_key" }],
])("%j is an unexpected_status", async (json) => {
  const client = clientThatReads({ json });
  expect(await client.login(FORM)).toMatchObject({ status: "unexpected_status", wire: { status: json.status } });
});

test("the code decides before the message, and the message if the code is unknown", async () => {
  const client = clientThatReads(
    { json: { status: "error", code: "B1011", message: "Invalid key" } },
    { json: { status: "error", code: "B9999", message: "Invalid key" } },
  );
  expect((await client.login(FORM)).status).toBe("user_blocked");
  expect((await client.login(FORM)).status).toBe("invalid_key");
});

test("the status of another method's success is an unexpected_status", async () => {
  const key = SESSION_KEY;
  const everything = { key, providers: [], provider: {}, destinations: [], clients: {}, field: "otp", context: "" };
  const expectUnexpected = async (status: string, call: (client: BankClient) => Promise<unknown>) => {
    const client = clientThatReads({ json: { ...everything, status } });
    expect(await call(client)).toEqual({ status: "unexpected_status", httpStatus: 200, wire: { status } });
  };
  for (const [request, call] of [...calls, ["POST /login/?key=…", secondLogin]] as const) {
    const isLogin = request.startsWith("POST");
    for (const status of isLogin ? ["success"] : ["logged_in", "interaction_required", "select_client"]) {
      await expectUnexpected(status, call);
    }
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
    "has no key if the response has %j",
    async (key) => {
      const client = clientThatReads({ json: { status: "max_sessions_reached", key } });
      expect(await client.login(FORM)).not.toHaveProperty("key");
    },
  );
});
