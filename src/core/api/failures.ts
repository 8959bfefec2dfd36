import type { Failure } from "../../../machines/login.types.ts";

export type { Failure };

/**
 * What a person can do about a failure. `correct`: check what was typed in. `retry`: log in again. `wait`: log in
 * again, later. `closeSession`: close the other session first. `changeProvider`: another bank. `contactBank`: only the bank
 * can help. `report`: only the operator of the program can.
 */
export type Recovery = "correct" | "retry" | "wait" | "closeSession" | "changeProvider" | "contactBank" | "report";

/** One row of the code table. */
interface FailureEntry {
  /** `outcome`: from the bank, the service or the person, a value. `fault`: something broke, an error. */
  readonly kind: "outcome" | "fault";
  readonly recovery: Recovery;
  /** Whether the same call may succeed later without a change. It never means that ventanilla repeats a login. */
  readonly retryable?: true;
  /** Which text people read. Default: an outcome has its own, and faults share that of their recovery. */
  readonly text?: string;
}

/**
 * The one code table: every failure that a person can meet, by its `FailureCode`. Statuses of the contract, sections 3 and 7, keep
 * their wire names. All that is said of a code elsewhere `satisfies` this table, so the compiler names each place that a new code needs.
 */
export const failures = {
  wrong_credentials: { kind: "outcome", recovery: "correct" },
  missing_credentials: { kind: "outcome", recovery: "correct" },
  provider_doesnt_exist: { kind: "outcome", recovery: "changeProvider" },
  user_blocked: { kind: "outcome", recovery: "contactBank" },
  max_sessions_reached: { kind: "outcome", recovery: "closeSession", retryable: true },
  provider_unavailable: { kind: "outcome", recovery: "wait", retryable: true },
  missing_params: { kind: "outcome", recovery: "correct", text: "missing_credentials" },
  not_implemented: { kind: "outcome", recovery: "changeProvider" },
  wrong_answer: { kind: "outcome", recovery: "retry" },
  missing_answer: { kind: "outcome", recovery: "retry" },
  provider_session_expired: { kind: "outcome", recovery: "retry", retryable: true },
  provider_login_failed: { kind: "outcome", recovery: "retry", retryable: true },
  password_change_required: { kind: "outcome", recovery: "retry" },
  logout_failed: { kind: "outcome", recovery: "retry", retryable: true },
  wrong_client: { kind: "outcome", recovery: "retry" },
  invalid_key: { kind: "outcome", recovery: "retry", text: "provider_session_expired" },
  unauthorized_provider: { kind: "outcome", recovery: "changeProvider", text: "provider_doesnt_exist" },
  missing_api_key: { kind: "outcome", recovery: "report" },
  unknown_api_key: { kind: "outcome", recovery: "report", text: "missing_api_key" },
  unexpected_status: { kind: "outcome", recovery: "report", text: "report" },
  cancelled: { kind: "outcome", recovery: "retry", retryable: true },
  expired: { kind: "outcome", recovery: "retry", retryable: true },
  too_many_interactions: { kind: "outcome", recovery: "contactBank" },
  no_clients: { kind: "outcome", recovery: "contactBank" },
  client_selection_off: { kind: "outcome", recovery: "retry" },
  network_failed: { kind: "fault", recovery: "retry", retryable: true, text: "network_failed" },
  request_timed_out: { kind: "fault", recovery: "wait", retryable: true, text: "request_timed_out" },
  request_aborted: { kind: "fault", recovery: "retry", retryable: true, text: "request_aborted" },
  outcome_unknown: { kind: "fault", recovery: "wait", retryable: true, text: "outcome_unknown" },
  redirect_refused: { kind: "fault", recovery: "report", text: "redirect_refused" },
  response_unreadable: { kind: "fault", recovery: "wait", retryable: true, text: "report" },
  response_against_contract: { kind: "fault", recovery: "report" },
  response_too_large: { kind: "fault", recovery: "report" },
  access_refused: { kind: "fault", recovery: "report" },
  rate_limited: { kind: "fault", recovery: "wait", retryable: true, text: "rate_limited" },
  service_unavailable: { kind: "fault", recovery: "wait", retryable: true, text: "service_unavailable" },
  http_failed: { kind: "fault", recovery: "report" },
  origin_refused: { kind: "fault", recovery: "report", text: "origin_refused" },
  app_refused: { kind: "fault", recovery: "report", text: "app_refused" },
  not_signed_in: { kind: "fault", recovery: "retry", text: "not_signed_in" },
  body_already_read: { kind: "fault", recovery: "report", text: "nothing_sent" },
  slash_changed: { kind: "fault", recovery: "report", text: "nothing_sent" },
  path_differs: { kind: "fault", recovery: "report", text: "nothing_sent" },
  invalid_input: { kind: "fault", recovery: "correct" },
  missing_field: { kind: "fault", recovery: "correct", text: "missing_credentials" },
  unknown_field: { kind: "fault", recovery: "correct" },
  secret_unavailable: { kind: "fault", recovery: "retry", text: "secret_unavailable" },
  handler_failed: { kind: "fault", recovery: "report" },
  login_not_waiting: { kind: "fault", recovery: "wait", retryable: true, text: "login_not_waiting" },
  outcome_used: { kind: "fault", recovery: "retry", text: "outcome_used" },
  token_incomplete: { kind: "fault", recovery: "retry" },
  token_altered: { kind: "fault", recovery: "retry" },
  token_expired: { kind: "fault", recovery: "retry", text: "token_expired" },
  token_of_another_version: { kind: "fault", recovery: "retry" },
  token_of_another_key: { kind: "fault", recovery: "retry" },
  token_of_another_address: { kind: "fault", recovery: "retry" },
  token_used: { kind: "fault", recovery: "retry", text: "token_used" },
  session_not_found: { kind: "fault", recovery: "retry" },
  session_without_key: { kind: "fault", recovery: "retry" },
  key_taken: { kind: "fault", recovery: "retry" },
  secret_in_argument: { kind: "fault", recovery: "correct" },
  insecure_address: { kind: "fault", recovery: "correct" },
  file_unusable: { kind: "fault", recovery: "correct" },
  part_missing: { kind: "fault", recovery: "report" },
  unexpected_fault: { kind: "fault", recovery: "report" },
} as const satisfies Record<string, FailureEntry>;

/** Every code of the table: each is an `OutcomeCode` or a `FaultCode`. */
export type FailureCode = keyof typeof failures;

type CodeOfKind<Kind extends FailureEntry["kind"]> = {
  [Code in FailureCode]: (typeof failures)[Code]["kind"] extends Kind ? Code : never;
}[FailureCode];

/** The codes of outcomes: returned as values. */
export type OutcomeCode = CodeOfKind<"outcome">;

/** The codes of faults: carried by errors. */
export type FaultCode = CodeOfKind<"fault">;

/** A failure of the table. */
export type KnownFailure<Code extends FailureCode = FailureCode> = Failure & { readonly code: Code };

/** Whether a failure is an outcome of the table. One of another version, or of an actor of the user's own, may be none. */
export function isOutcome(failure: Failure): failure is KnownFailure<OutcomeCode> {
  return failure.kind === "outcome" && findFailure(failure.code).kind === "outcome";
}

/** The names of the texts that each language has. */
export type FailureText = {
  [Code in FailureCode]: (typeof failures)[Code] extends { readonly text: infer Name extends string }
    ? Name
    : Code extends OutcomeCode
      ? Code
      : (typeof failures)[Code]["recovery"];
}[FailureCode];

/**
 * A row of the table. A failure may come from a stored snapshot or an actor of the user's own: an unknown code has the row of
 * `unexpected_fault`, and crashes no screen.
 */
export function findFailure(code: string): FailureEntry & { readonly code: FailureCode } {
  const known = Object.hasOwn(failures, code) ? (code as FailureCode) : "unexpected_fault";
  return { code: known, ...failures[known] };
}
