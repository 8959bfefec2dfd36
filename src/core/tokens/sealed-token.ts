import type { JWTPayload } from "jose";
import * as v from "valibot";
import { toHexadecimal } from "../api/digest.ts";
import { BankError } from "../api/errors.ts";
import { createInputError, revealText, type StringOrSecret } from "../api/input-checks.ts";
import { secret } from "../api/secret.ts";

/** One key, or a list for rotation: the first one seals, each one opens. A key is 32 random bytes as base64 or base64url. */
export type SealKeys = StringOrSecret | readonly StringOrSecret[];

/** Who can open a token: the holder of a key, for this audience only. */
export interface SealScope {
  readonly keys: SealKeys | KeyRing;
  readonly audience: string;
}

/** A claim that holds a secret's text. */
export const secretClaim = v.pipe(v.string(), v.nonEmpty(), v.transform(secret));

/** Header, no wrapped key, 96 bits of initialisation vector, the sealed claims, 128 bits of tag. */
export const TOKEN_FORMAT = /^[\w-]+\.\.[\w-]{16}\.[\w-]+\.[\w-]{22}$/;

/**
 * Makes a kind of sealed token. `jose` is loaded when a token is sealed or opened: that takes longer than
 * loading the rest of the library.
 *
 * @param type the kind's name and version. A change of the claims needs a new version, unless each version can do without the changed claim.
 * @param schema the claims. Their names are short, because tokens travel in cookies and addresses.
 */
export function createTokenFormat<const Schema extends v.GenericSchema>(type: string, schema: Schema) {
  return {
    /**
     * Seals claims into one URL-safe token: JWE, `dir` and `A256GCM`.
     *
     * @param options.expiresAt rounded up to seconds.
     * @param options.id names the token in a store. Default: 96 random bits.
     */
    async seal(
      claims: v.InferInput<Schema>,
      { keys, audience, expiresAt, id }: SealScope & { readonly expiresAt: Date; readonly id?: string },
    ): Promise<string> {
      const [[first], { EncryptJWT }, { encode }] = await Promise.all([
        readKeys(keys),
        import("jose/jwt/encrypt"),
        import("jose/base64url"),
      ]);
      return new EncryptJWT(claims as JWTPayload)
        .setProtectedHeader({ alg: "dir", enc: "A256GCM", typ: type, kid: first.id })
        .setJti(id ?? encode(crypto.getRandomValues(new Uint8Array(12))))
        .setAudience(audience)
        .setExpirationTime(Math.ceil(expiresAt.getTime() / 1000))
        .encrypt(first.key);
    },

    /** Opens a token of this kind, or throws a `BankError` that contains nothing of the token. */
    async unseal(token: string, { keys, audience }: SealScope) {
      const [known, header] = await Promise.all([readKeys(keys), readHeader(token)]);
      if (!header) throw new BankError("token_invalid", { detail: "incomplete" });
      if (header.typ !== type) throw new BankError("token_invalid", { detail: "of another version" });
      const found = known.find(({ id }) => id === header.kid);
      if (!found) throw new BankError("token_invalid", { detail: "of another key" });
      const payload = await decrypt(token, found.key, audience).catch((error: unknown) => {
        throw new BankError("token_invalid", { detail: toTokenDetail(error) });
      });
      const claims = v.safeParse(schema, payload);
      if (!claims.success) throw new BankError("token_invalid", { detail: "of another version" });
      return { id: String(payload.jti), expiresAt: new Date(Number(payload.exp) * 1000), claims: claims.output };
    },
  };
}

async function readHeader(token: string): Promise<{ typ?: unknown; kid?: unknown } | undefined> {
  if (!TOKEN_FORMAT.test(token)) return undefined;
  const { decodeProtectedHeader } = await import("jose/decode/protected_header");
  try {
    return decodeProtectedHeader(token);
  } catch {
    return undefined;
  }
}

async function decrypt(token: string, key: CryptoKey, audience: string): Promise<JWTPayload> {
  const [{ jwtDecrypt }, { decode, encode }] = await Promise.all([
    import("jose/jwt/decrypt"),
    import("jose/base64url"),
  ]);
  // AES-GCM checks the bytes, not the text: the last character of a part has unused bits, so it could be changed.
  if (!token.split(".").every((part) => encode(decode(part)) === part))
    throw new BankError("token_invalid", { detail: "altered" });
  const { payload } = await jwtDecrypt(token, key, {
    audience,
    keyManagementAlgorithms: ["dir"],
    contentEncryptionAlgorithms: ["A256GCM"],
    requiredClaims: ["exp", "jti"],
  });
  return payload;
}

/** Distinguishes the errors of `jose` by their codes, so that the module of its errors need not be loaded. */
function toTokenDetail(error: unknown): string {
  const { code, claim } = error as { readonly code?: unknown; readonly claim?: unknown };
  if (code === "ERR_JWT_EXPIRED") return "expired";
  if (code === "ERR_JWT_CLAIM_VALIDATION_FAILED" && claim === "aud") return "of another address";
  return "altered";
}

interface SealKey {
  /** Identifies a key without revealing anything about it. */
  readonly id: string;
  readonly key: CryptoKey;
}

/** Keys that are imported once, for callers that seal many tokens. They are imported with the first token, because some edge platforms can't do that at start-up. */
export class KeyRing {
  readonly #bytes: readonly Uint8Array<ArrayBuffer>[];
  #sealKeys: Promise<[SealKey, ...SealKey[]]> | undefined;
  #signKeys: Promise<CryptoKey[]> | undefined;

  /** @throws {BankError} `invalid_input` naming the field. */
  constructor(keys: SealKeys, field: string) {
    this.#bytes = decodeKeys(keys, field);
  }

  /** The first key seals, and each key opens. */
  importSealKeys(): Promise<[SealKey, ...SealKey[]]> {
    this.#sealKeys ??= Promise.all(this.#bytes.map(importSealKey)) as Promise<[SealKey, ...SealKey[]]>;
    return this.#sealKeys;
  }

  /** The HMAC of a text with the first key, in hexadecimal. */
  async sign(text: string): Promise<string> {
    const [first] = await this.signAll(text);
    return first;
  }

  /** The HMACs with all keys of the list, to find what was written with an older key. */
  async signAll(text: string): Promise<[string, ...string[]]> {
    const algorithm = { name: "HMAC", hash: "SHA-256" };
    this.#signKeys ??= Promise.all(
      this.#bytes.map((bytes) => crypto.subtle.importKey("raw", bytes, algorithm, false, ["sign"])),
    );
    const bytes = new TextEncoder().encode(text);
    const signed = (await this.#signKeys).map(async (key) =>
      toHexadecimal(await crypto.subtle.sign("HMAC", key, bytes)),
    );
    return Promise.all(signed) as Promise<[string, ...string[]]>;
  }
}

async function importSealKey(bytes: Uint8Array<ArrayBuffer>): Promise<SealKey> {
  const [{ encode }, digest, key] = await Promise.all([
    import("jose/base64url"),
    crypto.subtle.digest("SHA-256", bytes),
    crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]),
  ]);
  return { id: encode(new Uint8Array(digest, 0, 6)), key };
}

function readKeys(keys: SealKeys | KeyRing): Promise<[SealKey, ...SealKey[]]> {
  return (keys instanceof KeyRing ? keys : new KeyRing(keys, "key")).importSealKeys();
}

/** Checks keys before they are used. */
export function parseKeys(field: string, keys: SealKeys): SealKeys {
  decodeKeys(keys, field);
  return keys;
}

function decodeKeys(keys: SealKeys, field: string): readonly Uint8Array<ArrayBuffer>[] {
  const list: readonly StringOrSecret[] = [keys].flat();
  if (list.length === 0) throw createInputError(field, "must name at least one key");
  return list.map((key) => {
    const bytes = decodeKey(revealText(field, key));
    if (bytes?.length === 32) return bytes;
    throw createInputError(field, "must be 32 bytes as base64 or base64url");
  });
}

/** With the platform's functions, since options are checked before `jose` is loaded. */
function decodeKey(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    return Uint8Array.from(binary, (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
