import {
  type BankRequest,
  createHeaders,
  createQuery,
  formatMasked,
  listSecrets,
  RELAY_HEADER,
  type RequestName,
  toRequestName,
} from "./bank-request.ts";
import type { ClientSettings } from "./client-options.ts";
import { BankError, createHandlerError, type FaultMaterial } from "./errors.ts";
import type { FaultCode } from "./failures.ts";
import { parseRelayFault, relayFaults } from "./relay-faults.ts";
import { discard, parseJson, readText } from "./response-body.ts";

interface ResponseName extends RequestName {
  readonly httpStatus: number;
}

/** A response whose body is a JSON object with a status, known or not. */
export interface WireResponse extends ResponseName {
  readonly status: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** The header `Retry-After`, in milliseconds. */
  readonly retryAfter: number | undefined;
  /** The password, the answers and the keys that the request contained. */
  readonly secrets: readonly string[];
  /** Characters that its key may have. */
  readonly keyLimit: number;
}

/**
 * Sends one request once and reads its whole response, within the time-out.
 *
 * @param isOnce whether the platform must not send it again either. Reads may be sent again.
 * @throws {BankError} a fault; nothing of the request or the response is in it but method, address, path template and HTTP code.
 */
export async function exchange(
  settings: ClientSettings,
  request: BankRequest,
  attempt: number,
  isOnce = true,
): Promise<WireResponse> {
  const name = toRequestName(settings, request);
  const timeout = Math.min(request.timeout, request.deadline - Date.now());
  if (timeout <= 0) throw new BankError("request_timed_out", { ...name, detail: "the deadline had passed" });
  const controller = new AbortController();
  let stop!: (fault: BankError) => void;
  // Rejects at the time-out even if a given `fetch` ignores the signal.
  const stopped = new Promise<never>((_, reject) => {
    stop = (fault) => {
      reject(fault);
      controller.abort(fault);
    };
  });
  stopped.catch(() => undefined);
  const abort = () => stop(new BankError("request_aborted", name));
  const signals = [settings.signal, request.signal].filter((signal) => signal !== undefined);
  for (const signal of signals) signal.addEventListener("abort", abort);
  const giveUp = () =>
    stop(new BankError("request_timed_out", { ...name, detail: `no response within ${timeout} ms` }));
  const due = Date.now() + timeout;
  let timer = setTimeout(() => {
    // After a suspension the timer is late, and comes before the response that arrived meanwhile.
    if (Date.now() > due + 1_000) timer = setTimeout(giveUp);
    else giveUp();
  }, timeout);
  try {
    if (signals.some((signal) => signal.aborted)) throw new BankError("request_aborted", name);
    return await Promise.race([stopped, send(settings, request, name, attempt, isOnce, controller.signal)]);
  } catch (error) {
    const fault = error instanceof BankError ? error : toPlatformFault(error, name);
    throw isOnce && fault.code.startsWith("response_") ? toOutcomeUnknown(fault, name) : fault;
  } finally {
    clearTimeout(timer);
    for (const signal of signals) signal.removeEventListener("abort", abort);
  }
}

async function send(
  settings: ClientSettings,
  bankRequest: BankRequest,
  name: RequestName,
  attempt: number,
  isOnce: boolean,
  signal: AbortSignal,
): Promise<WireResponse> {
  // Without further headers there is no await, so that the request is sent at once.
  const headersRead = settings.readHeaders && (await settings.readHeaders());
  // A given `fetch` may ignore the signal.
  if (signal.aborted) throw new BankError("request_aborted");
  const request = headersRead ? { ...bankRequest, headers: headersRead } : bankRequest;
  const { method, path, form } = request;
  const headers = createHeaders(settings, request);
  const query = createQuery(settings, request);
  const address = (text: string) => `${name.baseUrl}${path}${text && `?${text}`}`;
  const isWatched = settings.onRequest !== undefined || settings.onResponse !== undefined;
  const event = isWatched ? { method, url: address(formatMasked(query)), attempt } : undefined;
  if (event) callHook("onRequest", settings, event);
  const started = event ? performance.now() : 0;
  const body = form && new URLSearchParams(form).toString();
  const target = address(query.toString());
  const response = await settings.send(target, { method, headers, body, signal }, isOnce);
  const { request: title, baseUrl } = name;
  const named = { request: title, baseUrl, httpStatus: response.status };
  // Browsers hide a refused redirect behind an opaque response.
  const isRefused = response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400);
  if (isRefused || isFromElsewhere(response, target)) {
    discard(response.body);
    // Frameworks redirect a relay's paths that end in a slash.
    const detail = settings.apiKey ? undefined : relayFaults.slash_changed;
    throw new BankError("redirect_refused", { ...named, detail });
  }
  const text = await readText(response, settings.responseLimit, named);
  const duration = event ? performance.now() - started : 0;
  if (event) callHook("onResponse", settings, { ...event, httpStatus: response.status, duration });
  const value = text === undefined ? undefined : parseJson(text, named)?.value;
  const retryAfter = parseRetryAfter(response.headers.get("retry-after") ?? "");
  const isOfRelay = !settings.apiKey && value !== undefined && response.headers.has(RELAY_HEADER);
  // A proxy may respond after it has passed a login on.
  const isOpen = isOnce && !(settings.apiKey ? hasStatus(value) : isOfRelay);
  if (!isOpen && hasStatus(value)) {
    const secrets = listSecrets(settings, request, value["key"]);
    const { keyLimit } = settings;
    return { ...named, status: value.status, body: value, retryAfter, secrets, keyLimit };
  }
  const fault = toFault(isOfRelay, response, value, { ...named, retryAfter });
  throw isOpen && !TELLING.includes(response.status) ? toOutcomeUnknown(fault, named) : fault;
}

/** React Native follows redirects in spite of `redirect: "manual"`, and has no `redirected`: only the address of the response shows it. */
function isFromElsewhere({ redirected, url }: Partial<Response>, target: string): boolean {
  if (redirected !== undefined || !url) return false;
  return readOrigin(url) !== readOrigin(target);
}

/** React Native's `URL` keeps capital letters and default ports. */
function readOrigin(address: string): string | undefined {
  const origin = /^https?:\/\/[^/?#]*/i.exec(address)?.[0].toLowerCase();
  return origin?.replace(origin.startsWith("https:") ? /:443$/ : /:80$/, "");
}

/** The fault of a response without a readable status. */
function toFault(isOfRelay: boolean, { ok, status }: Response, value: unknown, details: FaultMaterial): BankError {
  if (ok) return new BankError("response_unreadable", details);
  if (isOfRelay) {
    // Another instance got the same attempt before, or the service's response says nothing.
    if (status === 409) return new BankError("outcome_unknown", details);
    const fault = parseRelayFault(value);
    if (fault) return new BankError(fault, { ...details, detail: relayFaults[fault] });
  }
  return new BankError(toHttpCode(status), details);
}

// A proxy asks for an identification or for fewer requests before it passes anything on. The fault of 503 has a text that says the same.
const TELLING = [401, 429, 503];

/** The fault of a request that the bank may have received. `detail` says what came in place of a response that can be read. */
function toOutcomeUnknown({ code, httpStatus, retryAfter, detail }: BankError, name: RequestName): BankError {
  const reason = detail === undefined ? code : `${code}: ${detail}`;
  return new BankError("outcome_unknown", { ...name, httpStatus, retryAfter, detail: reason });
}

function hasStatus(value: unknown): value is Record<string, unknown> & { status: string } {
  return typeof value === "object" && value !== null && "status" in value && typeof value.status === "string";
}

function toHttpCode(httpStatus: number): FaultCode {
  if (httpStatus === 401 || httpStatus === 403) return "access_refused";
  if (httpStatus === 429) return "rate_limited";
  if ([502, 503, 504].includes(httpStatus)) return "service_unavailable";
  return "http_failed";
}

/** Milliseconds. Nobody waits for more than a day: such a value is a mistake. */
function parseRetryAfter(header: string): number | undefined {
  // Date.parse reads "1.5" as a day in January; an HTTP date begins with the day of the week.
  const time = /^[A-Z][a-z]+,? /.test(header) ? Date.parse(header) : Number.NaN;
  const wait = /^\d+$/.test(header) ? Number(header) * 1000 : Math.max(0, time - Date.now());
  return wait <= 86_400_000 ? wait : undefined;
}

function callHook<Hook extends "onRequest" | "onResponse">(
  hook: Hook,
  settings: ClientSettings,
  event: Parameters<NonNullable<ClientSettings[Hook]>>[0],
): void {
  try {
    (settings[hook] as ((shown: typeof event) => void) | undefined)?.(event);
  } catch (error) {
    throw createHandlerError(hook, error);
  }
}

/** The fault of what the platform has thrown. */
function toPlatformFault(error: unknown, name: RequestName): BankError {
  const detail = readPlatformReason(error);
  // A code of zlib: the response came, but is not in its content encoding.
  if (detail?.startsWith("Z_")) return new BankError("response_unreadable", { ...name, detail });
  return new BankError("network_failed", { ...name, detail });
}

/** The platform's code of an error, such as `ECONNREFUSED`. Its message is not used: it contains the address. */
function readPlatformReason(error: unknown): string | undefined {
  let level = error;
  // An error can be its own cause.
  for (let depth = 0; depth < 8 && level instanceof Error; depth++, level = level.cause) {
    const { code } = level as { readonly code?: unknown };
    if (typeof code === "string" && /^[A-Z][A-Z0-9_]+$/.test(code)) return code;
  }
  return undefined;
}
