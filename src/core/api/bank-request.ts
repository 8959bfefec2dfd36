import type { CallOptions, ClientSettings } from "./client-options.ts";
import { toHexadecimal } from "./digest.ts";
import { parseHeaderValue } from "./input-checks.ts";
import { reveal } from "./reveal.ts";

/** The service's requests, as the contract writes them: what serves, sends or fakes them is a table of these. */
export const endpoints = {
  "GET /provider/": "read",
  "GET /provider/{code}/": "read",
  "POST /login/": "once",
  "GET /transfer/destinations": "read",
  "GET /client/": "read",
  // It changes the session.
  "GET /client/{id}/": "once",
  "GET /logout/": "once",
  // A relay's own: how a request that is sent once has ended.
  "GET /attempt/{id}/": "read",
  // The same: whether the person has approved the login in the bank's app.
  "GET /approval/": "read",
} as const;

/** One of the service's requests. A read may be sent again; any other must arrive once. */
export type Endpoint = keyof typeof endpoints;

/** The members of an error that name its request. */
export interface RequestName {
  /** Method and path template: `POST /login/`. */
  readonly request: Endpoint;
  /** The service's address. */
  readonly baseUrl: string;
}

/** One request as a method of the client describes it. */
export interface BankRequest {
  readonly settings: ClientSettings;
  /** Names the request in errors. */
  readonly name: RequestName;
  readonly method: "GET" | "POST";
  /** The path with its values encoded. */
  readonly path: string;
  /** Whether it must not arrive twice. */
  readonly isOnce: boolean;
  /** In plain text: a request lives no longer than its call. */
  readonly key?: string | undefined;
  readonly query?: Readonly<Record<string, string>> | undefined;
  readonly form?: Readonly<Record<string, string>> | undefined;
  /** Milliseconds until a try is aborted. */
  readonly timeout: number;
  /** When the request is aborted even within its time-out, in milliseconds since the epoch. */
  readonly deadline: number;
  /** The client's and the call's. */
  readonly signals: readonly AbortSignal[];
  /** The call's. */
  readonly onResponse: CallOptions["onResponse"];
  /** How old a response may be that a relay has kept, in milliseconds. Never sent to the service. */
  readonly maxAge?: number | undefined;
  /** For a request that must not arrive twice. Sent to a relay, never to the service. Default: a new one. */
  readonly attemptId?: string | undefined;
}

/**
 * The header of each request to a relay, and of each of its responses. A page of another site can't send it without a preflight, and
 * a proxy before the relay does not write it on a response of its own.
 */
export const RELAY_HEADER = "x-ventanilla";

/** The header of a session key. To a relay a key travels in it alone, sealed. */
export const KEY_HEADER = "x-session-key";

/**
 * Numbers what a page sends once. The request has the number of its submit, the response that of the last one that the server knows: the next is one more. So
 * two tabs that go on from the same step send the same number, and one of them is sent to the bank.
 */
export const SUBMIT_HEADER = "x-ventanilla-submit";

/** Milliseconds for which a relay knows how a login or an answer has ended, and its page asks. */
export const ATTEMPT_LIFETIME = 600_000;

/** Whether a request is a submit, or asks for one. */
export const isNumbered = ({ isOnce, name }: BankRequest): boolean => isOnce || name.request === "GET /attempt/{id}/";

/** The headers of a request, by names in lower case. */
export function createHeaders(request: BankRequest): Record<string, string> {
  const { settings, isOnce, attemptId, maxAge, form, key } = request;
  const { apiKey, userAgent, sessionKeyIn } = settings;
  const headers: Record<string, string> = { accept: "application/json" };
  if (apiKey) {
    headers["x-api-key"] = reveal(apiKey);
    // For caches between here and the service: with the key in a header all sessions have the same addresses. A relay forbids it itself.
    headers["cache-control"] = "no-store";
    // A browser would send a preflight request to a relay because of this one.
    if (userAgent !== false) headers["user-agent"] = userAgent;
  } else {
    headers[RELAY_HEADER] = "1";
    // Browsers repeat some requests by themselves: a relay recognises the repeat. The service itself has no attempt ids.
    if (isOnce) headers["x-attempt-id"] = attemptId ?? createRandomId();
    const { submits } = settings;
    if (submits && isNumbered(request)) headers[SUBMIT_HEADER] = String(submits.last + 1);
    if (maxAge !== undefined) headers["cache-control"] = `max-age=${Math.floor(maxAge / 1000)}`;
  }
  // Exactly this: a URLSearchParams body would add a charset.
  if (form) headers["content-type"] = "application/x-www-form-urlencoded";
  if (key !== undefined && sessionKeyIn === "header") headers[KEY_HEADER] = parseHeaderValue("key", key);
  return headers;
}

/** The query, in which the session key is the last member. */
export function createQuery({ settings, query, key }: BankRequest): Readonly<Record<string, string>> {
  return { ...query, ...(key !== undefined && settings.sessionKeyIn === "query" && { key }) };
}

/** The password, the answers and the keys of a request and its response: what no text should repeat. */
export function listSecrets({ settings, form = {}, key }: BankRequest, newKey: unknown): readonly string[] {
  const { apiKey } = settings;
  const { provider, username, password, ...answers } = form;
  const sent = [apiKey && reveal(apiKey), key, password, ...(key === undefined ? [] : Object.values(answers))];
  return [...sent, newKey].filter((text) => typeof text === "string");
}

/**
 * A random id for a login or an attempt, shaped like a UUID. `crypto.randomUUID` is missing on pages without TLS, and all of `crypto` in
 * React Native; the id has to be unique, not secret.
 */
export function createRandomId(): string {
  const bytes = new Uint8Array(16).map(() => Math.random() * 256);
  globalThis.crypto?.getRandomValues(bytes);
  return toHexadecimal(bytes.buffer).replace(/(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
