import { toAbsoluteUrl } from "./base-url.ts";
import type { ClientSettings } from "./client-options.ts";
import { TELLING_LENGTH } from "./echo.ts";
import { createFingerprints, type Fingerprint } from "./fingerprint.ts";
import { parseHeaderValue } from "./input-checks.ts";
import { reveal } from "./reveal.ts";
import { MASK } from "./secret.ts";

/** One request as a method of the client describes it. */
export interface BankRequest {
  readonly method: "GET" | "POST";
  /** The path with its values encoded. */
  readonly path: string;
  /** The path as the contract writes it; names the request in errors. */
  readonly template: string;
  /** In plain text: a request lives no longer than its call. */
  readonly key?: string | undefined;
  /** Fingerprints of what was sent earlier in the key's login. */
  readonly earlier?: readonly Fingerprint[] | undefined;
  readonly query?: Readonly<Record<string, string>> | undefined;
  readonly form?: Readonly<Record<string, string>> | undefined;
  /** Milliseconds until a try is aborted. */
  readonly timeout: number;
  /** When the request is aborted even within its time-out, in milliseconds since the epoch. */
  readonly deadline: number;
  readonly signal?: AbortSignal | undefined;
  /** For a request that must not arrive twice. Sent to a relay, never to the service. */
  readonly attemptId?: string;
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

/** @throws {InputError} `invalid_input` naming `baseUrl`, for a path without a page. */
export function toRequestName({ baseUrl }: ClientSettings, { method, template }: BankRequest): RequestName {
  return { request: `${method} ${template}`, baseUrl: toAbsoluteUrl(baseUrl) };
}

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
    // A page of another site can't send this header without a preflight: the relay refuses requests without it.
    headers["x-ventanilla"] = "1";
    if (attemptId !== undefined) headers["x-attempt-id"] = attemptId;
    if (appToken !== undefined) headers["authorization"] = `Bearer ${appToken}`;
  }
  // Exactly this: a URLSearchParams body would add a charset.
  if (form) headers["content-type"] = "application/x-www-form-urlencoded";
  if (key !== undefined && sessionKeyIn === "header") headers["x-session-key"] = parseHeaderValue("key", key);
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

/** Fingerprints of what a response could repeat: all that was sent in this login, and the key of the response. */
export function collectSent(
  { form, key, earlier = [], appToken }: BankRequest,
  newKey: unknown,
): readonly Fingerprint[] {
  const sent = [...earlier];
  const add = (value: string, isStrict: boolean) => {
    for (const print of createFingerprints(value, isStrict)) {
      const isKnown = sent.some(({ hash, isStrict }) => hash === print.hash && (isStrict || !print.isStrict));
      if (!isKnown) sent.push(print);
    }
  };
  for (const [name, value] of Object.entries(form ?? {})) {
    // The bank's code is no secret, and belongs in texts. A user name may equal the name of a field.
    const isFirst = key === undefined;
    if (name !== "provider") add(value, name !== "username" && name !== value && (name === "password" || !isFirst));
  }
  if (key !== undefined) add(key, true);
  if (appToken !== undefined) add(appToken, appToken.length >= TELLING_LENGTH);
  if (typeof newKey === "string") add(newKey, true);
  return sent;
}

/**
 * A random name for one attempt, shaped like a UUID. `crypto.randomUUID` is missing on pages without TLS, and all of `crypto` in
 * React Native; the id has to be unique, not secret.
 */
export function createAttemptId(): string {
  const bytes = new Uint8Array(16).map(() => Math.random() * 256);
  globalThis.crypto?.getRandomValues(bytes);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
