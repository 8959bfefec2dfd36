import { expect, test } from "vitest";
import { exitCodes, signalCodes } from "../../src/cli/exit-codes.ts";
import type { Reply } from "../bank/service.ts";
import { isLogin, watchedBank } from "./bank.ts";
import { codeUser, parseLines, plainUser, runLogin } from "./program.ts";

// By hand: each block is numbered from its first code on.
const blocks: Readonly<Record<number, string>> = {
  1: `unexpected_fault invalid_input missing_field unknown_field secret_in_argument file_unusable part_missing
    batch_incomplete`,
  10: "select_client interaction_required paused insecure_address",
  20: `wrong_credentials missing_credentials provider_doesnt_exist user_blocked max_sessions_reached
    provider_unavailable missing_params not_implemented wrong_answer missing_answer provider_session_expired
    provider_login_failed password_change_required logout_failed wrong_client invalid_key unauthorized_provider
    missing_api_key unknown_api_key unexpected_status cancelled expired too_many_interactions no_clients`,
  60: `network_failed request_timed_out request_aborted outcome_unknown redirect_refused response_unreadable
    response_against_contract response_too_large access_refused rate_limited service_unavailable http_failed`,
  80: `secret_unavailable handler_failed login_not_waiting token_incomplete token_altered token_expired
    token_of_another_version token_of_another_key token_of_another_address token_used outcome_used`,
};

test("no exit code changes and none is given another meaning: they are a contract with scripts", () => {
  const numbered = Object.entries(blocks).flatMap(([first, names]) =>
    names.split(/\s+/).map((name, index) => [name, Number(first) + index]),
  );
  expect(exitCodes).toEqual({ success: 0, logged_in: 0, logged_out: 0, ...Object.fromEntries(numbered) });
  expect(signalCodes).toEqual({ SIGHUP: 129, SIGINT: 130, SIGPIPE: 141, SIGTERM: 143 });
});

/** Ends of a login that no other test of the command has: its user, what the bank responds in the sandbox's place, the options. */
const logins: Record<string, readonly [user: object, reply: Reply | undefined, ...words: string[]]> = {
  unexpected_status: [plainUser, { json: { status: "under_review" } }],
  network_failed: [plainUser, "broken"],
  request_timed_out: [plainUser, "held", "--timeout", "0.5"],
  rate_limited: [plainUser, { text: "", http: 429 }],
  cancelled: [codeUser, undefined, "--answer-command", "true"],
  expired: [codeUser, undefined, "--answer-command", "sleep 9", "--answer-timeout", "0.2"],
};

test.each(Object.entries(logins))("a login ends with the exit code of %s", async (status, [user, reply, ...words]) => {
  const { environment } = await watchedBank((request) => (isLogin(request) ? reply : undefined));
  const { code, stdout } = await runLogin("test", user, ["--json", ...words], { environment });
  expect(parseLines(stdout).at(-1)).toMatchObject({ status });
  expect(code).toBe(exitCodes[status as keyof typeof exitCodes]);
});
