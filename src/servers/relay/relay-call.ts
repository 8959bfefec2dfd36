import { ATTEMPT_LIFETIME, type Endpoint } from "../../core/api/bank-request.ts";
import { SEALED_KEY_LIMIT } from "../../core/api/client-options.ts";
import { BankError } from "../../core/api/errors.ts";
import { callHookInTime } from "../../core/api/hooks.ts";
import type { Refusal } from "../../core/api/refusals.ts";
import type { Secret } from "../../core/api/secret.ts";
import { claim } from "../../core/tokens/store.ts";
import type { LoginForm } from "./browser-input.ts";
import type { RelaySettings } from "./relay-options.ts";
import { attemptTaken, invalidKey, type RelayResponse, tokenUsed, toRefusalResponse } from "./relay-responses.ts";
import { type KeyPurpose, type KeyToSeal, sealKeyFor, type UnsealedKey } from "./sealed-keys.ts";

/** One request to the service. */
export interface Call {
  readonly settings: RelaySettings;
  readonly template: Endpoint;
  readonly request: Request;
  /** Aborted when no connection waits for the response any more. */
  readonly signal: AbortSignal;
  /** Of a request that is sent once. */
  readonly attemptId: string | undefined;
  /** The path's one parameter, decoded; empty where the route has none. */
  readonly parameter: string;
  readonly query: ReadonlyMap<string, string>;
  /** The sealed key that it came with, opened. */
  readonly key: UnsealedKey | undefined;
  /** Milliseconds: how old a bank's fields may be. Default: as old as the client's directory lets them be. */
  readonly maxAge: number | undefined;
  /** What `readCaller` returned. */
  readonly caller: string | undefined;
  /** What `readUser` returned. */
  readonly user: string | undefined;
  readonly login: LoginName;
}

/** A request with a login's form. */
export interface LoginCall extends Call {
  readonly form: LoginForm;
}

/** The login that a request belongs to, for the log and for sealed keys. */
export interface LoginName {
  readonly id: string;
  /** The bank's code, as the browser wrote it. */
  readonly provider?: string;
}

/**
 * What a bank's code looks like (contract, section 4.1: lowercase, without accents), with room to spare. With capital letters one
 * user would have many budgets.
 */
export const isProviderCode = (code: string): boolean => /^[a-z\d_-][a-z\d_.-]{0,99}$/.test(code);

// More banks than any service has: the log does without the others.
const PROVIDER_LIMIT = 10_000;

/** Notes that the service knows a bank. The log names no other: a browser could write anything in its place. */
export function noteProvider(
  { settings: { providers } }: { readonly settings: Pick<RelaySettings, "providers"> },
  code: string,
): void {
  if (providers.size < PROVIDER_LIMIT) providers.add(code);
}

/** Claims an attempt before anything is sent to the bank. @returns the refusal, where it was claimed before. */
export async function claimAttempt({
  settings,
  attemptId,
}: Pick<Call, "settings" | "attemptId">): Promise<RelayResponse | undefined> {
  const expiresAt = new Date(Date.now() + ATTEMPT_LIFETIME);
  return (await claim(settings.claimStore, `attempt:${attemptId}`, expiresAt)) ? undefined : attemptTaken;
}

/** The same for a key that is good for one use. Only its own user is told that it was used. */
export async function claimKey(
  { settings, user }: Call,
  { id, expiresAt }: UnsealedKey,
): Promise<RelayResponse | undefined> {
  if (await claim(settings.claimStore, id, expiresAt)) return undefined;
  return user === undefined ? { ...invalidKey, reason: "token_used" } : tokenUsed;
}

/** The fault of a session key that is missing, or too long. */
export function createKeyFault({ settings: { client }, template }: Call): BankError {
  return new BankError("response_against_contract", { request: template, baseUrl: client.baseUrl, field: "key" });
}

type NewKey = Omit<KeyToSeal, "loginId" | "user">;

/** Seals a key for the browser. @throws {BankError} for a key that is then too long for a header. */
async function sealKey(call: Call, purpose: KeyPurpose, key: NewKey, lifetime: number): Promise<string> {
  const { settings, login, user } = call;
  const sealed = await sealKeyFor(purpose, { ...key, loginId: login.id, user }, { ...settings, lifetime });
  if (sealed.length > SEALED_KEY_LIMIT) throw createKeyFault(call);
  return sealed;
}

/** Seals the key of a step that comes before a session can be used. */
export function sealStepKey(
  call: Call,
  purpose: "interaction" | "selection" | "blocking",
  key: NewKey,
): Promise<string> {
  return sealKey(call, purpose, key, call.settings.interactionLifetime);
}

/** Begins a session that can be used: the server gets its key, the browser a sealed one. */
export async function startSession(call: Call, provider: string, key: Secret): Promise<string> {
  const { settings, request, user, login } = call;
  const { id } = login;
  // Before the server gets the key: a session whose key can't be sealed has not started for either.
  const sealed = await sealKey(call, "session", { provider, key }, settings.sessionLifetime);
  await callHookInTime("onLogin", () =>
    settings.onLogin({ id, provider, key, request, ...(user !== undefined && { user }) }),
  );
  return sealed;
}

/** Passes a refusal on. The key of a session that blocks the login goes with it, sealed, where there is a logout to use it for. */
export async function passRefusal(call: Call, refusal: Refusal, provider: string): Promise<RelayResponse> {
  const { settings, template } = call;
  const { status, httpStatus, key } = refusal;
  if (status === "api_key_refused") {
    throw new BankError("http_failed", { request: template, baseUrl: settings.client.baseUrl, httpStatus });
  }
  const response = toRefusalResponse(refusal);
  // The answer to an interaction needs the login, which no key of a session has.
  if (!key || !settings.logout || status === "session_incomplete") return response;
  return { ...response, body: { ...response.body, key: await sealStepKey(call, "blocking", { provider, key }) } };
}
