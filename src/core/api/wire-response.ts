import {
  type BankRequest,
  isNumbered,
  KNOWS_USERS,
  listSecrets,
  RELAY_HEADER,
  type RequestName,
  SUBMIT_HEADER,
} from "./bank-request.ts";
import { BankError, type FaultMaterial } from "./errors.ts";
import type { FaultCode } from "./failures.ts";
import { parseRelayFault } from "./relay-faults.ts";
import { formatRelayKey, type RelayLogin } from "./relay-login.ts";
import { parseJson, type ReceivedResponse } from "./response-body.ts";

/** A response whose body is a JSON object with a status, known or not. */
export interface WireResponse extends RequestName {
  readonly httpStatus: number;
  readonly status: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** The password, the answers and the keys that the request contained. */
  readonly secrets: readonly string[];
  /** Whether a relay has written it. */
  readonly isOfRelay: boolean;
  /** The login at a relay that it is of, with the last number that the relay has reported. */
  readonly login: RelayLogin | undefined;
}

/**
 * Reads a response: its status decides, whatever the HTTP code (contract, section 2).
 *
 * @throws {BankError} why it can't be read; `outcome_unknown` if the bank may have received a request that is sent once.
 */
export function parseResponse(request: BankRequest, response: ReceivedResponse): WireResponse {
  const { settings, isOnce } = request;
  const { text } = response;
  const name = { ...request.name, httpStatus: response.status };
  const body = parseJson(text);
  const isOfRelay = settings.kind === "relay" && body !== undefined && response.headers.has(RELAY_HEADER);
  if (isOfRelay) reportRelay(request, response);
  // A proxy may respond after it has passed a login on.
  const login = request.login && { ...request.login, last: readLastNumber(response) ?? request.login.last };
  const read = hasStatus(body) ? withRelayKey(withKey(body), login) : undefined;
  const isOurResponse = !isNumbered(request) || (settings.kind === "service" ? read !== undefined : isOfRelay);
  if (isOurResponse && read) {
    const secrets = listSecrets(request, read["key"]);
    return { ...name, status: read.status, body: read, secrets, isOfRelay, login };
  }
  const detail = response.ok && isWebPage(text) ? WEB_PAGE : undefined;
  const fault = toFault(isOfRelay, response, body, { ...name, detail, retryAfter: readRetryAfter(response) });
  const isConclusive = isOurResponse ? !response.ok : CONCLUSIVE_STATUSES.includes(response.status);
  throw isOnce && !isConclusive ? toOutcomeUnknown(fault, name) : fault;
}

/** The server says which submit was the last: another tab may have sent one. And whether it knows users. */
function reportRelay({ settings: { relay }, onRelay }: BankRequest, response: ReceivedResponse): void {
  if (relay) relay.hasUsers = response.headers.get(RELAY_HEADER) === KNOWS_USERS;
  const last = readLastNumber(response);
  onRelay?.({ last, isUnderWay: last === undefined && [429, 503].includes(response.status) });
}

/** The header `Retry-After` in milliseconds. More than a day is a mistake: no caller waits so long. */
export function readRetryAfter({ headers }: Pick<Response, "headers">): number | undefined {
  const header = headers.get("retry-after") ?? "";
  // Date.parse reads "1.5" as a day in January; an HTTP date begins with the day of the week.
  const time = /^[A-Z][a-z]+,? /.test(header) ? Date.parse(header) : Number.NaN;
  const wait = /^\d+$/.test(header) ? Number(header) * 1000 : Math.max(0, time - Date.now());
  return wait <= 86_400_000 ? wait : undefined;
}

/** The fault of a response without a readable status. */
function toFault(
  isOfRelay: boolean,
  { ok, status }: ReceivedResponse,
  value: unknown,
  details: FaultMaterial,
): BankError {
  if (ok) return new BankError("response_unreadable", details);
  if (isOfRelay) {
    // The service's response says nothing, or the result of the request is unknown.
    if (status === 409) return new BankError("outcome_unknown", details);
    const fault = parseRelayFault(value);
    if (fault) return new BankError(fault.code, { ...details, detail: fault.detail });
  }
  return new BankError(toHttpCode(status), details);
}

const WEB_PAGE = "a web page in place of JSON";

const isWebPage = (text: string): boolean => /^\s*<(!doctype|html|head|body|\?xml)/i.test(text);

/** HTTP codes of a service that has a problem for the moment. */
const PASSING = [408, 425, 429];

/**
 * Whether the response to a read is plainly not the service's, but of another address, or of a proxy that lets nothing through: a web page, a redirect,
 * a 4xx without a status. A read that breaks in passing is another case.
 */
export function isFromElsewhere({ code, httpStatus = 0, detail }: BankError): boolean {
  if (code === "response_unreadable") return detail === WEB_PAGE;
  if (code === "http_failed") return httpStatus >= 400 && httpStatus < 500 && !PASSING.includes(httpStatus);
  return ["redirect_refused", "invalid_setup", "app_refused"].includes(code);
}

// A proxy asks for an identification or for fewer requests before it passes anything on. The fault of 503 has a text that says the same.
const CONCLUSIVE_STATUSES = [401, 429, 503];

/** The fault of a request that the bank may have received. `detail` says what came in place of a response that can be read. */
export function toOutcomeUnknown(fault: BankError, name: RequestName): BankError {
  const { code, httpStatus, retryAfter, detail } = fault;
  const reason = detail === undefined ? code : `${code}: ${detail}`;
  return new BankError("outcome_unknown", { ...name, httpStatus, retryAfter, detail: reason });
}

/** The official SDK has recorded responses with `session_key` in place of `key`. */
function withKey<Body extends Record<string, unknown>>(body: Body): Body {
  return body["key"] === undefined && body["session_key"] !== undefined ? { ...body, key: body["session_key"] } : body;
}

/** A relay names a step. The key that is given out has all that the next request needs. */
function withRelayKey<Body extends Record<string, unknown>>(body: Body, login: RelayLogin | undefined): Body {
  const { key: step } = body;
  return login && typeof step === "string" ? { ...body, key: formatRelayKey({ ...login, step }) } : body;
}

/** The number of the last submit that a relay knows. */
export function readLastNumber({ headers }: Pick<Response, "headers">): number | undefined {
  const text = headers.get(SUBMIT_HEADER) ?? "";
  return /^\d{1,5}$/.test(text) ? Number(text) : undefined;
}

function hasStatus(value: unknown): value is Record<string, unknown> & { status: string } {
  return typeof value === "object" && value !== null && "status" in value && typeof value.status === "string";
}

function toHttpCode(httpStatus: number): FaultCode {
  if (httpStatus === 429) return "rate_limited";
  if ([502, 503, 504].includes(httpStatus)) return "service_unavailable";
  return "http_failed";
}
