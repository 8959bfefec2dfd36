import { describe, expect, test } from "vitest";
import { exitCodes, signalCodes } from "../../src/cli/exit-codes.ts";
import type { Reply } from "../bank/service.ts";
import { isLogin, watchedBank } from "./bank.ts";
import { codeUser, parseLines, plainUser, type Result, run, runLogin, runProcess } from "./program.ts";

// By hand: each block is numbered from its first code on.
const blocks: Readonly<Record<number, string>> = {
  1: `unexpected_fault invalid_input missing_field unknown_field secret_in_argument file_unusable part_missing
    batch_incomplete untrusted_address select_client interaction_required paused insecure_address`,
  20: `wrong_credentials missing_credentials provider_doesnt_exist user_blocked max_sessions_reached
    provider_unavailable missing_params not_implemented wrong_answer missing_answer provider_session_expired
    provider_login_failed password_change_required logout_failed wrong_client invalid_key unauthorized_provider
    missing_api_key unknown_api_key unexpected_status cancelled expired too_many_interactions no_clients`,
  60: `network_failed request_timed_out request_aborted outcome_unknown redirect_refused response_unreadable
    response_against_contract response_too_large access_refused rate_limited service_unavailable http_failed`,
  80: `secret_unavailable handler_failed login_not_waiting token_incomplete token_altered token_expired
    token_of_another_version token_of_another_key token_of_another_address token_used outcome_used`,
};

test("the codes are a contract with scripts: none is changed, and none is given another meaning", () => {
  const numbered = Object.entries(blocks).flatMap(([first, names]) =>
    names.split(/\s+/).map((name, index) => [name, Number(first) + index]),
  );
  expect(exitCodes).toEqual({ success: 0, logged_in: 0, logged_out: 0, ...Object.fromEntries(numbered) });
  expect(signalCodes).toEqual({ SIGHUP: 129, SIGINT: 130, SIGPIPE: 141, SIGTERM: 143 });
});

const user = (username: string, more: object = {}) => ({ username, password: "s3creto", ...more });
const answers = async (reply: Reply, words: readonly string[] = []) => {
  const { environment } = await watchedBank((request) => (isLogin(request) ? reply : undefined));
  return runLogin("test", plainUser, ["--json", ...words], { environment });
};
const loginWith = (credentials: object, provider = "test", words: readonly string[] = []) =>
  runLogin(provider, credentials, ["--json", ...words]);
const insecure = ["providers", "--base-url", "http://bank.invalid", "--api-key-from", "-", "--json"];

/** What the command itself decides, and one row for each kind of outcome or fault that it takes from `login()`. */
const runs: Record<string, () => Promise<Result>> = {
  logged_in: () => loginWith(plainUser),
  invalid_input: () => run(["providers", "--color", "--json"]),
  missing_field: () => run(["login", "test", "--json"]),
  unknown_field: () => loginWith({ ...plainUser, fields: { branch: "9" } }),
  secret_in_argument: () => run(["login", "test", "--password", "x", "--json"]),
  file_unusable: () => run(["login", "test", "--credentials-from", "/nonexistent/login.json", "--json"]),
  part_missing: () => run(["play", "--json"]),
  select_client: () => loginWith(user("newkey", { fields: { company_code: "7701" } }), "canal_pa"),
  interaction_required: () => loginWith(user("otp"), "faro_uy"),
  insecure_address: () => run(insecure, { input: "key" }),
  // Outcomes: of the login, of a status, of an envelope, of the HTTP status, of this side.
  wrong_credentials: () => loginWith({ ...plainUser, password: "wrong" }),
  provider_doesnt_exist: () => loginWith(plainUser, "nobody"),
  wrong_answer: () => answers({ json: { status: "error", code: "B1002", message: "No" } }),
  unknown_api_key: () => answers({ json: { status: "error", message: "Key not found" }, http: 403 }),
  unexpected_status: () => loginWith(user("novelty"), "rareza_do"),
  cancelled: () => loginWith(codeUser, "test", ["--answer-command", "true"]),
  expired: () => loginWith(codeUser, "test", ["--answer-command", "sleep 9", "--answer-timeout", "0.2"]),
  // Faults: of the connection, of time, of the response, of a handler.
  network_failed: () => answers("broken"),
  request_timed_out: () => answers("held", ["--timeout", "0.5"]),
  response_unreadable: () => answers({ text: "<html>" }),
  rate_limited: () => answers({ text: "", http: 429 }),
  handler_failed: () => loginWith(codeUser, "test", ["--answer-command", "false"]),
};

describe("the command ends with the code of", () => {
  test.each(Object.entries(runs))("%s", async (status, reach) => {
    const { code, stdout } = await reach();
    expect(parseLines(stdout).at(-1)).toMatchObject({ status });
    expect(code).toBe(exitCodes[status as keyof typeof exitCodes]);
  });
});

test("a process ends with the code of its command", async () => {
  const input = JSON.stringify({ ...plainUser, password: "wrong" });
  expect((await runProcess(["login", "test", "--credentials-from", "-"], { input })).code).toBe(20);
});
