import { RELAY_HEADER } from "../../core/api/bank-request.ts";
import type { BankError } from "../../core/api/errors.ts";
import { failureNotes } from "../../core/api/failure-notes.ts";
import {
  failures,
  mayHaveArrived,
  type RefusalStatus,
  type RelayFaultStatus,
  type WireForms,
} from "../../core/api/failures.ts";
import type { Refusal } from "../../core/api/refusals.ts";
import { isRelayFault, type RelayFaultReason, relayFaults } from "../../core/api/relay-faults.ts";

/** The response to the browser, before it becomes a `Response`. */
export interface RelayResponse {
  readonly httpStatus: number;
  /** Written member by member: nothing of the service's response is copied implicitly. */
  readonly body?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Why there was no outcome, for the log. */
  readonly reason?: string;
}

/** Whether a check has returned a refusal instead of a value. */
export const isRefusal = (read: object): read is RelayResponse => "httpStatus" in read;

/** A response of the contract: its status decides. */
export const respond = (
  status: string,
  members: Readonly<Record<string, unknown>> = {},
  httpStatus = 200,
): RelayResponse => ({ httpStatus, body: { status, ...members } });

const refuse = (
  reason: string,
  message: string,
  httpStatus: number,
  headers: Readonly<Record<string, string>> = {},
): RelayResponse => ({
  httpStatus,
  body: { status: "error", message },
  headers,
  reason,
});

export const missingCredentials = respond("missing_credentials", {}, 400);
export const missingParams = respond("missing_params", {}, 400);
export const providerDoesntExist = respond("provider_doesnt_exist", {}, 404);

/** The same for every key that can't be used, so that guessing keys reveals nothing. The log has the reason. */
export const invalidKey = refuse("invalid_key", "Invalid key", 403);

export const notFound = refuse("not_found", "Not found", 404);
export const methodNotAllowed = (method: string): RelayResponse =>
  refuse("method_not_allowed", "Method not allowed", 405, { allow: method });
export const headerMissing = refuse("header_missing", "Header X-Ventanilla missing", 403);
/** Without them it is unknown whose login it is, and a repeat looks like a second login. */
export const loginMissing = refuse("login_missing", "Headers X-Ventanilla-Login and X-Ventanilla-Token missing", 400);
export const submitMissing = refuse("submit_missing", "Header X-Ventanilla-Submit missing", 400);
export const malformedQuery = refuse("malformed_query", "Malformed query", 400);
export const malformedFields = refuse("malformed_fields", "Malformed fields", 400);
const unusableInput = refuse("unusable_input", "A value can't be sent", 400);
export const unsupportedContentType = refuse("content_type", "Unsupported content type", 415);
export const requestAborted = refuse("request_aborted", "Request aborted", 499);
// The unread rest of the body makes the connection unusable for another request.
export const bodyTooLarge = refuse("body_too_large", "Body too large", 413, { connection: "close" });
export const slowBody = refuse("slow_body", "Body too slow", 408, { connection: "close" });

/** A fault has no status, like a proxy's: the HTTP code decides, and the browser's client creates its own error from it. */
function fault(
  httpStatus: number,
  code: "rate_limited" | "service_unavailable" | "http_failed" | "outcome_unknown" | RelayFaultReason,
  retryAfter?: number,
): RelayResponse {
  return {
    httpStatus,
    body: { error: code, message: isRelayFault(code) ? relayFaults[code].advice : failureNotes[code].note },
    ...toRetryAfter(retryAfter),
    reason: code,
  };
}

/** Milliseconds as the header, in whole seconds. */
function toRetryAfter(wait: number | undefined): Pick<RelayResponse, "headers"> {
  return { headers: wait === undefined ? {} : { "retry-after": String(Math.max(1, Math.ceil(wait / 1000))) } };
}

/** Too many requests of a caller, or for a user; `wait` in milliseconds. */
export const rateLimited = (wait: number, reason: "caller_limited" | "user_limited"): RelayResponse => ({
  ...fault(429, "rate_limited", wait),
  reason,
});

/** The bank may have got the request, and its response is not known here. */
export const outcomeUnknown = fault(409, "outcome_unknown");

/** It did not arrive, and is refused if it arrives later. */
export const unknownSubmit = respond("unknown_submit", {}, 404);

// Faults of the relay's set-up: the browser's client creates an error from each that says what to change.
export const originRefused = fault(403, "origin_refused");
export const appsNotServed = fault(403, "app_refused");
// HTTP requires the header with a 401.
export const appRefused = { ...fault(401, "app_refused"), headers: { "www-authenticate": "Bearer" } };
export const notSignedIn = { ...fault(401, "not_signed_in"), headers: { "www-authenticate": "Bearer" } };
export const bodyAlreadyRead = fault(500, "body_already_read");
export const slashChanged = fault(404, "slash_changed");
export const pathDiffers = fault(404, "path_differs");

/**
 * The response to a fault: what to do, and nothing about the systems behind the relay.
 *
 * @param isSentOnce whether the person must not send the request again at once if the bank may have got it.
 */
export function toFaultResponse(error: BankError, isSentOnce: boolean): RelayResponse {
  if (error.code === "request_aborted") return requestAborted;
  if (error.code === "token_invalid") return { ...invalidKey, reason: `${error.code}: ${error.detail}` };
  // The text of `service_unavailable` says that the bank may have received a login.
  const isUnknown = isSentOnce && error.code !== "service_unavailable" && mayHaveArrived(error);
  const response = isUnknown ? outcomeUnknown : faultResponses[failures[error.code].relay];
  const isOver = response.httpStatus === 429 || response.httpStatus === 503;
  return { ...response, ...(isOver && toRetryAfter(error.retryAfter)), reason: error.code };
}

/** The bank is still working on a submit: the page asks again. */
export const stillWorking: RelayResponse = fault(503, "service_unavailable");

/** The login has reached its limit of submits. */
export const tooManySubmits: RelayResponse = { ...fault(429, "rate_limited"), reason: "login_limited" };

/** The responses to faults of the relay's own client. */
const faultResponses: { readonly [Status in RelayFaultStatus]: RelayResponse } = {
  400: unusableInput,
  403: invalidKey,
  409: outcomeUnknown,
  429: fault(429, "rate_limited"),
  499: requestAborted,
  500: fault(500, "http_failed"),
  502: fault(502, "service_unavailable"),
  503: fault(503, "service_unavailable"),
  504: fault(504, "service_unavailable"),
};

/** A refusal as the browser's client reads it. */
function refuseAs(
  status: RefusalStatus,
  {
    missingFields: missing_fields,
    refusedAt: refused_at,
    description,
  }: Pick<Refusal, "missingFields" | "refusedAt" | "description"> = {},
): RelayResponse {
  const { wire, relay }: { readonly wire: WireForms; readonly relay: number } = failures[status];
  const { status: isStatus, messages, codes } = wire;
  // Only an error with a code has a text for the person.
  if (description !== undefined) return respond("error", { code: codes?.[0], description }, relay);
  if (isStatus)
    return respond(status, { ...(missing_fields && { missing_fields }), ...(refused_at && { refused_at }) }, relay);
  return respond("error", messages ? { message: messages[0] } : { code: codes?.[0] }, relay);
}

/** The same response, whether the bank or the relay refuses. */
export const wrongClient = refuseAs("wrong_client");

/** A refusal for the browser (contract, section 7). It contains only the service's text for the person, and not the key. */
export function toRefusalResponse(refusal: Refusal): RelayResponse {
  const { status, wire, asked } = refusal;
  if (status === "invalid_key") return invalidKey;
  if (asked) {
    const { status, ...members } = asked;
    return respond(
      status,
      "context" in members ? { field: members.fields ?? members.field, context: members.context } : {},
      failures.session_incomplete.relay,
    );
  }
  if (status !== "unexpected_status") return refuseAs(status, refusal);
  // An unknown status is passed on if it has the form of one: the page may know it.
  return respond(/^[a-z_]{1,40}$/.test(wire.status) ? wire.status : "error");
}

/** Headers of every response. */
const ALWAYS = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  // Pages of allowed origins read the responses by CORS; no other page may even embed one.
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  // The client accepts no other response as the outcome of a login.
  [RELAY_HEADER]: "1",
  vary: "Origin",
  "x-content-type-options": "nosniff",
};

/** Creates a `Response` that is not cached, not embedded and not interpreted as anything but JSON. */
export function toResponse(
  { httpStatus: status, body, headers }: RelayResponse,
  more: Readonly<Record<string, string>>,
): Response {
  const all = { ...ALWAYS, ...more, ...headers };
  if (!body) return new Response(null, { status, headers: all });
  return new Response(JSON.stringify(body), { status, headers: { ...all, "content-type": "application/json" } });
}
