import type { Secret } from "./secret.ts";

/**
 * Recognises a value in a text without keeping the value: its length and a hash. With it a session can mask what its login sent
 * after the credentials are gone.
 */
export interface Fingerprint {
  /** A small hash of its first three characters: the whole hash is computed for few positions of a text. */
  readonly mark: number;
  readonly length: number;
  readonly hash: number;
  /** For a password, an answer or a key, which no name contains by chance. */
  readonly isStrict: boolean;
  /** Whether the value is longer than what was hashed. */
  readonly isOpen: boolean;
}

/** Values of one or two characters are not looked for: to mask them would make any text unreadable. */
export const SHORTEST = 3;

/** Marks are below this. */
const MARKS = 4_096;

// A longer value is recognised by its first characters.
const HEAD = 256;

// A fingerprint is written as two numbers of so many digits, in base 36.
const [META_WIDTH, HASH_WIDTH] = [5, 8];

/** The fingerprints of a value: as it is, and without the spaces around it. */
export function createFingerprints(value: string, isStrict: boolean): Fingerprint[] {
  const code = value.charCodeAt(HEAD - 1);
  // Half a surrogate pair is left out.
  const head = value.slice(0, code >= 0xd800 && code <= 0xdbff ? HEAD - 1 : HEAD);
  return [...new Set([head, head.trim()])]
    .filter(({ length }) => length >= SHORTEST)
    .map((form) => {
      const hash = toHash(form, 0, form.length);
      return { mark: toMark(form, 0), length: form.length, hash, isStrict, isOpen: value.length > HEAD };
    });
}

/** A small hash of the three characters at a position. */
export function toMark(text: string, start: number): number {
  const [one, two, three] = [codeAt(text, start), codeAt(text, start + 1), codeAt(text, start + 2)];
  return ((one * 31 + two) * 31 + three) & (MARKS - 1);
}

/** A hash of a part of a text, below 2^41, the same for upper and lower case. */
export function toHash(text: string, start: number, length: number): number {
  let low = 0x9e3779b1;
  let high = 0x85ebca6b;
  for (let index = start; index < start + length; index++) {
    const code = codeAt(text, index);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x5bd1e995);
    high ^= high >>> 15;
  }
  low = Math.imul(low ^ (low >>> 16), 0xc2b2ae35);
  return ((low ^ (low >>> 13)) >>> 0) + (high & 0x1ff) * 2 ** 32;
}

// `toLowerCase` is no use: it turns some characters into two, and one of them depends on the end of the word.
function codeAt(text: string, index: number): number {
  const code = text.charCodeAt(index);
  const isUpper = (code >= 0x41 && code <= 0x5a) || (code >= 0xc0 && code <= 0xde && code !== 0xd7);
  return isUpper ? code + 32 : code;
}

const sentBefore = new WeakMap<object, readonly Fingerprint[]>();

/** The fingerprints of what was sent in the login of a session key, or of what a client sends with each request. */
export function findSent(holder: unknown): readonly Fingerprint[] {
  return (typeof holder === "object" && holder !== null && sentBefore.get(holder)) || [];
}

/** Keeps the fingerprints of what was sent, by the session key of the login or by the client. */
export function rememberSent(holder: object, sent: readonly Fingerprint[]): void {
  sentBefore.set(holder, sent);
}

/** The fingerprints of a session key as text, for a sealed token that contains the key. */
export function formatSent(key: Secret): string {
  return findSent(key)
    .map(({ mark, length, hash, isStrict, isOpen }) => {
      const meta = ((mark * (HEAD + 1) + length) * 2 + Number(isStrict)) * 2 + Number(isOpen);
      return meta.toString(36).padStart(META_WIDTH, "0") + hash.toString(36).padStart(HASH_WIDTH, "0");
    })
    .join("");
}

/** Gives the session key of a sealed token its fingerprints back. */
export function restoreSent(key: Secret, written = ""): Secret {
  const width = META_WIDTH + HASH_WIDTH;
  const sent = Array.from({ length: Math.floor(written.length / width) }, (_, index) => {
    const meta = Number.parseInt(written.slice(index * width, index * width + META_WIDTH), 36);
    const hash = Number.parseInt(written.slice(index * width + META_WIDTH, (index + 1) * width), 36);
    const rest = Math.floor(meta / 4);
    const [mark, length] = [Math.floor(rest / (HEAD + 1)), rest % (HEAD + 1)];
    return { mark, length, hash, isStrict: (meta & 2) > 0, isOpen: (meta & 1) > 0 };
  });
  rememberSent(key, sent);
  return key;
}
