import { toAbsoluteUrl } from "./base-url.ts";
import type { ClientSettings } from "./client-options.ts";
import { parseHeaderValue } from "./input-checks.ts";
import { reveal } from "./reveal.ts";
import { MASK } from "./secret.ts";

/** The service's requests, as the contract writes them: what serves, sends or fakes them is a table of these. */
export type Endpoint =
  | "GET /provider/"
  | "GET /provider/{code}/"
  | "POST /login/"
  | "GET /transfer/destinations"
  | "GET /client/"
  | "GET /client/{id}/"
  | "GET /logout/";

/** One request as a method of the client describes it. */
export interface BankRequest {
  /** Names the request in errors. */
  readonly endpoint: Endpoint;
  readonly method: "GET" | "POST";
  /** The path with its values encoded. */
  readonly path: string;
  /** In plain text: a request lives no longer than its call. */
  readonly key?: string | undefined;
  readonly query?: Readonly<Record<string, string>> | undefined;
  readonly form?: Readonly<Record<string, string>> | undefined;
  /** Milliseconds until a try is aborted. */
  readonly timeout: number;
  /** When the request is aborted even within its time-out, in milliseconds since the epoch. */
  readonly deadline: number;
  readonly signal?: AbortSignal | undefined;
  /** For a request that must not arrive twice. Sent to a relay, never to the service. */
  readonly attemptId?: string | undefined;
  /** Sent to a relay. In plain text, as the key. */
  readonly appToken?: string;
}

/** The members of an error that name its request. */
export interface RequestName {
  /** Method and path template: `POST /login/`. */
  readonly request: string;
  /** The service's address. */
  readonly baseUrl: string;
}

/** @throws {BankError} `invalid_input` naming `baseUrl`, for a path without a page. */
export function toRequestName({ baseUrl }: ClientSettings, { endpoint }: BankRequest): RequestName {
  return { request: endpoint, baseUrl: toAbsoluteUrl(baseUrl) };
}

/**
 * The header of each request to a relay, and of each of its responses. A page of another site can't send it without a preflight, and
 * a proxy before the relay does not write it on a response of its own.
 */
export const RELAY_HEADER = "x-ventanilla";

/** The header of a session key. To a relay a key travels in it alone, sealed. */
export const KEY_HEADER = "x-session-key";

/** The headers of a request, by names in lower case. */
export function createHeaders(
  { apiKey, userAgent, sessionKeyIn }: ClientSettings,
  { form, key, attemptId, appToken }: BankRequest,
): Record<string, string> {
  const headers: Record<string, string> = { accept: "application/json" };
  if (apiKey) {
    headers["x-api-key"] = reveal(apiKey);
    // For caches between here and the service: with the key in a header all sessions have the same addresses. A relay forbids it itself.
    headers["cache-control"] = "no-store";
    // A browser would send a preflight request to a relay because of this one.
    if (userAgent !== false) headers["user-agent"] = userAgent;
  } else {
    headers[RELAY_HEADER] = "1";
    if (attemptId !== undefined) headers["x-attempt-id"] = attemptId;
    if (appToken !== undefined) headers["authorization"] = `Bearer ${appToken}`;
  }
  // Exactly this: a URLSearchParams body would add a charset.
  if (form) headers["content-type"] = "application/x-www-form-urlencoded";
  if (key !== undefined && sessionKeyIn === "header") headers[KEY_HEADER] = parseHeaderValue("key", key);
  return headers;
}

export function createQuery({ sessionKeyIn }: ClientSettings, { query, key }: BankRequest): URLSearchParams {
  const params = new URLSearchParams(query);
  if (key !== undefined && sessionKeyIn === "query") params.append("key", key);
  return params;
}

/** A query for a hook: names with masked values. */
export function formatMasked(query: URLSearchParams): string {
  return Array.from(query.keys(), (name) => `${name}=${MASK}`).join("&");
}

/** The password, the answers and the keys of a request and its response: what no text should repeat. */
export function listSecrets(
  { apiKey }: ClientSettings,
  { form = {}, key }: BankRequest,
  newKey: unknown,
): readonly string[] {
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
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
