import type { FailureCode } from "../index.ts";

/**
 * The exit code of each status of a command. They are a contract with scripts: no number gets another meaning.
 * `docs/cli.md` shows this table; a test generates it.
 */
export const exitCodes = {
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
} as const;

/** The status of a command: a code of the failure table, or one that is no failure. */
export type CommandStatus = FailureCode | keyof typeof exitCodes;

/** 128 plus the number of the signal, as shells do it. */
export const signalCodes = { SIGHUP: 129, SIGINT: 130, SIGPIPE: 141, SIGTERM: 143 } as const;

/** The exit code of a status; 1 for a status that has none. */
export function toExitCode(status: CommandStatus): number {
  return Object.hasOwn(exitCodes, status) ? exitCodes[status as keyof typeof exitCodes] : exitCodes.unexpected_fault;
}
