import * as v from "valibot";
import type { Answer, Credentials } from "../../../machines/login.types.ts";
import { anyNameRecord } from "../../core/api/any-name-record.ts";
import { BankError } from "../../core/api/errors.ts";
import { parseMilliseconds, revealText, type StringOrSecret } from "../../core/api/input-checks.ts";
import { reveal } from "../../core/api/reveal.ts";
import type { Secret } from "../../core/api/secret.ts";
import { type CredentialTexts, createCredentials } from "../../core/login/credentials.ts";
import { sealedFields } from "../../core/login/paused-token.ts";
import { createTokenFormat, type SealKeys, type SealScope, secretClaim } from "../../core/tokens/sealed-token.ts";

/** How a value of a durable login is sealed. */
export interface SealOptions {
  /** The id of the only login that can open it. */
  readonly id: string;
  /** One key, or a list whose first one seals; the workers have the same. */
  readonly sealKey: SealKeys;
  /** Milliseconds until it can't be opened any more, rounded up to seconds. Default 3 600 000, an hour. */
  readonly sealTtl?: number;
}

type OpenOptions = Pick<SealOptions, "id" | "sealKey">;

/** The credentials of one durable login: what `start` takes. */
export interface SealedCredentials {
  /** The bank's code; the sealed part contains it, too, so that a password can't be sent to another bank. */
  readonly provider: string;
  /** The credentials, encrypted with the seal key; usable for one login. */
  readonly sealed: string;
  /** When the sealed part can't be opened any more, in milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** The credentials in the record of their login. */
export type NamedCredentials = SealedCredentials & Pick<Credentials, "id">;

/** The answer to one question of one durable login: what `answer` takes. */
export interface SealedAnswer {
  /** The number of the interaction that it answers. */
  readonly interaction: number;
  /** The answer, encrypted with the seal key; usable for one login. */
  readonly sealed: string;
}

const credentialsFormat = createTokenFormat(
  "ventanilla-durable-credentials-1",
  v.object({ p: v.string(), f: sealedFields }),
);
const answerFormat = createTokenFormat(
  "ventanilla-durable-answer-2",
  v.object({ n: v.number(), a: anyNameRecord(secretClaim) }),
);
const sessionFormat = createTokenFormat("ventanilla-durable-session-1", v.object({ k: secretClaim }));

/**
 * Seals a filled-in form for one login, before it is sent to Restate. For callers by plain HTTP; the typed client does it itself.
 *
 */
export async function sealCredentials(form: CredentialTexts, options: SealOptions): Promise<SealedCredentials> {
  const { provider, fields } = createCredentials(form);
  const opened = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, reveal(value)]));
  const scope = toScope(options);
  return {
    provider,
    sealed: await credentialsFormat.seal({ p: provider, f: opened }, scope),
    expiresAt: scope.expiresAt.getTime(),
  };
}

/** Seals an answer for one question of one login, a text for each field by name, before it is sent to Restate. */
export async function sealAnswer(
  { interaction, answer }: { readonly interaction: number; readonly answer: Readonly<Record<string, StringOrSecret>> },
  options: SealOptions,
): Promise<SealedAnswer> {
  const opened = Object.entries(answer).map(([name, text]) => [name, revealText(name, text)] as const);
  const sealed = await answerFormat.seal({ n: interaction, a: Object.fromEntries(opened) }, toScope(options));
  return { interaction, sealed };
}

/** Seals a session key, in the worker, before it is journalled. */
export function sealSessionKey(key: Secret, options: SealOptions): Promise<string> {
  return sessionFormat.seal({ k: reveal(key) }, toScope(options));
}

/**
 * Opens the session key of a finished login.
 *
 * @throws {BankError} the code says what is wrong with it.
 */
export async function openSessionKey(sealed: string, options: Pick<SealOptions, "id" | "sealKey">): Promise<Secret> {
  const { claims } = await sessionFormat.unseal(sealed, { keys: options.sealKey, audience: options.id });
  return claims.k;
}

/** Opens credentials, in the worker, for the time of one request. */
export async function openCredentials(
  { provider, sealed, expiresAt }: SealedCredentials,
  { id, sealKey }: OpenOptions,
): Promise<Credentials> {
  const token = await credentialsFormat.unseal(sealed, { keys: sealKey, audience: id });
  const { p, f } = token.claims;
  if (p !== provider || token.expiresAt.getTime() !== expiresAt)
    throw new BankError("token_invalid", { detail: "altered" });
  return { id, provider, fields: f };
}

/** Opens an answer, in the worker, for the time of one request. */
export async function openAnswer({ interaction, sealed }: SealedAnswer, { id, sealKey }: OpenOptions): Promise<Answer> {
  const { n, a } = (await answerFormat.unseal(sealed, { keys: sealKey, audience: id })).claims;
  if (n !== interaction) throw new BankError("token_invalid", { detail: "altered" });
  return a;
}

/** Milliseconds for which a sealed value can be opened, by default. */
export const SEAL_TTL = 3_600_000;

/** How a value is sealed for one login. It expires at a full second, as the seal's own claim does. */
function toScope({ id, sealKey, sealTtl = SEAL_TTL }: SealOptions): SealScope & { readonly expiresAt: Date } {
  const expiresAt = Math.ceil((Date.now() + parseMilliseconds("sealTtl", sealTtl)) / 1000) * 1000;
  return { keys: sealKey, audience: id, expiresAt: new Date(expiresAt) };
}
