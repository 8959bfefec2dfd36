import * as v from "valibot";
import { reveal } from "../../core/api/reveal.ts";
import type { Secret } from "../../core/api/secret.ts";
import { toAccountName } from "../../core/login/account-name.ts";
import { createTokenFormat, type KeyRing, secretClaim, toHexadecimal } from "../../core/tokens/sealed-token.ts";

/**
 * What a sealed key is good for. `interaction`: one answer to the bank's question; `selection`: the choice of a client;
 * `session`: a session that can be used; `blocking`: a session that blocks the login, to be closed.
 */
export type KeyPurpose = (typeof purposes)[number];
const purposes = ["interaction", "selection", "session", "blocking"] as const;

/** A key of the service, and its owner. */
export interface KeyToSeal {
  /** The id of its login in the log. */
  readonly loginId: string;
  readonly provider: string;
  readonly key: Secret;
  /** What `readUser` returned: the key is good for this user alone. */
  readonly user: string | undefined;
  /** Those of an interaction's login. A user's key contains them; without `readUser` it is bound to the username. */
  readonly credentials?: { readonly username: Secret; readonly password: Secret };
}

/** Who sends a key back. */
interface Sender {
  readonly user: string | undefined;
  /** With an answer. */
  readonly username?: Secret;
}

/** A key that came back. */
export interface UnsealedKey {
  readonly purpose: KeyPurpose;
  readonly id: string;
  readonly expiresAt: Date;
  readonly loginId: string;
  readonly provider: string;
  readonly key: Secret;
  /** The credentials of its login, if it contains them. */
  readonly credentials: { readonly username: Secret; readonly password: Secret } | undefined;
  /** Whether its login was that of this sender: of the same user, or, without `readUser`, with the same username in an answer. A read has none. */
  belongsTo(sender: Sender): Promise<boolean>;
}

/** What seals and opens keys: the relay's settings. */
export interface KeySeal {
  readonly keys: KeyRing;
  readonly audience: string;
}

const format = createTokenFormat(
  "ventanilla-relay-key-2",
  v.object({
    u: v.picklist(purposes),
    p: v.string(),
    h: v.exactOptional(v.string()),
    a: v.exactOptional(v.string()),
    k: secretClaim,
    l: v.string(),
    c: v.exactOptional(v.tuple([secretClaim, secretClaim])),
  }),
);

/** Seals a key for the browser, which can neither read it nor use it for anything but its purpose. */
export async function sealKeyFor(
  purpose: KeyPurpose,
  { loginId, provider, key, user, credentials }: KeyToSeal,
  { keys, audience, lifetime }: KeySeal & { readonly lifetime: number },
): Promise<string> {
  const id = crypto.randomUUID();
  const claims = {
    u: purpose,
    p: provider,
    l: loginId,
    ...(user !== undefined && { a: await createDigest(id, user) }),
    ...(credentials && (await toClaims(id, credentials, user !== undefined))),
    k: reveal(key),
  };
  return format.seal(claims, { keys, audience, expiresAt: new Date(Date.now() + lifetime), id });
}

async function toClaims(
  id: string,
  { username, password }: NonNullable<KeyToSeal["credentials"]>,
  isKept: boolean,
): Promise<{ c: [string, string] } | { h: string }> {
  return isKept ? { c: [reveal(username), reveal(password)] } : { h: await createDigest(id, reveal(username)) };
}

/** Opens a key that the browser sent. @throws {BankError} why it can't be opened. */
export async function unsealKey(token: string, seal: KeySeal): Promise<UnsealedKey> {
  const { id, expiresAt, claims } = await format.unseal(token, seal);
  const { u, p, h, a, k, l, c } = claims;
  return {
    purpose: u,
    id,
    expiresAt,
    loginId: l,
    provider: p,
    key: k,
    credentials: c && { username: c[0], password: c[1] },
    async belongsTo({ user, username }) {
      if (a !== (user === undefined ? undefined : await createDigest(id, user))) return false;
      // A page or an app that has forgotten its login sends no real user name.
      return h === undefined || username === undefined || h === (await createDigest(id, reveal(username)));
    },
  };
}

/**
 * Distinguishes a bank's users without their names. Keyed with the seal key: all instances agree, and without it names can't be
 * tried. One account has one fingerprint however its name is written, since many banks ignore case, dots and dashes.
 */
export function fingerprintUser(
  { provider, username }: { readonly provider: string; readonly username: Secret },
  { keys }: Pick<KeySeal, "keys">,
): Promise<string> {
  return keys.sign(`ventanilla-relay-user-1 ${provider} ${toAccountName(reveal(username))}`);
}

/** A text as the sealed key of this id holds it, so that two keys of one user share nothing. Only the relay can read it there. */
async function createDigest(id: string, text: string): Promise<string> {
  return toHexadecimal(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`${id} ${text}`)));
}
