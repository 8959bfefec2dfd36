import { Echoes } from "./echo.ts";
import {
  AbortedError,
  BankError,
  ContractError,
  type FaultMaterial,
  HttpError,
  NetworkError,
  RedirectError,
  RelayError,
  TimeoutError,
} from "./errors.ts";
import { createFingerprints, type Fingerprint } from "./fingerprint.ts";
import { createHandlerError } from "./handler-error.ts";
import { readJson } from "./json.ts";
import { type ClientSettings, parseHeaderValue, toAbsoluteUrl } from "./options.ts";
import { parseRelayFault, relayFaults } from "./relay-faults.ts";
import { reveal } from "./reveal.ts";
import { MASK } from "./secret.ts";

/** One request as a method of the client describes it. */
export interface BankRequest {
  readonly method: "GET" | "POST";
  /** The path with its values encoded. */
  readonly path: string;
  /** The path as the contract writes it; names the request in errors. */
  readonly template: string;
  /** Opened: a request lives no longer than its call. */
  readonly key?: string | undefined;
  /** What was sent earlier in the key's login. */
  readonly earlier?: readonly Fingerprint[] | undefined;
  readonly query?: Readonly<Record<string, string>> | undefined;
  readonly form?: Readonly<Record<string, string>> | undefined;
  /** Milliseconds until a try is given up. */
  readonly timeout: number;
  /** When the request is given up, whatever the time-out, in milliseconds since the epoch. */
  readonly deadline: number;
  readonly signal?: AbortSignal | undefined;
  /** Of a request that must not arrive twice. Goes to a relay, never to the service. */
  readonly attemptId?: string;
}

/** How a request is named in an error. */
interface RequestName {
  /** As method and path template: `POST /login/`. */
  readonly request: string;
  /** The service's address. */
  readonly baseUrl: string;
}

interface ResponseName extends RequestName {
  readonly httpStatus: number;
}

/** A response whose body is a JSON object with a status: what it says is for others to judge. */
export interface WireResponse extends ResponseName {
  readonly status: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** Milliseconds that `Retry-After` asks to wait. */
  readonly retryAfter: number | undefined;
  /** Clears the response of what was sent. */
  readonly echoes: Echoes;
  /** What was sent in this login so far, and the key that came back. */
  readonly sent: readonly Fingerprint[];
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
  if (timeout <= 0) throw new TimeoutError("request_timed_out", { ...name, detail: "the deadline had passed" });
  const controller = new AbortController();
  let stop!: (fault: BankError) => void;
  // Holds the time-out even where a given `fetch` does not listen to the signal, which costs more than a promise.
  const stopped = new Promise<never>((_, reject) => {
    stop = (fault) => {
      reject(fault);
      controller.abort(fault);
    };
  });
  stopped.catch(() => undefined);
  const abort = () => stop(new AbortedError("request_aborted", name));
  const signals = [settings.signal, request.signal].filter((signal) => signal !== undefined);
  for (const signal of signals) signal.addEventListener("abort", abort, { once: true });
  const timer = setTimeout(() => {
    stop(new TimeoutError("request_timed_out", { ...name, detail: `no response within ${timeout} ms` }));
  }, timeout);
  try {
    if (signals.some((signal) => signal.aborted)) throw new AbortedError("request_aborted", name);
    return await Promise.race([stopped, send(settings, request, name, attempt, isOnce, controller.signal)]);
  } catch (error) {
    const fault = controller.signal.aborted ? controller.signal.reason : error;
    if (fault instanceof BankError) throw fault;
    const detail = readPlatformReason(fault);
    // Zlib's codes: the response came, but is not what its content encoding says.
    if (detail?.startsWith("Z_")) throw new ContractError("response_unreadable", { ...name, detail });
    throw new NetworkError("network_failed", { ...name, detail });
  } finally {
    clearTimeout(timer);
    for (const signal of signals) signal.removeEventListener("abort", abort);
  }
}

async function send(
  settings: ClientSettings,
  request: BankRequest,
  name: RequestName,
  attempt: number,
  isOnce: boolean,
  signal: AbortSignal,
): Promise<WireResponse> {
  const { method, path, form } = request;
  const headers = createHeaders(settings, request);
  const query = createQuery(settings, request);
  const address = (text: string) => `${name.baseUrl}${path}${text && `?${text}`}`;
  const isWatched = settings.onRequest !== undefined || settings.onResponse !== undefined;
  const event = isWatched ? { method, url: address(formatMasked(query)), attempt } : undefined;
  if (event) callHook("onRequest", settings, request, event);
  const started = event ? performance.now() : 0;
  const body = form && new URLSearchParams(form).toString();
  const response = await settings.send(address(query?.toString() ?? ""), { method, headers, body, signal }, isOnce);
  const { request: title, baseUrl } = name;
  const named = { request: title, baseUrl, httpStatus: response.status };
  // Browsers hide a refused redirect behind an opaque response.
  if (response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400)) {
    discard(response.body);
    // What frameworks redirect of a relay are the paths that end in a slash.
    const detail = settings.apiKey ? undefined : relayFaults.slash_changed;
    throw new RedirectError("redirect_refused", { ...named, detail });
  }
  const text = await readText(response, settings.responseLimit, named);
  const duration = event ? performance.now() - started : 0;
  if (event) callHook("onResponse", settings, request, { ...event, httpStatus: response.status, duration });
  const read = text === undefined ? "unreadable" : await readJson(text);
  const retryAfter = parseRetryAfter(response.headers.get("retry-after"));
  if (typeof read === "object" && hasStatus(read.value)) {
    const sent = collectSent(request, read.value["key"]);
    const echoes = new Echoes([...sent, ...settings.apiKeyFingerprints]);
    const { status } = read.value;
    return { request: title, baseUrl, httpStatus: response.status, status, body: read.value, retryAfter, echoes, sent };
  }
  throw toFault(settings, response, read, { ...named, retryAfter });
}

/** What a response without a readable status says. */
function toFault(
  { apiKey }: ClientSettings,
  { ok, status }: Response,
  read: Awaited<ReturnType<typeof readJson>>,
  details: FaultMaterial,
): BankError {
  if (read === "too many values") return new ContractError("response_too_large", { ...details, detail: read });
  if (ok) return new ContractError("response_unreadable", details);
  if (!apiKey) {
    // So a relay tells that the same attempt arrived before, elsewhere.
    if (status === 409) return new BankError("outcome_unknown", details);
    const fault = typeof read === "object" ? parseRelayFault(read.value) : undefined;
    if (fault) return new RelayError(fault, { ...details, detail: relayFaults[fault] });
  }
  return new HttpError(toHttpCode(status), details);
}

function createHeaders(
  { apiKey, userAgent, sessionKeyIn }: ClientSettings,
  { form, key, attemptId }: BankRequest,
): Record<string, string> {
  const headers: Record<string, string> = { accept: "application/json" };
  if (apiKey) {
    headers["x-api-key"] = reveal(apiKey);
    // A browser would ask the relay's leave for this one.
    if (userAgent !== false) headers["user-agent"] = userAgent;
  } else {
    // A page of another site can't send a header of its own making: that tells the relay who asks.
    headers["x-ventanilla"] = "1";
    if (attemptId !== undefined) headers["x-attempt-id"] = attemptId;
  }
  // To the letter: a URLSearchParams body would add a charset.
  if (form) headers["content-type"] = "application/x-www-form-urlencoded";
  if (key !== undefined && sessionKeyIn === "header") headers["x-session-key"] = parseHeaderValue("key", key);
  return headers;
}

/** The query of an address, where there is one. */
function createQuery({ sessionKeyIn }: ClientSettings, { query, key }: BankRequest): URLSearchParams | undefined {
  const isKeyHere = key !== undefined && sessionKeyIn === "query";
  if (!query && !isKeyHere) return undefined;
  const written = new URLSearchParams(query);
  if (isKeyHere) written.append("key", key);
  return written;
}

function formatMasked(query: URLSearchParams | undefined): string {
  return [...(query?.keys() ?? [])].map((name) => `${name}=${MASK}`).join("&");
}

/**
 * How a request is named in an error.
 *
 * @throws {InputError} `invalid_input` naming `baseUrl`, for a path where there is no page.
 */
export function toRequestName({ baseUrl }: ClientSettings, { method, template }: BankRequest): RequestName {
  return { request: `${method} ${template}`, baseUrl: toAbsoluteUrl(baseUrl) };
}

/** What the service could repeat: all that was sent in this login, and the key that it gives out. */
function collectSent({ form, key, earlier = [] }: BankRequest, newKey: unknown): readonly Fingerprint[] {
  const sent = [...earlier];
  const add = (value: string, isStrict: boolean) => {
    for (const print of createFingerprints(value, isStrict)) {
      const isKnown = sent.some(({ hash, isStrict }) => hash === print.hash && (isStrict || !print.isStrict));
      if (!isKnown) sent.push(print);
    }
  };
  for (const [name, value] of Object.entries(form ?? {})) {
    // The bank's code is no secret, and stands in texts for good reasons. A user name may be the name of a field as well.
    const isFirst = key === undefined;
    if (name !== "provider") add(value, name !== "username" && name !== value && (name === "password" || !isFirst));
  }
  if (key !== undefined) add(key, true);
  if (typeof newKey === "string") add(newKey, true);
  return sent;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** The body as text; `undefined` where it is not UTF-8. */
async function readText(response: Response, limit: number, named: ResponseName): Promise<string | undefined> {
  const tooLarge = () => new ContractError("response_too_large", { ...named, detail: `more than ${limit} bytes` });
  if (!response.body) {
    // React Native has no streams, and no bytes either: its characters are counted, once they are there.
    const text = await response.text();
    if (text.length > limit) throw tooLarge();
    return text;
  }
  const bytes = await readBytes(response.body, limit);
  if (!bytes) throw tooLarge();
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** The bytes of a body; `undefined` as soon as there are more than `limit`, and the rest is given up. */
async function readBytes(body: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Read by hand: not every browser can iterate over a stream.
  const reader = body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.byteLength;
    if (size > limit) {
      discard(reader);
      return undefined;
    }
    chunks.push(part.value);
  }
  // Most responses come in one.
  if (chunks.length === 1) return chunks[0];
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}

/** Frees the connection of a response that is not read to its end. Not awaited: a given `fetch` may take its time. */
function discard(body: Pick<ReadableStream, "cancel"> | null): void {
  body?.cancel().catch(() => undefined);
}

function hasStatus(value: unknown): value is Record<string, unknown> & { status: string } {
  return typeof value === "object" && value !== null && "status" in value && typeof value.status === "string";
}

function toHttpCode(httpStatus: number): HttpError["code"] {
  if (httpStatus === 401 || httpStatus === 403) return "access_refused";
  if (httpStatus === 429) return "rate_limited";
  if ([502, 503, 504].includes(httpStatus)) return "service_unavailable";
  return "http_failed";
}

function parseRetryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  if (/^\d+$/.test(header)) return Number(header) * 1000;
  // Date.parse takes "1.5" for a day in January; an HTTP date begins with the day of the week.
  const time = /^[A-Z][a-z]+,? /.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(time) ? undefined : Math.max(0, time - Date.now());
}

function callHook<Hook extends "onRequest" | "onResponse">(
  hook: Hook,
  settings: ClientSettings,
  request: BankRequest,
  event: Parameters<NonNullable<ClientSettings[Hook]>>[0],
): void {
  try {
    (settings[hook] as ((told: typeof event) => void) | undefined)?.(event);
  } catch (error) {
    const values = Object.values(request.query ?? {}).flatMap((value) => createFingerprints(value, true));
    throw createHandlerError(hook, error, [
      ...settings.apiKeyFingerprints,
      ...collectSent(request, undefined),
      ...values,
    ]);
  }
}

/** The platform's name of what broke, such as `ECONNREFUSED`: a constant, where its message would hold the address. */
function readPlatformReason(error: unknown): string | undefined {
  let level = error;
  // A cause may lead back to itself.
  for (let depth = 0; depth < 8 && level instanceof Error; depth++, level = level.cause) {
    if ("code" in level && typeof level.code === "string" && /^[A-Z][A-Z0-9_]+$/.test(level.code)) return level.code;
  }
  return undefined;
}
