import * as v from "valibot";
import { TokenError } from "../api/errors.ts";
import { readSent, writeSent } from "../api/fingerprint.ts";
import { plain } from "../api/options.ts";
import { reveal } from "../api/reveal.ts";
import { type Secret, secret } from "../api/secret.ts";
import { newTokenId, openClaims, type SealKeys, sealClaims } from "../tokens/seal.ts";

/**
 * What a sealed key is good for. `interaction`: one answer to the bank's question; `selection`: the choice of a client;
 * `session`: a session that can be used; `blocking`: a session in the way, to be closed; `receipt`: nothing, it holds no key.
 */
export type Purpose = "interaction" | "selection" | "session" | "blocking" | "receipt";

/** A key of the service's, and whose it is. */
export interface HeldKey {
  readonly provider: string;
  readonly key: Secret;
  /** Whose login it belongs to; only an interaction's key is bound to it. */
  readonly username?: Secret;
}

/** A key that came back. */
export interface OpenedKey {
  readonly id: string;
  readonly expiresAt: Date;
  readonly provider: string;
  readonly key: Secret;
  /** Whether the token belongs to this user's login. */
  isOf(username: Secret): Promise<boolean>;
}

export interface KeySeal {
  readonly sealKey: SealKeys;
  readonly audience: string;
}

// The format's version: a change of the claims below makes a new one.
const TYPE = "ventanilla-relay-key-1";

// Short names, because a token may travel in an address.
const claims = v.object({
  jti: v.string(),
  exp: v.number(),
  u: v.picklist(["interaction", "selection", "session", "blocking"]),
  p: v.string(),
  h: v.exactOptional(v.string()),
  k: v.pipe(v.string(), v.nonEmpty(), v.transform(secret)),
  e: v.optional(v.string()),
});

/** Seals a key for the browser, which can neither read it nor use it for anything but its purpose. */
export async function sealKeyFor(
  purpose: Purpose,
  { provider, key, username }: HeldKey,
  { sealKey, audience, lifetime }: KeySeal & { readonly lifetime: number },
): Promise<string> {
  const id = newTokenId();
  const content = {
    u: purpose,
    p: provider,
    ...(username && { h: await fingerprint(id, username) }),
    ...(purpose !== "receipt" && { k: reveal(key), e: writeSent(key) }),
  };
  const expiresAt = new Date(Date.now() + lifetime);
  return sealClaims(content, { keys: sealKey, audience, type: TYPE, expiresAt, id });
}

/** Opens a key that the browser sent; undefined where it can't be used for any of these purposes, for whatever reason. */
export async function openKeyFor(
  purposes: readonly Purpose[],
  token: string,
  { sealKey, audience }: KeySeal,
): Promise<OpenedKey | undefined> {
  const payload = await openClaims(token, { keys: sealKey, audience, type: TYPE }).catch((error: unknown) => {
    if (error instanceof TokenError) return undefined;
    throw error;
  });
  const read = v.safeParse(claims, payload);
  if (!read.success || !purposes.includes(read.output.u)) return undefined;
  const { jti, exp, p, h, k, e } = read.output;
  return {
    id: jti,
    expiresAt: new Date(exp * 1000),
    provider: p,
    key: readSent(k, e),
    isOf: async (username) => h !== undefined && (await fingerprint(jti, username)) === h,
  };
}

/**
 * Tells a bank's users apart without holding one: keyed with the seal key, so that all instances agree, and nobody else can try
 * names. One account has one fingerprint however it is written: many banks overlook case, dots and dashes.
 */
export function userFingerprint(
  { provider, username }: { readonly provider: string; readonly username: Secret },
  { sealKey }: Pick<KeySeal, "sealKey">,
): Promise<string> {
  const first = Array.isArray(sealKey) ? sealKey[0] : sealKey;
  const typed = reveal(username).normalize("NFKC").toLowerCase();
  const name = typed.replace(/[^\p{L}\p{N}]/gu, "") || typed;
  return fingerprint(plain("sealKey", first), secret(`ventanilla-relay-user-1 ${provider} ${name}`));
}

/** Tells users apart without holding one: keyed with the token's own id, so that two tokens of one user share nothing. */
async function fingerprint(id: string, username: Secret): Promise<string> {
  const text = new TextEncoder();
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", text.encode(id), algorithm, false, ["sign"]);
  const signature = await crypto.subtle.sign(algorithm, key, text.encode(reveal(username)));
  return Array.from(new Uint8Array(signature), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
