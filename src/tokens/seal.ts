import type { JWTPayload } from "jose";
import * as base64url from "jose/base64url";
import { JWTClaimValidationFailed, JWTExpired } from "jose/errors";
import { InputError, TokenError } from "../api/errors.ts";
import { plain, type Text } from "../api/options.ts";
import { type Secret, secret } from "../api/secret.ts";

/** One key, or a list for rotation: the first one seals, each one opens. A key is 32 random bytes as base64 or base64url. */
export type SealKeys = Text | readonly Text[];

// Header, no wrapped key, 96 bits of initialisation vector, the sealed claims, 128 bits of tag.
const WHOLE_TOKEN = /^[\w-]+\.\.[\w-]{16}\.[\w-]+\.[\w-]{22}$/;

/** What tells the tokens of one use from all others. */
export interface TokenUse {
  readonly keys: SealKeys;
  readonly audience: string;
  /** The format and its version. */
  readonly type: string;
}

/** Seals claims into one URL-safe token: JWE, `dir` and `A256GCM`. */
export async function sealClaims(
  content: JWTPayload,
  { keys, audience, type, expiresAt, id }: TokenUse & { readonly expiresAt: Date; readonly id: string },
): Promise<string> {
  const [first] = await keysOf(keys);
  // Loading the cryptography takes longer than loading the rest of the library: only who seals or opens a token waits for it.
  const { EncryptJWT } = await import("jose/jwt/encrypt");
  return new EncryptJWT(content)
    .setProtectedHeader({ alg: "dir", enc: "A256GCM", typ: type, kid: first.id })
    .setJti(id)
    .setAudience(audience)
    .setExpirationTime(Math.ceil(expiresAt.getTime() / 1000))
    .encrypt(first.bytes);
}

/** 96 random bits. */
export function newTokenId(): string {
  return base64url.encode(crypto.getRandomValues(new Uint8Array(12)));
}

/**
 * Opens a token that `sealClaims` made: its `jti` and `exp` are there, its other claims are the caller's to check.
 *
 * @throws {TokenError} the code says what is wrong with it; nothing of the token is in the error.
 */
export async function openClaims(token: string, { keys, audience, type }: TokenUse): Promise<JWTPayload> {
  const known = await keysOf(keys);
  const header = WHOLE_TOKEN.test(token) ? headerOf(token) : undefined;
  if (!header) throw new TokenError("token_incomplete");
  if (header.typ !== type) throw new TokenError("token_of_another_version");
  const key = known.find(({ id }) => id === header.kid);
  if (!key) throw new TokenError("token_of_another_key");
  if (!isCanonical(token)) throw new TokenError("token_altered");
  const { jwtDecrypt } = await import("jose/jwt/decrypt");
  const { payload } = await jwtDecrypt(token, key.bytes, {
    audience,
    typ: type,
    keyManagementAlgorithms: ["dir"],
    contentEncryptionAlgorithms: ["A256GCM"],
    requiredClaims: ["exp", "jti"],
  }).catch((error: unknown) => {
    throw new TokenError(codeOf(error));
  });
  return payload;
}

/** Base64url has bits to spare at its end: a character changed there would go unnoticed. */
function isCanonical(token: string): boolean {
  return token.split(".").every((part) => {
    const bytes = bytesOf(part);
    return bytes !== undefined && base64url.encode(bytes) === part;
  });
}

function codeOf(error: unknown): TokenError["code"] {
  if (error instanceof JWTExpired) return "token_expired";
  if (error instanceof JWTClaimValidationFailed && error.claim === "aud") return "token_of_another_address";
  return "token_altered";
}

function headerOf(token: string): { typ?: unknown; kid?: unknown } | undefined {
  try {
    const header: unknown = JSON.parse(new TextDecoder().decode(base64url.decode(token.split(".", 1)[0] ?? "")));
    return typeof header === "object" && header !== null ? header : undefined;
  } catch {
    // Whatever stands there, it was not written here.
    return undefined;
  }
}

interface SealKey {
  /** Tells keys apart without telling anything about them. */
  readonly id: string;
  readonly bytes: Uint8Array;
}

async function keysOf(keys: SealKeys): Promise<[SealKey, ...SealKey[]]> {
  const list = Array.isArray(keys) ? keys : [keys];
  const [first, ...others] = await Promise.all(list.map(keyOf));
  if (!first) throw new InputError("invalid_input", { field: "key", detail: "must name at least one key" });
  return [first, ...others];
}

/** Checks keys before there is anything to seal. */
export function checkKeys(keys: SealKeys, field: string): void {
  const list: readonly Text[] = Array.isArray(keys) ? keys : [keys];
  if (list.length === 0) throw new InputError("invalid_input", { field, detail: "must name at least one key" });
  for (const key of list) keyBytes(key, field);
}

function keyBytes(key: Text, field: string): Uint8Array<ArrayBuffer> {
  const bytes = bytesOf(plain(field, key));
  if (bytes?.length !== 32) {
    throw new InputError("invalid_input", { field, detail: "must be 32 bytes as base64 or base64url" });
  }
  return bytes;
}

/** The keys as secrets, to keep them out of what is shown. */
export function secretsIn(keys: SealKeys): readonly Secret[] {
  const list: readonly Text[] = Array.isArray(keys) ? keys : [keys];
  return list.map((key) => secret(plain("key", key)));
}

async function keyOf(key: Text): Promise<SealKey> {
  const bytes = keyBytes(key, "key");
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return { id: base64url.encode(digest.subarray(0, 6)), bytes };
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return new Uint8Array(base64url.decode(text.replaceAll("+", "-").replaceAll("/", "_")));
  } catch {
    return undefined;
  }
}
