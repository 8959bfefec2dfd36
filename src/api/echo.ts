import { type Fingerprint, SHORTEST, toHash, toMark } from "./fingerprint.ts";
import { cut, DESCRIPTION_LIMIT, LABEL_LIMIT, TEXT_LIMIT } from "./limits.ts";
import { MASK } from "./secret.ts";

// A shorter value stands in too many innocent words: only where it stands alone is it taken for an echo.
export const TELLING_LENGTH = 8;

// Characters that are looked at closely in one response. Whoever needs more is up to no good: the rest of the doubtful texts is
// masked as a whole.
const LOOKS = 2_000_000;

// The fingerprints are sorted by their marks into so many lists.
const BUCKETS = 64;

interface Match {
  readonly start: number;
  readonly end: number;
  readonly isStrict: boolean;
  readonly isTelling: boolean;
}

/**
 * Clears what the service says of what was sent to it, plain or encoded: services have been known to echo, and their texts go to
 * screens, logs and tokens. The time it takes grows with the response alone, whatever was sent and whatever comes back.
 */
export class Echoes {
  /** Places and characters that were looked at. */
  steps = 0;
  readonly #sent: readonly Fingerprint[];
  #buckets: ReturnType<typeof sortByMark> | undefined;
  #looks = LOOKS;

  constructor(sent: readonly Fingerprint[]) {
    this.#sent = sent;
  }

  /** A text for people, of at most so many characters. */
  clear(text: string, limit: number = TEXT_LIMIT): string {
    let cleared = "";
    let end = 0;
    for (const match of this.#matches(text, limit)) {
      if (match.start >= end) cleared += text.slice(end, match.start) + MASK;
      end = Math.max(end, match.end);
    }
    return cut(cleared + text.slice(end, Math.max(end, limit)), limit, text.length > limit);
  }

  /** A value that is sent back, such as a client's id: as it is, or masked as a whole, and then refused where it is to be sent. */
  clearId(id: string): string {
    const isSecret = this.#matches(id, id.length).some(
      (match) => match.isStrict && (match.isTelling || (match.start === 0 && match.end === id.length)),
    );
    return isSecret ? MASK : id;
  }

  /** Whether a field's name is no name but an echo. It may well be somebody's short user name: `otp`. */
  isEcho(name: string): boolean {
    return (
      this.clearId(name) !== name ||
      this.#matches(name, name.length).some(
        ({ start, end, isTelling }) => !isName(name) || (isTelling && start === 0 && end === name.length),
      )
    );
  }

  /** Whether it stands anywhere in a text, as a part of a word as well. */
  isIn(text: string): boolean {
    return this.#matches(text, text.length, true).length > 0;
  }

  /** Whether something that was sent stands in a file. What is short stands there by chance. */
  isEchoed(file: string): boolean {
    return this.#matches(file, file.length).some(({ isTelling }) => isTelling);
  }

  /** What a description says: texts for people, and at most so much of it. */
  clearDescription(description: unknown): unknown {
    let [values, characters] = [DESCRIPTION_LIMIT, TEXT_LIMIT];
    const text = (one: string) => {
      const cleared = this.clear(one, characters);
      characters -= cleared.length;
      return cleared;
    };
    const look = (value: unknown): unknown => {
      if (typeof value === "string") return text(value);
      if (typeof value === "number") return this.clear(`${value}`) === `${value}` ? value : MASK;
      if (typeof value !== "object" || value === null) return value;
      const isRoom = () => values-- > 0 && characters > 0;
      if (Array.isArray(value)) {
        const list: unknown[] = [];
        for (let index = 0; index < value.length && isRoom(); index++) list.push(look(value[index]));
        return list;
      }
      const members: [string, unknown][] = [];
      for (const [name, member] of Object.entries(value)) if (isRoom()) members.push([text(name), look(member)]);
      return Object.fromEntries(members);
    };
    return look(description);
  }

  /**
   * One element of a list, names of unknown members included. It is changed in place, since a list can be long, and nobody else
   * has it yet.
   */
  clearEntry(value: unknown, member = "", list = ""): unknown {
    this.steps++;
    if (typeof value === "string") {
      if (isLabel(member, list)) return this.clear(value, LABEL_LIMIT);
      return isSent(member, list) ? this.clearId(value) : this.clear(value, Number.POSITIVE_INFINITY);
    }
    if (typeof value === "number") {
      // An id of few digits is no echo, whatever it stands for.
      if (Math.abs(value) < 10 ** (TELLING_LENGTH - 1)) return value;
      return this.clearId(`${value}`) === `${value}` ? value : MASK;
    }
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index++) value[index] = this.clearEntry(value[index], "", member);
      return value;
    }
    const holder = value as Record<string, unknown>;
    for (const name of Object.keys(holder)) {
      const known = this.isEcho(name) ? this.clear(name, LABEL_LIMIT) : name;
      const cleared = this.clearEntry(holder[name], name, list);
      if (known !== name) delete holder[name];
      if (known !== name || cleared !== holder[name]) holder[known] = cleared;
    }
    return value;
  }

  /** What is found among the first characters of a text, from left to right. */
  #matches(text: string, limit: number, isAnywhere = false): readonly Match[] {
    const found: Match[] = [];
    // Made when asked for: most responses have no text for people.
    this.#buckets ??= sortByMark(this.#sent);
    const last = Math.min(text.length - SHORTEST, limit);
    this.steps += Math.max(0, last);
    for (let start = 0; start <= last; start++) {
      const mark = toMark(text, start);
      const bucket = this.#buckets[mark % BUCKETS];
      if (bucket === undefined) continue;
      for (const print of bucket) {
        const { length, hash, isStrict, isOpen } = print;
        const isTelling = length >= TELLING_LENGTH;
        if (print.mark !== mark || start + length > text.length) continue;
        if (!(isAnywhere || isTelling || standsAlone(text, start, length))) continue;
        this.#looks -= length;
        this.steps += length;
        const isDoubtful = this.#looks < 0;
        if (!isDoubtful && toHash(text, start, length) !== hash) continue;
        found.push({ start, end: isOpen || isDoubtful ? text.length : start + length, isStrict, isTelling });
        if (isDoubtful) return found;
      }
    }
    return found;
  }
}

function sortByMark(prints: readonly Fingerprint[]): readonly (readonly Fingerprint[] | undefined)[] {
  const buckets = new Array<Fingerprint[] | undefined>(BUCKETS);
  for (const print of prints) {
    const bucket = buckets[print.mark % BUCKETS];
    if (bucket) bucket.push(print);
    else buckets[print.mark % BUCKETS] = [print];
  }
  return buckets;
}

function standsAlone(text: string, start: number, length: number): boolean {
  return !isWordAt(text, start - 1) && !isWordAt(text, start + length);
}

const isWordAt = (text: string, index: number): boolean => /[\p{L}\p{N}]/u.test(text.charAt(index));

/** Whether it reads like a name that programs use. */
function isName(text: string): boolean {
  return /^[\w.-]+$/.test(text);
}

// Whose elements' names are sent, not shown.
const sentNames = ["auth_fields", "choices", "account_type"];

/** Whether a member is sent back, or tells programs what to do. */
function isSent(member: string, list: string): boolean {
  return ["code", "country", "type", "default"].includes(member) || (member === "name" && sentNames.includes(list));
}

/** Whether a member is a text that people read. */
function isLabel(member: string, list: string): boolean {
  return member === "label_en" || member === "label_es" || (member === "name" && !sentNames.includes(list));
}
