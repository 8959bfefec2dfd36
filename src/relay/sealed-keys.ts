import * as v from "valibot";
import { formatSent, restoreSent } from "../api/fingerprint.ts";
import { revealText } from "../api/input-checks.ts";
import { reveal } from "../api/reveal.ts";
import type { Secret } from "../api/secret.ts";
import { createTokenFormat, type SealKeys, secretClaim } from "../tokens/sealed-token.ts";

/**
 * What a sealed key is good for. `interaction`: one answer to the bank's question; `selection`: the choice of a client;
 * `session`: a session that can be used; `blocking`: a session that blocks the login, to be closed; `receipt`: nothing, it has no key.
 */
export type KeyPurpose = (typeof purposes)[number];
const purposes = ["interaction", "selection", "session", "blocking", "receipt"] as const;

/** A key of the service, and its owner. */
export interface KeyToSeal {
  /** The id of its login in the log. */
  readonly loginId: string;
  readonly provider: string;
  readonly key: Secret;
  /** The user of its login. Only an interaction's key is bound to one. */
  readonly username?: Secret;
  /** For an interaction's key that contains the credentials: the password, and the app's user, to whom it is bound instead. */
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
  readonly loginId: string;
  readonly provider: string;
  readonly key: Secret;
  /** The credentials of its login, if it contains them. */
  readonly credentials: { readonly username: Secret; readonly password: Secret } | undefined;
  /** Whether the key is bound to this user, or, if it contains the credentials, to this user of an app. */
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
    u: v.picklist(purposes),
    p: v.string(),
    h: v.exactOptional(v.string()),
    k: v.exactOptional(secretClaim),
    e: v.optional(v.string()),
    // A relay of an older version seals none.
    l: v.optional(v.string(), () => crypto.randomUUID()),
    c: v.exactOptional(v.tuple([secretClaim, secretClaim])),
  }),
);

/** Seals a key for the browser, which can neither read it nor use it for anything but its purpose. */
export async function sealKeyFor(
  purpose: KeyPurpose,
  { loginId, provider, key, username, kept }: KeyToSeal,
  { sealKey, audience, lifetime }: KeySeal & { readonly lifetime: number },
): Promise<string> {
  const id = crypto.randomUUID();
  // Keyed with the id of the sealed key, so that two keys of one user share nothing.
  const claims = {
    u: purpose,
    p: provider,
    l: loginId,
    ...(username && { h: await createHmac(id, kept ? kept.appUser : reveal(username)) }),
    ...(username && kept && { c: [reveal(username), reveal(kept.password)] as [string, string] }),
    ...(purpose !== "receipt" && { k: reveal(key), e: formatSent(key) }),
  };
  return format.seal(claims, { keys: sealKey, audience, expiresAt: new Date(Date.now() + lifetime), id });
}

/** Opens a key that the browser sent; undefined if it is for none of these purposes. @throws {TokenError} why it can't be opened. */
export async function unsealKeyFor(
  allowed: readonly KeyPurpose[],
  token: string,
  { sealKey, audience }: KeySeal,
): Promise<UnsealedKey | undefined> {
  const { id, expiresAt, claims } = await format.unseal(token, { keys: sealKey, audience });
  const { u, p, h, k, e, l, c } = claims;
  if (k === undefined || !allowed.includes(u)) return undefined;
  return {
    id,
    expiresAt,
    loginId: l,
    provider: p,
    key: restoreSent(k, e),
    credentials: c && { username: c[0], password: c[1] },
    async belongsTo({ username, appUser }) {
      // An app that was closed sends no real user name.
      const owner = c ? appUser : reveal(username);
      return owner !== undefined && (await createHmac(id, owner)) === h;
    },
  };
}

/** Whether a text is the sealed key of a question. Why it is not, is said where it is used. */
export async function isInteractionKey(token: string | undefined, seal: KeySeal): Promise<boolean> {
  if (token === undefined) return false;
  return unsealKeyFor(["interaction"], token, seal).then(
    (key) => key !== undefined,
    () => false,
  );
}

/**
 * Distinguishes a bank's users without their names. Keyed with the seal key: all instances agree, and without it names can't be
 * tried. One account has one fingerprint however its name is written, since many banks ignore case, dots and dashes.
 */
export function fingerprintUser(
  { provider, username }: { readonly provider: string; readonly username: Secret },
  { sealKey }: Pick<KeySeal, "sealKey">,
): Promise<string> {
  const first = Array.isArray(sealKey) ? sealKey[0] : sealKey;
  const typed = reveal(username).normalize("NFKC").toLowerCase();
  const name = typed.replace(/[^\p{L}\p{N}]/gu, "") || typed;
  return createHmac(revealText("sealKey", first), `ventanilla-relay-user-1 ${provider} ${name}`);
}

/** The HMAC of a text, in hexadecimal. */
async function createHmac(key: string, text: string): Promise<string> {
  const encoder = new TextEncoder();
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", encoder.encode(key), algorithm, false, ["sign"]);
  const signature = await crypto.subtle.sign(algorithm, imported, encoder.encode(text));
  return Array.from(new Uint8Array(signature), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
