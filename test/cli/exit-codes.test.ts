import { describe, expect, test } from "vitest";
import { exitCodes, signalCodes } from "../../src/cli/exit-codes.ts";
import type { Reply } from "../bank/service.ts";
import { isLogin, watchedBank } from "./bank.ts";
import { codeUser, parseLines, plainUser, type Result, run, runLogin, runProcess } from "./program.ts";

test("the codes are a contract with scripts: none is changed, and none is given another meaning", () => {
  // By hand.
  expect(exitCodes).toEqual({
    success: 0,
    logged_in: 0,
    logged_out: 0,
    unexpected_fault: 1,
    invalid_input: 2,
    missing_field: 3,
    unknown_field: 4,
    secret_in_argument: 5,
    file_unusable: 6,
    part_missing: 7,
    batch_incomplete: 8,
    untrusted_address: 9,
    select_client: 10,
    interaction_required: 11,
    paused: 12,
    insecure_address: 13,
    wrong_credentials: 20,
    missing_credentials: 21,
    provider_doesnt_exist: 22,
    user_blocked: 23,
    max_sessions_reached: 24,
    provider_unavailable: 25,
    missing_params: 26,
    not_implemented: 27,
    wrong_answer: 28,
    missing_answer: 29,
    provider_session_expired: 30,
    provider_login_failed: 31,
    password_change_required: 32,
    logout_failed: 33,
    wrong_client: 34,
    invalid_key: 35,
    unauthorized_provider: 36,
    missing_api_key: 37,
    unknown_api_key: 38,
    unexpected_status: 39,
    cancelled: 40,
    expired: 41,
    too_many_interactions: 42,
    no_clients: 43,
    network_failed: 60,
    request_timed_out: 61,
    request_aborted: 62,
    outcome_unknown: 63,
    redirect_refused: 64,
    response_unreadable: 65,
    response_against_contract: 66,
    response_too_large: 67,
    access_refused: 68,
    rate_limited: 69,
    service_unavailable: 70,
    http_failed: 71,
    secret_unavailable: 80,
    handler_failed: 81,
    login_not_waiting: 82,
    token_incomplete: 83,
    token_altered: 84,
    token_expired: 85,
    token_of_another_version: 86,
    token_of_another_key: 87,
    token_of_another_address: 88,
    token_used: 89,
    outcome_used: 90,
  });
  expect(signalCodes).toEqual({ SIGHUP: 129, SIGINT: 130, SIGPIPE: 141, SIGTERM: 143 });
  const codes = Object.values(exitCodes).filter((code) => code !== 0);
  expect(new Set(codes).size).toBe(codes.length);
});

const user = (username: string, more: object = {}) => ({ username, password: "s3creto", ...more });
const answers =
  (reply: Reply) =>
  async (words: string[] = []) => {
    const { environment } = await watchedBank({ respond: (seen) => (isLogin(seen) ? reply : undefined) });
    return runLogin("test", plainUser, ["--json", ...words], { environment });
  };
const says = (body: object, status = 200) => answers({ json: body, http: status });

/** What the command itself decides, and one row for each kind of outcome or fault that it takes from `login()`. */
const runs: Record<string, () => Promise<Result>> = {
  logged_in: () => runLogin("test", plainUser, ["--json"]),
  invalid_input: () => run(["providers", "--color", "--json"]),
  missing_field: () => run(["login", "test", "--json"]),
  unknown_field: () => runLogin("test", { ...plainUser, fields: { branch: "9" } }, ["--json"]),
  secret_in_argument: () => run(["login", "test", "--password", "x", "--json"]),
  file_unusable: () => run(["login", "test", "--credentials-from", "/nonexistent/login.json", "--json"]),
  part_missing: () => run(["play", "--json"]),
  select_client: () => runLogin("canal_pa", user("newkey", { fields: { company_code: "7701" } }), ["--json"]),
  interaction_required: () => runLogin("faro_uy", user("otp"), ["--json"]),
  insecure_address: () =>
    run(["providers", "--base-url", "http://bank.invalid", "--api-key-from", "-", "--json"], { input: "key" }),
  // Outcomes: of the login, of a status, of an envelope, of the HTTP status, of this side.
  wrong_credentials: () => runLogin("test", { ...plainUser, password: "wrong" }, ["--json"]),
  provider_doesnt_exist: () => runLogin("nobody", plainUser, ["--json"]),
  wrong_answer: () => says({ status: "error", code: "B1002", message: "No" })(),
  unknown_api_key: () => says({ status: "error", message: "Key not found" }, 403)(),
  unexpected_status: () => runLogin("rareza_do", user("novelty"), ["--json"]),
  cancelled: () => runLogin("test", codeUser, ["--answer-command", "true", "--json"]),
  expired: () => runLogin("test", codeUser, ["--answer-command", "sleep 9", "--answer-timeout", "0.2", "--json"]),
  // Faults: of the connection, of time, of the response, of a handler.
  network_failed: () => answers("broken")(),
  request_timed_out: () => answers("held")(["--timeout", "0.5"]),
  response_unreadable: () => answers({ text: "<html>" })(),
  rate_limited: () => answers({ text: "", http: 429 })(),
  handler_failed: () => runLogin("test", codeUser, ["--answer-command", "false", "--json"]),
};

describe("the command ends with the code of", () => {
  test.each(Object.entries(runs))("%s", async (status, reach) => {
    const result = await reach();
    expect(parseLines(result).at(-1)).toMatchObject({ status });
    expect(result.code).toBe(exitCodes[status as keyof typeof exitCodes]);
  });
});

test("a process ends with the code of its command", async () => {
  expect((await runProcess(["providers"])).code).toBe(0);
  expect((await runProcess(["providers", "--color"])).code).toBe(2);
  const input = JSON.stringify({ ...plainUser, password: "wrong" });
  expect((await runProcess(["login", "test", "--credentials-from", "-"], { input })).code).toBe(20);
});
