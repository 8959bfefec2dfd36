import type { BankError } from "../api/errors.ts";
import { failureText } from "../api/failures.ts";
import type { RelayFaultCode } from "../api/relay-faults.ts";

/** An answer to the browser before it becomes a response. */
export interface RelayAnswer {
  readonly http: number;
  /** Written member by member: nothing of the service's answer comes here by itself. */
  readonly body?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** For the log: why there was no outcome. */
  readonly reason?: string;
  /** For the log: the bank's code, as the browser wrote it. */
  readonly provider?: string;
}

/** An answer of the contract: its status decides. */
export const says = (status: string, members: Readonly<Record<string, unknown>> = {}, http = 200): RelayAnswer => ({
  http,
  body: { status, ...members },
});

const refused = (reason: string, message: string, http: number, headers: Readonly<Record<string, string>> = {}) => ({
  http,
  body: { status: "error", message },
  headers,
  reason,
});

export const missingCredentials = says("missing_credentials", {}, 400);
export const missingParams = says("missing_params", {}, 400);
export const providerDoesntExist = says("provider_doesnt_exist", {}, 404);

/** One answer for every key that can't be used, whatever is wrong with it: who tries keys learns nothing. */
export const invalidKey: RelayAnswer = refused("invalid_key", "Invalid key", 403);

export const notFound: RelayAnswer = refused("not_found", "Not found", 404);
export const methodNotAllowed = (method: string): RelayAnswer =>
  refused("method_not_allowed", "Method not allowed", 405, { allow: method });
export const headerMissing: RelayAnswer = refused("header_missing", "Header X-Ventanilla missing", 403);
/** Without it a browser's own repeat could not be told from a second login. */
export const attemptIdMissing: RelayAnswer = refused("attempt_id_missing", "Header X-Attempt-Id missing", 400);
export const attemptIdReused: RelayAnswer = refused("attempt_id_reused", "Attempt id used for another request", 403);
export const misplacedKey: RelayAnswer = refused("misplaced_key", "Key in the wrong place", 400);
export const malformedQuery: RelayAnswer = refused("malformed_query", "Malformed query", 400);
export const malformedFields: RelayAnswer = refused("malformed_fields", "Malformed fields", 400);
const unusableInput: RelayAnswer = refused("unusable_input", "A value can't be sent", 400);
export const unsupportedContentType: RelayAnswer = refused("content_type", "Unsupported content type", 415);
export const requestAborted: RelayAnswer = refused("request_aborted", "Request aborted", 499);
// The unread rest of the body makes the connection useless for another request.
export const bodyTooLarge: RelayAnswer = refused("body_too_large", "Body too large", 413, { connection: "close" });
export const slowBody: RelayAnswer = refused("slow_body", "Body too slow", 408, { connection: "close" });

/** A fault has no status, as that of any proxy: the HTTP code decides, and the browser's client makes its own error of it. */
function fault(
  http: number,
  code: "rate_limited" | "service_unavailable" | "http_failed" | "outcome_unknown" | RelayFaultCode,
  retryAfter?: number,
) {
  return {
    http,
    body: { error: code, message: failureText(code) },
    headers: retryAfter === undefined ? {} : { "retry-after": String(Math.max(1, Math.ceil(retryAfter / 1000))) },
  };
}

/** Too many requests of a caller, or for a user; `wait` in milliseconds. */
export const rateLimited = (wait: number, reason: "caller_limited" | "user_limited"): RelayAnswer => ({
  ...fault(429, "rate_limited", wait),
  reason,
});

/** The same attempt arrived before: whether the bank has it, and what it said, is not known here. Nothing is sent. */
export const outcomeUnknown: RelayAnswer = { ...fault(409, "outcome_unknown"), reason: "outcome_unknown" };

// Of how the relay is set up: the browser's client makes an error of each that says what to change.
export const originRefused: RelayAnswer = { ...fault(403, "origin_refused"), reason: "origin_refused" };
export const bodyAlreadyRead: RelayAnswer = { ...fault(500, "body_already_read"), reason: "body_already_read" };
export const slashChanged: RelayAnswer = { ...fault(404, "slash_changed"), reason: "slash_changed" };

/** What the browser is told of a fault: what to do about it, and nothing of what lies behind the relay. */
export function faultAnswer(error: BankError): RelayAnswer {
  if (error.code === "request_aborted") return requestAborted;
  return { ...told(error), reason: error.code };
}

function told({ code, retryAfter }: BankError): RelayAnswer {
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
    case "answer_unreadable":
    case "answer_against_contract":
    case "answer_too_large":
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
