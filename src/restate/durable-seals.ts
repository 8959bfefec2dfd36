import * as v from "valibot";
import { TokenError } from "../api/errors.ts";
import { readSent, writeSent } from "../api/fingerprint.ts";
import { milliseconds, type Text } from "../api/options.ts";
import { reveal } from "../api/reveal.ts";
import { type Secret, secret } from "../api/secret.ts";
import { type CredentialTexts, concealed, createCredentials } from "../login/credentials.ts";
import { open } from "../login/paused-token.ts";
import type { Credentials } from "../login/requests.ts";
import { sealedFields } from "../login/sealed-fields.ts";
import { newTokenId, openClaims, type SealKeys, sealClaims } from "../tokens/seal.ts";

/** What seals for a durable login. */
export interface SealOptions {
  /** The id of the one login that can open it. */
  readonly id: string;
  /** One key, or a list whose first one seals; the workers hold the same. */
  readonly sealKey: SealKeys;
  /** Milliseconds until it can't be opened any more, rounded up to whole seconds. Default 3 600 000, an hour. */
  readonly sealTtl?: number;
}

/** The credentials of one durable login: what `start` takes. */
export interface SealedCredentials {
  /** The bank's code; the sealed part holds it too, so that nobody can send a password to another bank. */
  readonly provider: string;
  /** The credentials, encrypted with the seal key; good for one login. */
  readonly sealed: string;
  /** When the sealed part can't be opened any more, in milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** The answer to one question of one durable login: what `answer` takes. */
export interface SealedAnswer {
  /** The number of the interaction that it answers. */
  readonly interaction: number;
  /** The answer, encrypted with the seal key; good for one login. */
  readonly sealed: string;
}

// The format's version: a change of the claims below makes a new one.
const CREDENTIALS = "ventanilla-durable-credentials-1";
const ANSWER = "ventanilla-durable-answer-1";
const SESSION = "ventanilla-durable-session-1";

// Short names: these claims travel and are stored.
const text = v.pipe(v.string(), v.transform(secret));
const credentialClaims = v.object({
  exp: v.number(),
  p: v.string(),
  f: sealedFields,
});
const answerClaims = v.object({ n: v.number(), a: text });
const sessionClaims = v.object({ k: text, e: v.optional(v.string()) });

/** Seals a filled-in form for one login, before it leaves for Restate. For callers by plain HTTP; the typed client does it itself. */
export async function sealCredentials(form: CredentialTexts, options: SealOptions): Promise<SealedCredentials> {
  const { provider, fields } = createCredentials(form);
  const opened = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, reveal(value)]));
  const expiresAt = toExpiry(options);
  return {
    provider,
    sealed: await sealFor(CREDENTIALS, { p: provider, f: opened }, options, expiresAt),
    expiresAt: expiresAt.getTime(),
  };
}

/** Seals an answer for one question of one login, before it leaves for Restate. */
export async function sealAnswer(
  { interaction, answer }: { readonly interaction: number; readonly answer: Text },
  options: SealOptions,
): Promise<SealedAnswer> {
  const claims = { n: interaction, a: reveal(concealed("answer", answer)) };
  return { interaction, sealed: await sealFor(ANSWER, claims, options, toExpiry(options)) };
}

/** Seals a session key, in the worker, before it is journalled. */
export function sealSessionKey(key: Secret, options: SealOptions): Promise<string> {
  return sealFor(SESSION, { k: reveal(key), e: writeSent(key) }, options, toExpiry(options));
}

/**
 * Opens the session key of a finished login.
 *
 * @throws {TokenError} the code says what is wrong with it.
 */
export async function openSessionKey(sealed: string, options: Pick<SealOptions, "id" | "sealKey">): Promise<Secret> {
  const { k, e } = await openFor(SESSION, sessionClaims, sealed, options);
  return readSent(k, e);
}

/**
 * The id of a durable login that was paused: the statechart that follows a login has its id in place of a key.
 *
 * @throws {TokenError} the code says what is wrong with it.
 */
export async function openPausedId(token: string, options: Parameters<typeof open>[1]): Promise<string> {
  return reveal((await open(token, options)).paused.key);
}

/** Opens credentials, in the worker, for the time of one request. */
export async function openCredentials(
  { provider, sealed, expiresAt }: SealedCredentials,
  options: Pick<SealOptions, "id" | "sealKey">,
): Promise<Credentials> {
  const { p, f, exp } = await openFor(CREDENTIALS, credentialClaims, sealed, options);
  if (p !== provider || exp * 1000 !== expiresAt) throw new TokenError("token_altered");
  return { provider, fields: f };
}

/** Opens an answer, in the worker, for the time of one request. */
export async function openAnswer(
  { interaction, sealed }: SealedAnswer,
  options: Pick<SealOptions, "id" | "sealKey">,
): Promise<Secret> {
  const { n, a } = await openFor(ANSWER, answerClaims, sealed, options);
  if (n !== interaction) throw new TokenError("token_altered");
  return a;
}

function toExpiry({ sealTtl = 3_600_000 }: SealOptions): Date {
  // Whole seconds, as the seal's own claim has them.
  return new Date(Math.ceil((Date.now() + milliseconds("sealTtl", sealTtl)) / 1000) * 1000);
}

function sealFor(type: string, content: Record<string, unknown>, { id, sealKey }: SealOptions, expiresAt: Date) {
  return sealClaims(content, { keys: sealKey, audience: id, type, expiresAt, id: newTokenId() });
}

async function openFor<Schema extends v.GenericSchema>(
  type: string,
  schema: Schema,
  sealed: string,
  { id, sealKey }: Pick<SealOptions, "id" | "sealKey">,
): Promise<v.InferOutput<Schema>> {
  const read = v.safeParse(schema, await openClaims(sealed, { keys: sealKey, audience: id, type }));
  if (!read.success) throw new TokenError("token_of_another_version");
  return read.output;
}
