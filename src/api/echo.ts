import { type DecodedText, listDecodings } from "./encodings.ts";
import { type Fingerprint, SHORTEST, toHash, toMark } from "./fingerprint.ts";
import { cut, LABEL_LIMIT, TEXT_LIMIT } from "./limits.ts";
import { MASK } from "./secret.ts";

// A shorter value is a part of too many other words: it counts as an echo only as a whole word.
export const TELLING_LENGTH = 8;

// A value of a list takes as long as so many positions of a text.
const VALUE_STEPS = 100;

// Characters that are hashed for one response. Only a hostile response needs more: the rest of its doubtful texts is masked.
const HASH_LIMIT = 2_000_000;

// Characters of texts with escapes that are decoded in one turn of the event loop. Beyond them only plain echoes are found.
const DECODING_LIMIT = 30_000;

// So that a caller with much to clear yields before the limit.
const DECODING_STEPS = 10;

// Characters that an echo of 256 can take with its escapes, after those that are looked for.
const REACH = 3_000;

interface Match {
  readonly start: number;
  /** Infinite for an echo that may go on to the end of the text. */
  readonly end: number;
  readonly isStrict: boolean;
  readonly isTelling: boolean;
}

/**
 * Masks in a response what was sent to the service, plain or encoded: services have been known to echo, and their texts go to
 * screens, logs and tokens. The time it takes depends on the length of the response alone.
 */
export class Echoes {
  /** Positions and characters that were compared so far: a caller with much to clear yields to the event loop in time. */
  steps = 0;
  readonly #sent: readonly Fingerprint[];
  #byMark: ReturnType<typeof sortByMark> | undefined;
  #hashesLeft = HASH_LIMIT;
  #decodingLeft = DECODING_LIMIT;

  constructor(sent: readonly Fingerprint[]) {
    this.#sent = sent;
  }

  /** Decodes texts again: to be called in a new turn of the event loop. */
  beginTurn(): void {
    this.#decodingLeft = DECODING_LIMIT;
  }

  /** A text for people with its echoes masked, cut at `limit` characters. */
  clear(text: string, limit: number = TEXT_LIMIT): string {
    let cleared = "";
    let end = 0;
    for (const match of this.#matches(text, limit)) {
      if (match.start >= end) cleared += text.slice(end, match.start) + MASK;
      end = Math.max(end, match.end);
    }
    return cut(cleared + text.slice(end, Math.max(end, limit)), limit, text.length > limit);
  }

  /** A value that is sent back, such as a client's id: unchanged, or masked as a whole. A masked value is refused when it is sent. */
  clearId(id: string): string {
    const isSecret = this.#matches(id, id.length).some(
      (match) => match.isStrict && (match.isTelling || (match.start === 0 && match.end >= id.length)),
    );
    return isSecret ? MASK : id;
  }

  /** Whether a field's name is an echo. A name that equals a short user name, such as `otp`, is none. */
  isEcho(name: string): boolean {
    return (
      this.clearId(name) !== name ||
      this.#matches(name, name.length).some(
        ({ start, end, isTelling }) => !isName(name) || (isTelling && start === 0 && end >= name.length),
      )
    );
  }

  /** Whether a text contains an echo, within a word as well. */
  isIn(text: string): boolean {
    return this.#matches(text, text.length, true).length > 0;
  }

  /** Whether a file contains an echo. Short values are not looked for: a file contains them by chance. */
  isEchoed(file: string): boolean {
    return this.#matches(file, file.length).some(({ isTelling }) => isTelling);
  }

  /**
   * One element of a list with its echoes masked, in names of unknown members too. It is changed in place: a list can be long, and
   * has no other user yet.
   */
  clearEntry(value: unknown, member?: string, list?: string): unknown {
    this.steps += VALUE_STEPS;
    if (typeof value === "string") {
      if (isSent(member, list)) return this.clearId(value);
      return this.clear(value, labels.has(member) ? LABEL_LIMIT : Number.POSITIVE_INFINITY);
    }
    if (typeof value === "number") {
      // A number of few digits is no echo.
      if (Math.abs(value) < 10 ** (TELLING_LENGTH - 1)) return value;
      return this.clearId(`${value}`) === `${value}` ? value : MASK;
    }
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index++)
        value[index] = this.clearEntry(value[index], undefined, member);
      return value;
    }
    const holder = value as Record<string, unknown>;
    for (const name of Object.keys(holder)) {
      const known = this.isEcho(name) ? this.clear(name, LABEL_LIMIT) : name;
      const cleared = this.clearEntry(holder[name], name, list);
      if (known !== name) delete holder[name];
      if (cleared !== holder[known]) holder[known] = cleared;
    }
    return value;
  }

  /** The echoes that begin in the first `limit` characters of a text, from left to right. */
  #matches(text: string, limit: number, isAnywhere = false): readonly Match[] {
    const found: Match[] = [];
    const part = text.slice(0, limit + REACH);
    const isDecoded = /[%&+\\]/.test(part) && part.length <= this.#decodingLeft;
    if (isDecoded) {
      this.#decodingLeft -= part.length;
      this.steps += part.length * DECODING_STEPS;
    }
    for (const decoded of isDecoded ? listDecodings(part) : [{ text: part }]) {
      this.#search(decoded, limit, isAnywhere, found);
    }
    if (isDecoded) found.sort((one, other) => one.start - other.start);
    return found;
  }

  #search({ text, starts }: Omit<DecodedText, "depth">, limit: number, isAnywhere: boolean, found: Match[]): void {
    // Created on demand: most responses have no text for people.
    this.#byMark ??= sortByMark(this.#sent);
    this.steps += text.length;
    for (let index = 0; index <= text.length - SHORTEST; index++) {
      const prints = this.#byMark.get(toMark(text, index));
      if (prints === undefined) continue;
      const start = starts?.[index] ?? index;
      if (start > limit) return;
      for (const { length, hash, isStrict, isOpen } of prints) {
        const isTelling = length >= TELLING_LENGTH;
        const next = index + length;
        if (next > text.length) continue;
        if (!(isAnywhere || isTelling || isWholeWord(text, index, length))) continue;
        this.#hashesLeft -= length;
        this.steps += length;
        const isDoubtful = this.#hashesLeft < 0;
        if (!isDoubtful && toHash(text, index, length) !== hash) continue;
        const end = isOpen || isDoubtful ? Number.POSITIVE_INFINITY : (starts?.[next] ?? next);
        found.push({ start, end, isStrict, isTelling });
        if (isDoubtful) return;
      }
    }
  }
}

function sortByMark(prints: readonly Fingerprint[]): ReadonlyMap<number, readonly Fingerprint[]> {
  const sorted = new Map<number, Fingerprint[]>();
  for (const print of prints) sorted.set(print.mark, [...(sorted.get(print.mark) ?? []), print]);
  return sorted;
}

function isWholeWord(text: string, start: number, length: number): boolean {
  return !isWordAt(text, start - 1) && !isWordAt(text, start + length);
}

const isWordAt = (text: string, index: number): boolean => /[\p{L}\p{N}]/u.test(text.charAt(index));

/** Whether it reads like a name that programs use. */
function isName(text: string): boolean {
  return /^[\w.-]+$/.test(text);
}

// Texts that people read.
const labels = new Set<unknown>(["name", "label_en", "label_es"]);

// Values that are sent back, or read by programs.
const sent = new Set<unknown>(["code", "country", "type", "default"]);

// Lists in which the `name` of an element is sent, not shown.
const sentNames = new Set<unknown>(["auth_fields", "choices", "account_type"]);

function isSent(member: string | undefined, list: string | undefined): boolean {
  return sent.has(member) || (member === "name" && sentNames.has(list));
}
