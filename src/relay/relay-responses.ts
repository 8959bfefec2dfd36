import { type BankError, TokenError } from "../api/errors.ts";
import { failureText } from "../api/failures.ts";
import type { Refusal, RefusalStatus } from "../api/refusals.ts";
import type { RelayFaultCode } from "../api/relay-faults.ts";

/** What the browser gets, before it becomes a `Response`. */
export interface RelayResponse {
  readonly httpStatus: number;
  /** Written member by member: nothing of the service's response comes here by itself. */
  readonly body?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** For the log: why there was no outcome. */
  readonly reason?: string;
  /** For the log: the entry of the attempt that got this response. A repeat is logged as the same login. */
  readonly logEntry?: { readonly id: string; readonly provider?: string };
}

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

/** The same for every key that can't be used, so that trying keys reveals nothing. The log gets the reason. */
export const invalidKey = refuse("invalid_key", "Invalid key", 403);

export const notFound = refuse("not_found", "Not found", 404);
export const methodNotAllowed = (method: string): RelayResponse =>
  refuse("method_not_allowed", "Method not allowed", 405, { allow: method });
export const headerMissing = refuse("header_missing", "Header X-Ventanilla missing", 403);
/** Without it a browser's own repeat could not be distinguished from a second login. */
export const attemptIdMissing = refuse("attempt_id_missing", "Header X-Attempt-Id missing", 400);
export const attemptIdReused = refuse("attempt_id_reused", "Attempt id used for another request", 403);
export const misplacedKey = refuse("misplaced_key", "Key in the wrong place", 400);
export const malformedQuery = refuse("malformed_query", "Malformed query", 400);
export const malformedFields = refuse("malformed_fields", "Malformed fields", 400);
const unusableInput = refuse("unusable_input", "A value can't be sent", 400);
export const unsupportedContentType = refuse("content_type", "Unsupported content type", 415);
export const requestAborted = refuse("request_aborted", "Request aborted", 499);
// The unread rest of the body makes the connection useless for another request.
export const bodyTooLarge = refuse("body_too_large", "Body too large", 413, { connection: "close" });
export const slowBody = refuse("slow_body", "Body too slow", 408, { connection: "close" });

/** A fault has no status, as that of any proxy: the HTTP code decides, and the browser's client makes its own error of it. */
function fault(
  httpStatus: number,
  code: "rate_limited" | "service_unavailable" | "http_failed" | "outcome_unknown" | RelayFaultCode,
  retryAfter?: number,
): RelayResponse {
  return {
    httpStatus,
    body: { error: code, message: failureText(code) },
    headers: retryAfter === undefined ? {} : { "retry-after": String(Math.max(1, Math.ceil(retryAfter / 1000))) },
    reason: code,
  };
}

/** Too many requests of a caller, or for a user; `wait` in milliseconds. */
export const rateLimited = (wait: number, reason: "caller_limited" | "user_limited"): RelayResponse => ({
  ...fault(429, "rate_limited", wait),
  reason,
});

/** The bank may have got the request, now or in an attempt that arrived before, and its response is not known here. */
export const outcomeUnknown = fault(409, "outcome_unknown");

// Faults of how the relay is set up: the browser's client makes an error of each that says what to change.
export const originRefused = fault(403, "origin_refused");
export const appsNotServed = fault(403, "app_refused");
// HTTP requires the header with a 401.
export const appRefused = { ...fault(401, "app_refused"), headers: { "www-authenticate": "Bearer" } };
export const bodyAlreadyRead = fault(500, "body_already_read");
export const slashChanged = fault(404, "slash_changed");

/**
 * The response to a fault: what to do about it, and nothing of what lies behind the relay.
 *
 * @param isSentOnce whether the person must not send the request again at once if the bank may have got it.
 */
export function toFaultResponse(error: BankError, isSentOnce: boolean): RelayResponse {
  if (error.code === "request_aborted") return requestAborted;
  if (error instanceof TokenError) return { ...invalidKey, reason: error.code };
  const response = isSentOnce && mayHaveArrived(error) ? outcomeUnknown : describeFault(error);
  return { ...response, reason: error.code };
}

// What Node calls a connection that was never made.
const UNCONNECTED = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/;

function mayHaveArrived({ code, httpStatus = 0, detail = "" }: BankError): boolean {
  if (code === "network_failed") return !UNCONNECTED.test(detail);
  // A gateway does not know what became of a request. Only 503 says that it was not handled.
  if (code === "http_failed" || code === "service_unavailable") return httpStatus >= 500 && httpStatus !== 503;
  return code === "request_timed_out" || code.startsWith("response_");
}

function describeFault({ code, retryAfter }: BankError): RelayResponse {
  switch (code) {
    case "outcome_unknown":
      return outcomeUnknown;
    case "request_timed_out":
      return fault(504, "service_unavailable");
    case "service_unavailable":
      return fault(503, "service_unavailable", retryAfter);
    case "rate_limited":
      return fault(429, "rate_limited", retryAfter);
    case "network_failed":
    case "redirect_refused":
    case "response_unreadable":
    case "response_against_contract":
    case "response_too_large":
    case "access_refused":
    case "http_failed":
      return fault(502, "service_unavailable");
    case "invalid_input":
    case "missing_field":
    case "secret_unavailable":
      return unusableInput;
    default:
      return fault(500, "http_failed");
  }
}

/** A refusal on the wire, so that the browser's client reads the same refusal as the relay's. */
type Wire = readonly [
  http: number,
  members: { readonly status: string; readonly code?: string; readonly message?: string },
];

/** Refusals of the relay itself, not of the person's login: the browser gets a fault instead. */
type OwnRefusal = "missing_api_key" | "unknown_api_key";

const wires: { readonly [Status in Exclude<RefusalStatus, OwnRefusal | "unexpected_status" | "invalid_key">]: Wire } = {
  wrong_credentials: [403, { status: "wrong_credentials" }],
  missing_credentials: [400, { status: "missing_credentials" }],
  provider_doesnt_exist: [404, { status: "provider_doesnt_exist" }],
  user_blocked: [403, { status: "user_blocked" }],
  max_sessions_reached: [403, { status: "max_sessions_reached" }],
  provider_unavailable: [503, { status: "provider_unavailable" }],
  missing_params: [400, { status: "missing_params" }],
  not_implemented: [501, { status: "not_implemented" }],
  wrong_answer: [403, { status: "error", code: "B1004" }],
  missing_answer: [400, { status: "error", code: "B1005" }],
  provider_session_expired: [403, { status: "error", code: "B1006" }],
  provider_login_failed: [403, { status: "error", code: "B1007" }],
  password_change_required: [403, { status: "error", code: "B1008" }],
  logout_failed: [403, { status: "error", code: "B1009" }],
  wrong_client: [404, { status: "error", message: "wrong_client" }],
  unauthorized_provider: [403, { status: "error", message: "Unauthorized provider" }],
};

const refuseAs = (status: keyof typeof wires): RelayResponse => {
  const [httpStatus, { status: wireStatus, ...members }] = wires[status];
  return respond(wireStatus, members, httpStatus);
};

/** The same for the browser, whether the bank or the relay says so. */
export const wrongClient = refuseAs("wrong_client");

/** A refusal for the browser (contract, section 7), without the service's own texts. Its key is not in it. */
export function toRefusalResponse({ status, wire }: Refusal): RelayResponse {
  if (status === "invalid_key") return invalidKey;
  if (Object.hasOwn(wires, status)) return refuseAs(status as keyof typeof wires);
  // An unknown status is passed on where it reads like one: the page may know it.
  return respond(/^[a-z_]{1,40}$/.test(wire.status) ? wire.status : "error");
}

/** Headers of every response. */
const ALWAYS = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  // Pages of allowed origins read the responses by CORS; no other page may even embed one.
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  vary: "Origin",
  "x-content-type-options": "nosniff",
};

/** Makes a `Response` that no cache keeps, no page embeds and no browser takes for anything but JSON. */
export function toResponse(
  { httpStatus: status, body, headers }: RelayResponse,
  corsHeaders: Readonly<Record<string, string>>,
): Response {
  const all = { ...ALWAYS, ...corsHeaders, ...headers };
  if (!body) return new Response(null, { status, headers: all });
  return new Response(JSON.stringify(body), { status, headers: { ...all, "content-type": "application/json" } });
}
