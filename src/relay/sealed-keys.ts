import * as v from "valibot";
import { TokenError } from "../api/errors.ts";
import { formatSent, restoreSent } from "../api/fingerprint.ts";
import { revealText } from "../api/options.ts";
import { reveal } from "../api/reveal.ts";
import type { Secret } from "../api/secret.ts";
import { createTokenFormat, type SealKeys, secretClaim } from "../tokens/sealed-token.ts";

/**
 * What a sealed key is good for. `interaction`: one answer to the bank's question; `selection`: the choice of a client;
 * `session`: a session that can be used; `blocking`: a session in the way, to be closed; `receipt`: nothing, it holds no key.
 */
export type KeyPurpose = "interaction" | "selection" | "session" | "blocking" | "receipt";

/** A key of the service's, and whose it is. */
export interface HeldKey {
  readonly provider: string;
  readonly key: Secret;
  /** Whose login it belongs to; only an interaction's key is bound to it. */
  readonly username?: Secret;
  /** Of an interaction's key that holds the credentials: the password, and the app's user, to whom it is bound instead. */
  readonly kept?: { readonly password: Secret; readonly appUser: string } | undefined;
}

/** Who sends a key back. */
interface Sender {
  readonly username: Secret;
  readonly appUser: string | undefined;
}

/** A key that came back. */
export interface UnsealedKey {
  readonly id: string;
  readonly expiresAt: Date;
  readonly provider: string;
  readonly key: Secret;
  /** The credentials of its login, where it holds them. */
  readonly credentials: { readonly username: Secret; readonly password: Secret } | undefined;
  /** Whether the key belongs to this user's login, or, where it holds the credentials, to this user of an app. */
  belongsTo(sender: Sender): Promise<boolean>;
}

/** What seals and opens keys: the relay's settings. */
export interface KeySeal {
  readonly sealKey: SealKeys;
  readonly audience: string;
}

const format = createTokenFormat(
  "ventanilla-relay-key-1",
  v.object({
    u: v.picklist(["interaction", "selection", "session", "blocking", "receipt"]),
    p: v.string(),
    h: v.exactOptional(v.string()),
    k: v.exactOptional(secretClaim),
    e: v.optional(v.string()),
    c: v.exactOptional(v.tuple([secretClaim, secretClaim])),
  }),
);

/** Seals a key for the browser, which can neither read it nor use it for anything but its purpose. */
export async function sealKeyFor(
  purpose: KeyPurpose,
  { provider, key, username, kept }: HeldKey,
  { sealKey, audience, lifetime }: KeySeal & { readonly lifetime: number },
): Promise<string> {
  const id = crypto.randomUUID();
  const claims = {
    u: purpose,
    p: provider,
    ...(username && { h: await fingerprint(id, kept ? kept.appUser : reveal(username)) }),
    ...(username && kept && { c: [reveal(username), reveal(kept.password)] as [string, string] }),
    ...(purpose !== "receipt" && { k: reveal(key), e: formatSent(key) }),
  };
  return format.seal(claims, { keys: sealKey, audience, expiresAt: new Date(Date.now() + lifetime), id });
}

/** Opens a key that the browser sent; undefined where it can't be used for any of these purposes, for whatever reason. */
export async function unsealKeyFor(
  purposes: readonly KeyPurpose[],
  token: string,
  { sealKey, audience }: KeySeal,
): Promise<UnsealedKey | undefined> {
  const unsealed = await format.unseal(token, { keys: sealKey, audience }).catch((error: unknown) => {
    if (error instanceof TokenError) return undefined;
    throw error;
  });
  if (!unsealed) return undefined;
  const { id, expiresAt, claims } = unsealed;
  const { u, p, h, k, e, c } = claims;
  if (k === undefined || !purposes.includes(u)) return undefined;
  return {
    id,
    expiresAt,
    provider: p,
    key: restoreSent(k, e),
    credentials: c && { username: c[0], password: c[1] },
    async belongsTo({ username, appUser }) {
      // Where it holds the credentials, the user name that comes with it proves nothing.
      const owner = c ? appUser : reveal(username);
      return owner !== undefined && (await fingerprint(id, owner)) === h;
    },
  };
}

/**
 * Tells a bank's users apart without holding one: keyed with the seal key, so that all instances agree, and nobody else can try
 * names. One account has one fingerprint however it is written: many banks overlook case, dots and dashes.
 */
export function fingerprintUser(
  { provider, username }: { readonly provider: string; readonly username: Secret },
  { sealKey }: Pick<KeySeal, "sealKey">,
): Promise<string> {
  const first = Array.isArray(sealKey) ? sealKey[0] : sealKey;
  const typed = reveal(username).normalize("NFKC").toLowerCase();
  const name = typed.replace(/[^\p{L}\p{N}]/gu, "") || typed;
  return fingerprint(revealText("sealKey", first), `ventanilla-relay-user-1 ${provider} ${name}`);
}

/** Tells users apart without holding one: keyed with the token's own id, so that two tokens of one user share nothing. */
async function fingerprint(id: string, user: string): Promise<string> {
  const text = new TextEncoder();
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", text.encode(id), algorithm, false, ["sign"]);
  const signature = await crypto.subtle.sign(algorithm, key, text.encode(user));
  return Array.from(new Uint8Array(signature), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
