import type { Failure } from "../../../machines/login.types.ts";

export type { Failure };

/**
 * What a person can do about a failure. `correct`: check what was typed in. `retry`: log in again. `wait`: log in
 * again, later. `closeSession`: close the sessions that are open first. `changeProvider`: another bank. `contactBank`: only the bank
 * can help. `report`: only the operator of the program can.
 */
export type Recovery = "correct" | "retry" | "wait" | "closeSession" | "changeProvider" | "contactBank" | "report";

/** How a refusal may be written: as its own status, as one of others, or as an `error` with one of these codes or messages, in any case. */
export interface WireForms {
  readonly status?: true;
  readonly statuses?: readonly [string, ...string[]];
  readonly codes?: readonly [string, ...string[]];
  readonly messages?: readonly [string, ...string[]];
}

/** One row of the code table: what is decided by a code. What people read is in `src/core/texts`, what developers read in `failure-notes.ts`. */
interface FailureRow {
  /** What helps. The command's exit code follows from it. */
  readonly recovery: Recovery;
  /** Whether the same call may succeed later without a change. It never means that ventanilla repeats a login. */
  readonly retryable?: true;
  /** Which text people read. Default: an outcome has its own, and faults share that of their recovery. */
  readonly text?: string;
  /** Whether the bank may have received what was sent. People read so, unless the request was a read. */
  readonly mayHaveArrived?: true;
}

/** A refusal of the service: how it is written, and the HTTP code with which a relay passes it on, written in the same way. */
interface RefusalRow extends FailureRow {
  readonly wire: WireForms;
  readonly relay: number;
}

/** An outcome that does not come from a response. */
interface OwnOutcomeRow extends FailureRow {
  readonly wire?: undefined;
}

/** A fault, and the HTTP code that stands for it if the relay's own client has it. */
interface FaultRow extends FailureRow {
  readonly relay: RelayFaultStatus;
}

/** With these, a relay reports a fault. What lies behind the relay does not show. */
export type RelayFaultStatus = 400 | 403 | 409 | 429 | 499 | 500 | 502 | 503 | 504;

/** From the bank, the service or the person: values. Statuses of the contract, sections 3 and 7, keep their wire names. Others are what the live service sends beyond it, or our own. */
const outcomes = {
  wrong_credentials: { recovery: "correct", wire: { status: true, codes: ["B1001"] }, relay: 403 },
  missing_credentials: { recovery: "correct", wire: { status: true }, relay: 400 },
  provider_doesnt_exist: { recovery: "changeProvider", wire: { status: true }, relay: 404 },
  username_differs: { recovery: "correct", wire: { status: true }, relay: 403 },
  known_wrong: { recovery: "correct", wire: { status: true }, relay: 403 },
  user_blocked: { recovery: "contactBank", wire: { status: true, codes: ["B1011"] }, relay: 403 },
  max_sessions_reached: { recovery: "closeSession", retryable: true, wire: { status: true }, relay: 403 },
  provider_unavailable: { recovery: "wait", retryable: true, wire: { status: true }, relay: 503 },
  missing_params: { recovery: "correct", text: "missing_credentials", wire: { status: true }, relay: 400 },
  not_implemented: { recovery: "changeProvider", wire: { status: true }, relay: 501 },
  wrong_answer: { recovery: "retry", wire: { codes: ["B1004", "B1002"] }, relay: 403 },
  missing_answer: { recovery: "retry", wire: { codes: ["B1005", "B1003"] }, relay: 400 },
  provider_session_expired: { recovery: "retry", retryable: true, wire: { codes: ["B1006"] }, relay: 403 },
  provider_login_failed: { recovery: "retry", retryable: true, wire: { codes: ["B1007"] }, relay: 403 },
  password_change_required: { recovery: "retry", wire: { codes: ["B1008"] }, relay: 403 },
  logout_failed: { recovery: "retry", retryable: true, wire: { codes: ["B1009"] }, relay: 403 },
  wrong_client: { recovery: "retry", wire: { messages: ["wrong_client"], codes: ["B1010"] }, relay: 404 },
  invalid_key: { recovery: "retry", text: "provider_session_expired", wire: { messages: ["Invalid key"] }, relay: 403 },
  session_incomplete: { recovery: "retry", wire: { statuses: ["interaction_required", "select_client"] }, relay: 403 },
  unauthorized_provider: {
    recovery: "changeProvider",
    text: "provider_doesnt_exist",
    wire: { messages: ["Unauthorized provider"] },
    relay: 403,
  },
  api_key_refused: { recovery: "report", wire: { messages: ["Missing API key", "Key not found"] }, relay: 502 },
  unexpected_status: { recovery: "report", text: "report", wire: {}, relay: 200 },
  cancelled: { recovery: "retry", retryable: true, mayHaveArrived: true },
  expired: { recovery: "retry", retryable: true },
  approval_denied: { recovery: "retry" },
  too_many_interactions: { recovery: "contactBank" },
  no_clients: { recovery: "contactBank" },
  client_selection_off: { recovery: "retry" },
} as const satisfies Record<string, RefusalRow | OwnOutcomeRow>;

/** Something broke: errors. */
const faults = {
  network_failed: { recovery: "retry", retryable: true, text: "network_failed", mayHaveArrived: true, relay: 502 },
  request_timed_out: { recovery: "wait", retryable: true, text: "request_timed_out", mayHaveArrived: true, relay: 504 },
  request_aborted: { recovery: "retry", retryable: true, text: "request_aborted", mayHaveArrived: true, relay: 499 },
  outcome_unknown: { recovery: "wait", retryable: true, text: "outcome_unknown", mayHaveArrived: true, relay: 409 },
  redirect_refused: { recovery: "report", text: "redirect_refused", mayHaveArrived: true, relay: 500 },
  response_unreadable: { recovery: "wait", retryable: true, text: "report", relay: 502 },
  response_against_contract: { recovery: "report", mayHaveArrived: true, relay: 502 },
  rate_limited: { recovery: "wait", retryable: true, text: "rate_limited", relay: 429 },
  service_unavailable: {
    recovery: "wait",
    retryable: true,
    text: "service_unavailable",
    mayHaveArrived: true,
    relay: 503,
  },
  http_failed: { recovery: "report", relay: 500 },
  app_refused: { recovery: "report", text: "app_refused", relay: 500 },
  not_signed_in: { recovery: "retry", text: "not_signed_in", relay: 500 },
  invalid_setup: { recovery: "report", text: "invalid_setup", relay: 500 },
  invalid_input: { recovery: "correct", relay: 400 },
  answer_repeated: { recovery: "correct", text: "answer_repeated", relay: 400 },
  missing_field: { recovery: "correct", text: "missing_credentials", relay: 400 },
  secret_unavailable: { recovery: "retry", text: "secret_unavailable", relay: 400 },
  handler_failed: { recovery: "report", relay: 500 },
  login_not_waiting: { recovery: "wait", retryable: true, text: "login_not_waiting", relay: 500 },
  outcome_used: { recovery: "retry", text: "outcome_used", relay: 500 },
  token_invalid: { recovery: "retry", relay: 403 },
  token_used: { recovery: "retry", text: "token_used", relay: 403 },
  session_not_found: { recovery: "retry", relay: 500 },
  key_unavailable: { recovery: "retry", relay: 500 },
  secret_in_argument: { recovery: "correct", relay: 500 },
  file_unusable: { recovery: "correct", relay: 500 },
  unexpected_fault: { recovery: "report", relay: 500 },
} as const satisfies Record<string, FaultRow>;

const withKind = <const Kind extends Failure["kind"], Rows extends object>(kind: Kind, rows: Rows) =>
  Object.fromEntries(Object.entries(rows).map(([code, row]) => [code, { kind, ...row }])) as {
    readonly [Code in keyof Rows]: Rows[Code] & { readonly kind: Kind };
  };

/** The one code table: every failure that a person can meet, by its `FailureCode`. */
export const failures = { ...withKind("outcome", outcomes), ...withKind("fault", faults) };

/** Every code of the table: each is an `OutcomeCode` or a `FaultCode`. */
export type FailureCode = keyof typeof failures;

/** The codes of outcomes: returned as values. */
export type OutcomeCode = keyof typeof outcomes;

/** The codes of faults: carried by errors. */
export type FaultCode = keyof typeof faults;

/** The statuses of a refusal. */
export type RefusalStatus = {
  [Code in OutcomeCode]: (typeof outcomes)[Code] extends RefusalRow ? Code : never;
}[OutcomeCode];

/** A failure of the table. */
export type KnownFailure<Code extends FailureCode = FailureCode> = Failure & { readonly code: Code };

/** Whether a failure is an outcome of the table. One of another version, or of an actor of the user's own, may be none. */
export function isOutcome(failure: Failure): failure is KnownFailure<OutcomeCode> {
  return failure.kind === "outcome" && findFailure(failure.code).kind === "outcome";
}

/** The names of the texts that each language has. */
export type FailureText =
  | "may_have_arrived"
  | "not_received"
  | {
      [Code in FailureCode]: (typeof failures)[Code] extends { readonly text: infer Name extends string }
        ? Name
        : Code extends OutcomeCode
          ? Code
          : (typeof failures)[Code]["recovery"];
    }[FailureCode];

/** The `detail` of a submit of which the server that keeps the login has said that it has not come. */
export const NOT_RECEIVED = "NOT_RECEIVED";

/** The same, and what a platform calls a connection that was never made. */
const UNCONNECTED =
  /^(NOT_RECEIVED|ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/;
/** The request belongs to another address. Other redirects also follow a form that was taken. */
const MOVED = [301, 307, 308];

/** Whether the bank may have received what was sent with the request of a failure. */
export function mayHaveArrived({
  code,
  request,
  httpStatus = 0,
  detail = "",
}: Pick<Failure, "code" | "request" | "httpStatus" | "detail">): boolean {
  if (code === "network_failed") return !UNCONNECTED.test(detail);
  if (code === "redirect_refused") return !MOVED.includes(httpStatus);
  // A person may cancel while nothing is on its way.
  if (code === "cancelled") return request !== undefined;
  return findFailure(code).mayHaveArrived ?? false;
}

/**
 * A row of the table. A failure may come from a stored snapshot or an actor of the user's own: an unknown code has the row of
 * `unexpected_fault`, and crashes no screen.
 */
export function findFailure(code: string): FailureRow & Pick<KnownFailure, "kind" | "code"> {
  const known = Object.hasOwn(failures, code) ? (code as FailureCode) : "unexpected_fault";
  return { code: known, ...failures[known] };
}
