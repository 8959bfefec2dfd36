import { type LoginOutcome, login } from "ventanilla";
import { describe, expect, test } from "vitest";
import { person, startSandbox, startService, unasked } from "../bank/service.ts";

type Status = LoginOutcome["status"];

const envelope = (code: string) => ({ status: "error", code, type: "t", message: "m", description: ["d"] });

// The contract, section 7, then what has been seen beyond it.
const said: [body: { status: string }, http: number, status: Status][] = [
  [{ status: "wrong_credentials" }, 403, "wrong_credentials"],
  [{ status: "wrong_credentials" }, 200, "wrong_credentials"],
  [{ status: "missing_credentials" }, 400, "missing_credentials"],
  [{ status: "provider_doesnt_exist" }, 404, "provider_doesnt_exist"],
  [{ status: "user_blocked" }, 403, "user_blocked"],
  [{ status: "max_sessions_reached" }, 403, "max_sessions_reached"],
  [{ status: "provider_unavailable" }, 503, "provider_unavailable"],
  [{ status: "missing_params" }, 400, "missing_params"],
  [{ status: "not_implemented" }, 501, "not_implemented"],
  [envelope("B1001"), 403, "wrong_credentials"],
  [envelope("B1002"), 403, "wrong_answer"],
  [envelope("B1003"), 400, "missing_answer"],
  [envelope("B1004"), 403, "wrong_answer"],
  [envelope("B1005"), 400, "missing_answer"],
  [envelope("B1006"), 401, "provider_session_expired"],
  [envelope("B1007"), 502, "provider_login_failed"],
  [envelope("B1008"), 403, "password_change_required"],
  [envelope("B1009"), 500, "logout_failed"],
  [envelope("B1010"), 404, "wrong_client"],
  [envelope("B1011"), 403, "user_blocked"],
];

const messages: [message: string, http: number, status: Status][] = [
  ["Invalid key", 200, "invalid_key"],
  ["Unauthorized provider", 403, "unauthorized_provider"],
  ["wrong_client", 200, "wrong_client"],
  ["Missing API key", 401, "missing_api_key"],
  ["Key not found", 403, "unknown_api_key"],
  ["Key not Found", 403, "unknown_api_key"],
];

describe("what the bank says is the outcome", () => {
  test.each(said)("%j with HTTP %i is %s", async (json, http, status) => {
    const service = await startService([{ http, json }]);
    const outcome = await login(service.client(), { ...person, onInteraction: unasked });
    expect(outcome).toStrictEqual({ status, provider: "test", httpStatus: http });
    expect(service.lines()).toEqual(["POST /login/"]);
  });

  test.each(messages)("the error %j with HTTP %i is %s", async (message, http, status) => {
    const service = await startService([{ http, json: { status: "error", message } }]);
    const outcome = await login(service.client(), { ...person, onInteraction: unasked });
    expect(outcome).toStrictEqual({ status, provider: "test", httpStatus: http });
  });
});

describe("a status nobody has heard of", () => {
  test.each(["under_review", "B2001:x.y-z", "x".repeat(64)])(
    "is told as %s, which reads like one",
    async (wireStatus) => {
      const service = await startService([{ json: { status: wireStatus } }]);
      const outcome = await login(service.client(), { ...person, onInteraction: unasked });
      expect(outcome).toStrictEqual({ status: "unexpected_status", provider: "test", httpStatus: 200, wireStatus });
    },
  );

  test.each(["", "two words", "x".repeat(65), "<b>no</b>", "line\nbreak"])(
    "is kept to itself as %j, which does not",
    async (status) => {
      const service = await startService([{ json: { status } }]);
      const outcome = await login(service.client(), { ...person, onInteraction: unasked });
      expect(outcome).toStrictEqual({ status: "unexpected_status", provider: "test", httpStatus: 200 });
    },
  );

  test("is told without a secret that was sent", async () => {
    const service = await startService(({ form }) => ({ json: { status: `bad-${form["password"]}` } }));
    const outcome = await login(service.client(), { ...person, password: "hunter2", onInteraction: unasked });
    expect(outcome).toStrictEqual({ status: "unexpected_status", provider: "test", httpStatus: 200 });
  });

  test("is no reason to tell the status of another refusal", async () => {
    const service = await startService([{ http: 403, json: { status: "user_blocked", message: "locked" } }]);
    expect(await login(service.client(), { ...person, onInteraction: unasked })).not.toHaveProperty("wireStatus");
  });
});

describe("the accounts of the sandbox", () => {
  const password = "s3creto";
  test.each<[provider: string, username: string, outcome: Partial<LoginOutcome>]>([
    ["test", "nobody", { status: "wrong_credentials", httpStatus: 403 }],
    ["bahia_es", "nobody", { status: "wrong_credentials", httpStatus: 200 }],
    ["nobody", "nobody", { status: "provider_doesnt_exist", httpStatus: 404 }],
    ["canal_pa", "newkey", { status: "missing_credentials", httpStatus: 400 }],
    ["faro_uy", "blocked", { status: "user_blocked", httpStatus: 403 }],
    ["niebla_py", "plain", { status: "provider_unavailable", httpStatus: 503 }],
    ["bahia_es", "renew", { status: "password_change_required", httpStatus: 403 }],
    ["rareza_do", "novelty", { status: "unexpected_status", httpStatus: 200, wireStatus: "under_review" }],
    ["rareza_do", "unauthorized", { status: "unauthorized_provider", httpStatus: 403 }],
    ["rareza_do", "broken", { status: "provider_login_failed", httpStatus: 502 }],
  ])("%s/%s ends as its entry says", async (provider, username, outcome) => {
    const sandbox = await startSandbox();
    const found = await login(sandbox.client(), { provider, username, password, onInteraction: unasked });
    expect(found).toStrictEqual({ provider, ...outcome });
    expect(sandbox.requests).toHaveLength(1);
  });

  test("an API key that nobody knows is an outcome as well", async () => {
    const sandbox = await startSandbox();
    const found = await login(sandbox.client({ apiKey: "another" }), { ...person, onInteraction: unasked });
    expect(found).toStrictEqual({ status: "unknown_api_key", provider: "test", httpStatus: 403 });
  });
});
