import { TELLING_LENGTH } from "./echo.ts";
import { InputError, SecretError } from "./errors.ts";
import { createFingerprints, type Fingerprint } from "./fingerprint.ts";
import { RESPONSE_LIMIT } from "./limits.ts";
import { isSecret, reveal } from "./reveal.ts";
import { MASK, type Secret, secret } from "./secret.ts";
import { createSend, type Send } from "./send.ts";

/** A text that may be secret: a plain string for this call alone, or a `Secret`. */
export type StringOrSecret = string | Secret;

/** What a request hook gets. It holds no secret: every query value in the address is `[secret]`. */
export interface RequestEvent {
  /** The HTTP method. */
  readonly method: "GET" | "POST";
  /** The whole address, with every query value masked. */
  readonly url: string;
  /** 1 for the first try, 2 for the first retry of a read, … */
  readonly attempt: number;
}

/** What a response hook gets. */
export interface ResponseEvent extends RequestEvent {
  /** The response's HTTP code. */
  readonly httpStatus: number;
  /** Milliseconds from the send to the whole response. */
  readonly duration: number;
}

/** How reads are repeated. Logins, the choice of a client and the logout never are. */
export interface RetryOptions {
  /** Retries after the first try. Default 2. */
  readonly limit?: number;
  /** Milliseconds before the first retry; doubles each time, with jitter between half and the whole. Default 300. */
  readonly delay?: number;
  /** The longest wait that a `Retry-After` may ask for, in milliseconds. If it asks for more, there is no retry. Default 30 000. */
  readonly maxRetryAfter?: number;
}

/** What `createBankClient` takes. */
export interface BankClientOptions {
  /**
   * The service's address, `http` or `https`, with or without a path prefix and a trailing slash (contract, section 1).
   * Without an `apiKey` it may be a path, `/bank`: a relay on the page's own origin. The origin is read when a request is sent, so
   * a server may make the client, to render a screen; a request fails there with `invalid_input`.
   */
  readonly baseUrl: string;
  /**
   * Sent as `X-API-Key` with each request (contract, section 5). Leave it out in a browser: the address is then
   * that of a relay (`ventanilla/relay`), which has the key. Each request then has the header `X-Ventanilla: 1`, and each request
   * that is sent once a random `X-Attempt-Id`.
   */
  readonly apiKey?: StringOrSecret;
  /**
   * Sent as `Authorization: Bearer …` with each request to a relay that checks it (`checkAppToken`). It is for apps that send
   * requests without a browser, such as React Native; it can't be given together with `apiKey`. Tokens expire, so a function is
   * called before each try, within its time-out. If it throws, nothing is sent, and the request fails with `handler_failed`.
   */
  readonly appToken?: StringOrSecret | (() => StringOrSecret | Promise<StringOrSecret>);
  /** Milliseconds until a try is aborted, whole response included. Logins are slow. */
  readonly timeout?: {
    /** For `login`. Default 90 000. */
    readonly login?: number;
    /** For everything else. Default 15 000. */
    readonly read?: number;
  };
  /**
   * Default `globalThis.fetch`. The body of a login may be a stream: read it with `new Request(input, init)`, and pass all of `init` on.
   * A function of your own that calls Node's `fetch` may send `selectClient` and `logout` a second time, after HTTP 421.
   */
  readonly fetch?: typeof globalThis.fetch;
  /** Aborts all requests of this client, and refuses later ones. */
  readonly signal?: AbortSignal;
  /**
   * Where the session key travels. Default `query`, as the contract says (contract, section 5). `header` sends
   * `X-Session-Key` instead and goes beyond the contract; it keeps the key out of access logs.
   */
  readonly sessionKeyIn?: "query" | "header";
  /** Retry of reads; `false` for none. */
  readonly retry?: RetryOptions | false;
  /** The largest response that is read, in bytes after decompression. Default 4 MiB, room for 50,000 banks. */
  readonly responseLimit?: number;
  /** The `User-Agent` header; `false` for the platform's own. Default `ventanilla`. Browsers may ignore it. */
  readonly userAgent?: string | false;
  /** Called before each try; a promise is not awaited. If it throws, the request fails with `handler_failed`. */
  readonly onRequest?: (event: RequestEvent) => void;
  /** Called after each whole response; a promise is not awaited. If it throws, the request fails with `handler_failed`. */
  readonly onResponse?: (event: ResponseEvent) => void;
}

/** The options of every call. */
export interface CallOptions {
  /** Aborts the call with `request_aborted`. */
  readonly signal?: AbortSignal;
  /** Milliseconds until a try is aborted. Default: the client's. */
  readonly timeout?: number;
  /** When the call is aborted, retries included, in milliseconds since the epoch. Default: never. */
  readonly deadline?: number | undefined;
}

/** The options with every default filled in and every value checked. */
export interface ClientSettings {
  readonly baseUrl: string;
  /** `undefined` if a relay has it. */
  readonly apiKey: Secret | undefined;
  readonly apiKeyFingerprints: readonly Fingerprint[];
  readonly getAppToken: (() => StringOrSecret | Promise<StringOrSecret>) | undefined;
  readonly timeout: { readonly login: number; readonly read: number };
  readonly send: Send;
  readonly signal: AbortSignal | undefined;
  readonly sessionKeyIn: "query" | "header";
  readonly retry: Required<RetryOptions>;
  readonly responseLimit: number;
  readonly userAgent: string | false;
  readonly onRequest: ((event: RequestEvent) => void) | undefined;
  readonly onResponse: ((event: ResponseEvent) => void) | undefined;
}

/** Milliseconds. A longer `setTimeout` fires at once. */
export const LONGEST_TIMER = 2 ** 31 - 1;

/** Checks and completes the options of `createBankClient`. */
export function parseClientOptions(options: BankClientOptions): ClientSettings {
  const retry = options.retry === false ? { limit: 0 } : options.retry;
  const userAgent = options.userAgent ?? "ventanilla";
  if (userAgent !== false) parseHeaderValue("userAgent", userAgent);
  if (options.sessionKeyIn !== undefined && !["query", "header"].includes(options.sessionKeyIn)) {
    throw createInputError("sessionKeyIn", 'must be "query" or "header"');
  }
  // An `undefined` value is a missing setting, not a relay.
  const apiKey = "apiKey" in options ? parseApiKey(options.apiKey) : undefined;
  return {
    baseUrl:
      "apiKey" in options || parseUrl(options.baseUrl) ? parseBaseUrl(options.baseUrl) : parseBasePath(options.baseUrl),
    apiKey: apiKey === undefined ? undefined : secret(apiKey),
    // A short API key may equal a bank's code.
    apiKeyFingerprints: apiKey === undefined ? [] : createFingerprints(apiKey, apiKey.length >= TELLING_LENGTH),
    getAppToken: "appToken" in options ? createAppTokenGetter(options) : undefined,
    timeout: {
      login: parseMilliseconds("timeout.login", options.timeout?.login ?? 90_000),
      read: parseMilliseconds("timeout.read", options.timeout?.read ?? 15_000),
    },
    send: createSend(options.fetch),
    signal: options.signal,
    sessionKeyIn: options.sessionKeyIn ?? "query",
    retry: {
      limit: parseWholeNumber("retry.limit", retry?.limit ?? 2),
      delay: parseWholeNumber("retry.delay", retry?.delay ?? 300),
      maxRetryAfter: parseWholeNumber("retry.maxRetryAfter", retry?.maxRetryAfter ?? 30_000),
    },
    responseLimit: parseWholeNumber("responseLimit", options.responseLimit ?? RESPONSE_LIMIT),
    userAgent,
    onRequest: options.onRequest,
    onResponse: options.onResponse,
  };
}

function parseApiKey(apiKey: StringOrSecret | undefined | null): string {
  if (apiKey === undefined || apiKey === null) {
    throw createInputError(
      "apiKey",
      "has no value: set the variable that it is read from, such as VENTANILLA_API_KEY; a browser leaves it out",
    );
  }
  return parseHeaderValue("apiKey", revealText("apiKey", apiKey));
}

// An `undefined` value is a missing setting, as with an API key.
function createAppTokenGetter(options: BankClientOptions): ClientSettings["getAppToken"] {
  if ("apiKey" in options) throw createInputError("appToken", "is for a relay: leave out apiKey");
  const { appToken } = options;
  if (typeof appToken === "function") return appToken;
  const token = secret(parseAppToken(appToken));
  return () => token;
}

/** Reveals the token of an app, and refuses what is no bearer token (RFC 6750, section 2.1). */
export function parseAppToken(appToken: StringOrSecret | undefined): string {
  const token = revealText("appToken", appToken);
  if (isBearerToken(token)) return token;
  throw createInputError("appToken", "must be letters, digits and -._~+/ alone, with or without = at the end");
}

export function isBearerToken(text: string): boolean {
  return /^[\w.~+/-]+=*$/.test(text);
}

/** The error of a value that can't be used. `detail` says what the value must be, and never repeats it. */
export function createInputError(field: string, detail: string): InputError {
  return new InputError("invalid_input", { field, detail });
}

/** Reveals a text and refuses one that can't be sent exactly as it is. */
export function revealText(field: string, text: StringOrSecret | undefined): string {
  if (typeof text !== "string" && !isSecret(text)) {
    if (typeof text === "object" && text !== null) throw new SecretError("secret_unavailable", { field });
    throw createInputError(field, "must be a string or a secret");
  }
  const value = typeof text === "string" ? text : reveal(text);
  // A secret becomes this text in JSON. It must not reach a bank as a password.
  if (value === MASK) throw new SecretError("secret_unavailable", { field });
  if (value === "") throw createInputError(field, "must not be empty");
  if (isIllFormed(value)) throw createInputError(field, "must be well-formed Unicode");
  return value;
}

/** Whether it contains half a surrogate pair. A form would send U+FFFD instead: another password than the one that was typed. */
export function isIllFormed(value: string): boolean {
  return /\p{Surrogate}/u.test(value);
}

/** Refuses a value that a header can't contain. The platform's error would show the value. */
export function parseHeaderValue(field: string, value: string): string {
  if (!/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(value)) {
    throw createInputError(field, "must be printable ASCII without spaces around it");
  }
  return value;
}

/** Checks a time-out in milliseconds. */
export function parseMilliseconds(field: string, value: number): number {
  if (typeof value !== "number" || !(value >= 1 && value <= LONGEST_TIMER)) {
    throw createInputError(field, `must be milliseconds between 1 and ${LONGEST_TIMER}`);
  }
  return value;
}

/** Checks a time in milliseconds, which may be infinite. Default: infinite. */
export function parseTime(field: string, value: number = Number.POSITIVE_INFINITY): number {
  if (typeof value !== "number" || Number.isNaN(value)) throw createInputError(field, "must be a valid time");
  return value;
}

/** Checks a count. */
export function parseWholeNumber(field: string, value: number): number {
  if (!Number.isSafeInteger(value) || value < 0) {
    throw createInputError(field, "must be a whole number, 0 or more");
  }
  return value;
}

function parseBaseUrl(value: string): string {
  const url = parseUrl(value);
  if (!url) throw createInputError("baseUrl", "must be an absolute address");
  if (!["http:", "https:"].includes(url.protocol)) {
    throw createInputError("baseUrl", "must be http or https");
  }
  // React Native's `URL` takes any text.
  if (url.host === "") throw createInputError("baseUrl", "must be an absolute address");
  // `search` and `hash` are empty for an empty query or fragment, which would still swallow every path.
  if (url.username || url.password || /[?#]/.test(value)) {
    throw createInputError("baseUrl", "must have no user, query or fragment");
  }
  return url.href.replace(/\/+$/, "");
}

/** React Native has no `URL.canParse`. The platform's error repeats the value, which may hold a password. */
function parseUrl(value: string, base?: string): URL | undefined {
  try {
    return new URL(value, base);
  } catch {
    return undefined;
  }
}

function parseBasePath(value: string): string {
  // A URL parser drops some characters and reads others as a slash: the result could be another host.
  const page = "http://page.invalid";
  const url = parseUrl(value, page);
  if (url && /[?#]/.test(value)) throw createInputError("baseUrl", "must have no user, query or fragment");
  if (url?.href !== `${page}${value}`) {
    throw createInputError("baseUrl", "must be an absolute address, or a path that begins with one slash");
  }
  return value.replace(/\/+$/, "");
}

/**
 * The whole address of a client's `baseUrl`. A path belongs to the page's own origin, even if it has a `<base>`.
 *
 * @throws {InputError} `invalid_input` naming `baseUrl`, for a path without a page.
 */
export function toAbsoluteUrl(baseUrl: string): string {
  if (baseUrl !== "" && !baseUrl.startsWith("/")) return baseUrl;
  const origin = globalThis.location?.origin ?? "";
  if (/^https?:\/\//.test(origin)) return `${origin}${baseUrl}`;
  throw createInputError("baseUrl", "must be an absolute address where no page has an origin, as on a server");
}
