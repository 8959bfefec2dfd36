import type { WireResponse } from "./exchange.ts";
import type { OutcomeCode } from "./failures.ts";
import { rememberSent } from "./fingerprint.ts";
import { KEY_LIMIT, NAME_LIMIT } from "./limits.ts";
import { type Secret, secret } from "./secret.ts";

/** The statuses of a refusal. */
export type RefusalStatus = Exclude<OutcomeCode, "cancelled" | "expired" | "too_many_interactions" | "no_clients">;

/** The service refuses (contract, section 7, and what is known beyond it). */
export interface Refusal {
  /** Why; a code of `docs/errors.md`. */
  readonly status: RefusalStatus;
  /** The response's HTTP code. */
  readonly httpStatus: number;
  /**
   * With `max_sessions_reached`: the session to log out of, before logging in again. With `wrong_client` from a relay: the key
   * for the next choice, because the key that was sent can't be used again. Beyond the contract.
   */
  readonly key?: Secret;
  /** The service's own status, code and texts, for a log, without any secret that was sent. */
  readonly wire: WireRefusal;
}

/** The members of a refusal as the service sent them. Those that it did not send are absent. */
export interface WireRefusal {
  readonly status: string;
  readonly code?: string;
  readonly type?: string;
  readonly message?: string;
  /** A list or an object as JSON. */
  readonly description?: string;
}

// Statuses of the contract, section 7, and others that the live service sends.
const statuses: readonly RefusalStatus[] = [
  "wrong_credentials",
  "missing_credentials",
  "provider_doesnt_exist",
  "user_blocked",
  "max_sessions_reached",
  "provider_unavailable",
  "missing_params",
  "not_implemented",
];

// `{status: "error", message}`: the message decides; its case varies.
const byMessage: Readonly<Record<string, RefusalStatus>> = {
  "invalid key": "invalid_key",
  "unauthorized provider": "unauthorized_provider",
  wrong_client: "wrong_client",
  "missing api key": "missing_api_key",
  "key not found": "unknown_api_key",
};

// `{status: "error", code, type, message, description}`.
const byCode: Readonly<Record<string, RefusalStatus>> = {
  B1001: "wrong_credentials",
  B1002: "wrong_answer",
  B1003: "missing_answer",
  B1004: "wrong_answer",
  B1005: "missing_answer",
  B1006: "provider_session_expired",
  B1007: "provider_login_failed",
  B1008: "password_change_required",
  B1009: "logout_failed",
  B1010: "wrong_client",
  B1011: "user_blocked",
};

/** Reads a response that is no success. An unknown status becomes `unexpected_status`: a value, never a crash. */
export function toRefusal(response: WireResponse): Refusal {
  const { status, code, message } = response.body;
  const text = typeof message === "string" ? message.toLowerCase() : undefined;
  const known =
    status === "error"
      ? (findEntry(byCode, code) ?? findEntry(byMessage, text))
      : statuses.find((plain) => plain === status);
  return {
    status: known ?? "unexpected_status",
    httpStatus: response.httpStatus,
    wire: toWireRefusal(response),
    ...((known === "max_sessions_reached" || known === "wrong_client") && readKey(response)),
  };
}

/** The key of a response, if it has a valid one. */
export function readKey({ body: { key }, sent }: WireResponse): { readonly key?: Secret } {
  if (typeof key !== "string" || key === "" || key.length > KEY_LIMIT) return {};
  const session = secret(key);
  rememberSent(session, sent);
  return { key: session };
}

function findEntry<Value>(table: Readonly<Record<string, Value>>, name: unknown): Value | undefined {
  return typeof name === "string" && Object.hasOwn(table, name) ? table[name] : undefined;
}

function toWireRefusal({ status, body, echoes }: WireResponse): WireRefusal {
  const { code, type, message, description } = body;
  const details = typeof description === "string" ? description : JSON.stringify(description);
  return {
    status: echoes.clear(status, NAME_LIMIT),
    ...(typeof code === "string" && { code: echoes.clear(code, NAME_LIMIT) }),
    ...(typeof type === "string" && { type: echoes.clear(type, NAME_LIMIT) }),
    ...(typeof message === "string" && { message: echoes.clear(message) }),
    ...(details !== undefined && { description: echoes.clear(details) }),
  };
}
