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

/** One row of the code table: all that is said of a code, but for the texts that people read (`src/core/texts`). */
interface FailureRow {
  /** `outcome`: from the bank, the service or the person, a value. `fault`: something broke, an error. */
  readonly kind: "outcome" | "fault";
  /** What helps. The command's exit code follows from it. */
  readonly recovery: Recovery;
  /** Whether the same call may succeed later without a change. It never means that ventanilla repeats a login. */
  readonly retryable?: true;
  /** Which text people read. Default: an outcome has its own, and faults share that of their recovery. */
  readonly text?: string;
  /** Whether the bank may have received what was sent. People read so, unless the request was a read. */
  readonly mayHaveArrived?: true;
  /** The HTTP codes that it was seen with, for `docs/errors.md`. */
  readonly seen?: readonly number[];
  /** What a developer is told. */
  readonly note: string;
}

/** A refusal of the service: how it is written, and the HTTP code with which a relay passes it on, written in the same way. */
interface RefusalRow extends FailureRow {
  readonly kind: "outcome";
  readonly wire: WireForms;
  readonly relay: number;
}

/** An outcome that does not come from a response. */
interface OwnOutcomeRow extends FailureRow {
  readonly kind: "outcome";
  readonly wire?: undefined;
}

/** A fault, and the HTTP code that stands for it if the relay's own client has it. */
interface FaultRow extends FailureRow {
  readonly kind: "fault";
  readonly relay: RelayFaultStatus;
}

/** With these, a relay reports a fault. What lies behind the relay does not show. */
export type RelayFaultStatus = 400 | 403 | 409 | 429 | 499 | 500 | 502 | 503 | 504;

/**
 * The one code table: every failure that a person can meet, by its `FailureCode`. Statuses of the contract, sections 3 and 7, keep
 * their wire names. Others are what the live service sends beyond it, or our own.
 */
export const failures = {
  wrong_credentials: {
    kind: "outcome",
    recovery: "correct",
    wire: { status: true, codes: ["B1001"] },
    relay: 403,
    seen: [403, 200],
    note: "The bank refuses the user name, the password or another field of the form.",
  },
  missing_credentials: {
    kind: "outcome",
    recovery: "correct",
    wire: { status: true },
    relay: 400,
    seen: [400],
    note: "The bank needs a field that was left empty.",
  },
  provider_doesnt_exist: {
    kind: "outcome",
    recovery: "changeProvider",
    wire: { status: true },
    relay: 404,
    seen: [404],
    note: "The service knows no bank of this code.",
  },
  username_differs: {
    kind: "outcome",
    recovery: "correct",
    wire: { status: true },
    relay: 403,
    note: "The hosted login was made for another user name (`bindUsername`). Nothing was sent to the bank.",
  },
  known_wrong: {
    kind: "outcome",
    recovery: "correct",
    wire: { status: true },
    relay: 403,
    note: "The bank has refused the same form before, at `refusedAt` (`refusals`). Nothing was sent; `again: true` sends it.",
  },
  user_blocked: {
    kind: "outcome",
    recovery: "contactBank",
    wire: { status: true, codes: ["B1011"] },
    relay: 403,
    seen: [403],
    note: "The bank has locked the user.",
  },
  max_sessions_reached: {
    kind: "outcome",
    recovery: "closeSession",
    retryable: true,
    wire: { status: true },
    relay: 403,
    seen: [403],
    note: "The user has too many sessions open at the bank. `key`, if the service sends one, is for a logout, which may end all of them.",
  },
  provider_unavailable: {
    kind: "outcome",
    recovery: "wait",
    retryable: true,
    wire: { status: true },
    relay: 503,
    seen: [503],
    note: "The bank, or the service's way to it, is down.",
  },
  missing_params: {
    kind: "outcome",
    recovery: "correct",
    text: "missing_credentials",
    wire: { status: true },
    relay: 400,
    note: "The request lacks a parameter that the service needs.",
  },
  not_implemented: {
    kind: "outcome",
    recovery: "changeProvider",
    wire: { status: true },
    relay: 501,
    note: "The service does not offer this request for the bank.",
  },
  wrong_answer: {
    kind: "outcome",
    recovery: "retry",
    wire: { codes: ["B1004", "B1002"] },
    relay: 403,
    note: "The bank refuses the code or the answer. The login has ended; a new one asks again.",
  },
  missing_answer: {
    kind: "outcome",
    recovery: "retry",
    wire: { codes: ["B1005", "B1003"] },
    relay: 400,
    note: "The request had no code or answer. The login has ended.",
  },
  provider_session_expired: {
    kind: "outcome",
    recovery: "retry",
    retryable: true,
    wire: { codes: ["B1006"] },
    relay: 403,
    note: "The session at the bank has ended.",
  },
  provider_login_failed: {
    kind: "outcome",
    recovery: "retry",
    retryable: true,
    wire: { codes: ["B1007"] },
    relay: 403,
    note: "The bank did not complete the login, for no reason that it names.",
  },
  password_change_required: {
    kind: "outcome",
    recovery: "retry",
    wire: { codes: ["B1008"] },
    relay: 403,
    note: "The bank wants a new password, set on its own site, before it lets the user in.",
  },
  logout_failed: {
    kind: "outcome",
    recovery: "retry",
    retryable: true,
    wire: { codes: ["B1009"] },
    relay: 403,
    note: "The bank did not close the session; it may still be open.",
  },
  wrong_client: {
    kind: "outcome",
    recovery: "retry",
    wire: { messages: ["wrong_client"], codes: ["B1010"] },
    relay: 404,
    seen: [200],
    note: "The user does not act for the client that was chosen.",
  },
  invalid_key: {
    kind: "outcome",
    recovery: "retry",
    text: "provider_session_expired",
    wire: { messages: ["Invalid key"] },
    relay: 403,
    seen: [200],
    note: "The session key is not known, or has expired. A relay says the same of every key that can't be used.",
  },
  session_incomplete: {
    kind: "outcome",
    recovery: "retry",
    wire: { statuses: ["interaction_required", "select_client"] },
    relay: 403,
    note: "A request on a session was answered as a login is: the bank first asks for an interaction, or for the choice of a client. `asked` says what.",
  },
  unauthorized_provider: {
    kind: "outcome",
    recovery: "changeProvider",
    text: "provider_doesnt_exist",
    wire: { messages: ["Unauthorized provider"] },
    relay: 403,
    note: "The API key is not enabled for this bank.",
  },
  api_key_refused: {
    kind: "outcome",
    recovery: "report",
    wire: { messages: ["Missing API key", "Key not found"] },
    relay: 502,
    seen: [401, 403],
    note: "The service received no API key, or does not know it: `apiKey` of the client.",
  },
  unexpected_status: {
    kind: "outcome",
    recovery: "report",
    text: "report",
    wire: {},
    relay: 200,
    note: "The service sent a status that the contract does not have: `wire.status`.",
  },
  cancelled: {
    kind: "outcome",
    recovery: "retry",
    retryable: true,
    mayHaveArrived: true,
    note: "The person, or the program, cancelled the login. If the outcome has a `request`, the bank may have received it.",
  },
  expired: {
    kind: "outcome",
    recovery: "retry",
    retryable: true,
    note: "The time to answer, or the deadline of the login, has passed.",
  },
  approval_denied: {
    kind: "outcome",
    recovery: "retry",
    note: "The login was declined in the bank's app. Only a client with `awaitApproval` knows.",
  },
  too_many_interactions: {
    kind: "outcome",
    recovery: "contactBank",
    note: "The bank asked more often than `interactionLimit` allows; the login was stopped to protect the account.",
  },
  no_clients: {
    kind: "outcome",
    recovery: "contactBank",
    seen: [200],
    note: "The bank asks to choose a client, and its list is empty.",
  },
  client_selection_off: {
    kind: "outcome",
    recovery: "retry",
    note: "The bank asks to choose a client (`select_client`), and the login may not list them: pass `onSelectClient` or `clientSelection: true`. `key` is the session's.",
  },
  network_failed: {
    kind: "fault",
    recovery: "retry",
    retryable: true,
    text: "network_failed",
    mayHaveArrived: true,
    relay: 502,
    note: "No connection, or it broke: `detail` has the platform's code. The bank may have received a login.",
  },
  request_timed_out: {
    kind: "fault",
    recovery: "wait",
    retryable: true,
    text: "request_timed_out",
    mayHaveArrived: true,
    relay: 504,
    note: "No complete response within the time-out or before the deadline. The bank may have received a login.",
  },
  request_aborted: {
    kind: "fault",
    recovery: "retry",
    retryable: true,
    text: "request_aborted",
    mayHaveArrived: true,
    relay: 499,
    note: "A signal of the program stopped the request. The bank may have received a login.",
  },
  outcome_unknown: {
    kind: "fault",
    recovery: "wait",
    retryable: true,
    text: "outcome_unknown",
    relay: 409,
    seen: [400, 403, 404, 405, 408, 409, 413, 421, 425, 500, 502, 504],
    note: "The bank may have received the request, and what came in place of its response does not say. Do not repeat it at once: each login counts as a try at the bank.",
  },
  redirect_refused: {
    kind: "fault",
    recovery: "report",
    text: "redirect_refused",
    mayHaveArrived: true,
    relay: 500,
    seen: [301, 302, 303, 307, 308],
    note: "The response was a redirect. To follow it would send the API key and the password to another address. After HTTP 301, 307 and 308 nobody has taken the request; after another redirect the bank may have received a login.",
  },
  response_unreadable: {
    kind: "fault",
    recovery: "wait",
    retryable: true,
    text: "report",
    relay: 502,
    note: "The response is no JSON object with a status.",
  },
  response_against_contract: {
    kind: "fault",
    recovery: "report",
    relay: 502,
    note: "The response lacks a member that the contract promises, or has it in another form: `field` names it. Or it is larger than `responseLimit`, or nested too deeply: `detail` says so.",
  },
  rate_limited: {
    kind: "fault",
    recovery: "wait",
    retryable: true,
    text: "rate_limited",
    relay: 429,
    seen: [429],
    note: "HTTP 429: too many requests. `retryAfter` is how long to wait, if the service says so.",
  },
  service_unavailable: {
    kind: "fault",
    recovery: "wait",
    retryable: true,
    text: "service_unavailable",
    mayHaveArrived: true,
    relay: 503,
    seen: [502, 503, 504],
    note: "HTTP 502, 503 or 504 without a status; for a login only 503, and the bank may have received it. At 502 and 504 a login is `outcome_unknown`.",
  },
  http_failed: {
    kind: "fault",
    recovery: "report",
    relay: 500,
    seen: [400, 401, 403, 404, 405, 413, 415, 500],
    note: "Another HTTP error without a status: `httpStatus` has its code. After 401 or 403, something before the service refuses the request.",
  },
  app_refused: {
    kind: "fault",
    recovery: "report",
    text: "app_refused",
    relay: 500,
    seen: [401, 403],
    note: "The relay does not accept the app's token: `checkAppToken` of the relay, `headers` of the client.",
  },
  not_signed_in: {
    kind: "fault",
    recovery: "retry",
    text: "not_signed_in",
    relay: 500,
    seen: [401],
    note: "The relay's `readUser` knows no user for the request: the person is not signed in to the page or the app.",
  },
  invalid_setup: {
    kind: "fault",
    recovery: "report",
    text: "invalid_setup",
    relay: 500,
    seen: [403, 404, 500],
    note: "A program is not set up as it must be: `detail` says what to change. Nothing was sent to the bank.",
  },
  invalid_input: {
    kind: "fault",
    recovery: "correct",
    relay: 400,
    note: "A value of the caller can't be used: `field` names it, `detail` says why. Nothing was sent.",
  },
  missing_field: {
    kind: "fault",
    recovery: "correct",
    text: "missing_credentials",
    relay: 400,
    note: "A required value is missing: `field` names it. Nothing was sent.",
  },
  secret_unavailable: {
    kind: "fault",
    recovery: "retry",
    text: "secret_unavailable",
    relay: 400,
    note: "A secret has lost its value, because it went through JSON, a clone or another process.",
  },
  handler_failed: {
    kind: "fault",
    recovery: "report",
    relay: 500,
    note: "A function of the caller threw: `field` names it, `cause` is what it threw.",
  },
  login_not_waiting: {
    kind: "fault",
    recovery: "wait",
    retryable: true,
    text: "login_not_waiting",
    relay: 500,
    note: "A login can be paused only while it waits for a person: `detail` names its state.",
  },
  outcome_used: {
    kind: "fault",
    recovery: "retry",
    text: "outcome_used",
    relay: 500,
    note: "An outcome can be answered, cancelled or paused once. Nothing was sent.",
  },
  token_invalid: {
    kind: "fault",
    recovery: "retry",
    relay: 403,
    note: "The token can't be opened: `detail` says whether it is incomplete, was altered, has expired (`sealTtl`, or the time of its interaction), or is of another version, key or address (`baseUrl`).",
  },
  token_used: {
    kind: "fault",
    recovery: "retry",
    text: "token_used",
    relay: 403,
    note: "The token was resumed before, or the interaction was answered before: each works once.",
  },
  session_not_found: {
    kind: "fault",
    recovery: "retry",
    relay: 500,
    note: "There is no hosted login of this id: none was created, or its `retention` is over.",
  },
  key_unavailable: {
    kind: "fault",
    recovery: "retry",
    relay: 500,
    note: "The session key of the hosted login is not available: `detail` has the status, if that is not `logged_in`, or says that another taker has it.",
  },
  secret_in_argument: {
    kind: "fault",
    recovery: "correct",
    relay: 500,
    note: "The command was given a secret as an argument, where other programs and the shell's history can read it.",
  },
  file_unusable: {
    kind: "fault",
    recovery: "correct",
    relay: 500,
    note: "A file of the command can't be read or written: `field` names the option.",
  },
  unexpected_fault: {
    kind: "fault",
    recovery: "report",
    relay: 500,
    note: "Something broke that has no code of its own, or a code of another version.",
  },
} as const satisfies Record<string, RefusalRow | OwnOutcomeRow | FaultRow>;

/** Every code of the table: each is an `OutcomeCode` or a `FaultCode`. */
export type FailureCode = keyof typeof failures;

type CodeOfKind<Kind extends FailureRow["kind"]> = {
  [Code in FailureCode]: (typeof failures)[Code]["kind"] extends Kind ? Code : never;
}[FailureCode];

/** The codes of outcomes: returned as values. */
export type OutcomeCode = CodeOfKind<"outcome">;

/** The codes of faults: carried by errors. */
export type FaultCode = CodeOfKind<"fault">;

/** The statuses of a refusal. */
export type RefusalStatus = {
  [Code in FailureCode]: (typeof failures)[Code] extends RefusalRow ? Code : never;
}[FailureCode];

/** A failure of the table. */
export type KnownFailure<Code extends FailureCode = FailureCode> = Failure & { readonly code: Code };

/** Whether a failure is an outcome of the table. One of another version, or of an actor of the user's own, may be none. */
export function isOutcome(failure: Failure): failure is KnownFailure<OutcomeCode> {
  return failure.kind === "outcome" && findFailure(failure.code).kind === "outcome";
}

/** The names of the texts that each language has. */
export type FailureText =
  | "may_have_arrived"
  | {
      [Code in FailureCode]: (typeof failures)[Code] extends { readonly text: infer Name extends string }
        ? Name
        : Code extends OutcomeCode
          ? Code
          : (typeof failures)[Code]["recovery"];
    }[FailureCode];

/** What a platform calls a connection that was never made. */
const UNCONNECTED = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/;
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
export function findFailure(code: string): FailureRow & { readonly code: FailureCode } {
  const known = Object.hasOwn(failures, code) ? (code as FailureCode) : "unexpected_fault";
  return { code: known, ...failures[known] };
}
