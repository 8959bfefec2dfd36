import { DEPTH_LIMIT, PART_SIZE, VALUE_LIMIT } from "./limits.ts";

/** A text that is no JSON, or more of it than is read. */
export type Unread = "unreadable" | "too many values";

// Taken before a test can put a clock of its own in its place.
const { setTimeout } = globalThis;

/** Lets the event loop do what else there is. */
export const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve));

/**
 * Reads JSON from a stranger. `JSON.parse` takes a second for a megabyte of brackets and holds the event loop meanwhile, so the
 * text is counted first, and a long list right below the root is parsed in parts.
 */
export async function readJson(text: string): Promise<{ readonly value: unknown } | Unread> {
  const list = findParts(text);
  if (typeof list === "string") return list;
  const { member, cuts, end, deep } = list;
  if (deep.length > 0) return readJson(shallow(text, deep));
  try {
    if (member === undefined) return { value: JSON.parse(text) };
    // The list with its first part alone is as good JSON as the whole.
    const value = JSON.parse(text.slice(0, cuts[0]) + text.slice(end)) as Record<string, unknown[]>;
    for (const [index, cut] of cuts.entries()) {
      await yieldToEventLoop();
      const part: unknown[] = JSON.parse(`[${text.slice(cut + 1, cuts[index + 1] ?? end)}]`);
      // A comma with nothing after it.
      if (part.length === 0) return "unreadable";
      value[member]?.push(...part);
    }
    return { value };
  } catch {
    // The platform's error quotes the text, which may hold a key.
    return "unreadable";
  }
}

/** The one long list of a text, the commas to cut it at, and what lies too deep. */
interface Parts {
  readonly deep: readonly (readonly [start: number, end: number])[];
  readonly member?: string;
  readonly cuts: readonly number[];
  readonly end: number;
}

const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** One pass over the text, without a copy of it. */
function findParts(text: string): Parts | Unread {
  let depth = 0;
  let name = "";
  // Values since the last cut, and those before it that `JSON.parse` takes together.
  let fresh = 0;
  let kept = 0;
  let isList = false;
  let cuts: number[] = [];
  const deep: [number, number][] = [];
  let long: Parts = { deep, cuts, end: 0 };
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) {
      const start = index;
      index = endOfString(text, index);
      if (depth === 1) name = text.slice(start, index + 1);
    } else if (code === COMMA || code === COLON) {
      fresh++;
      if (code === COMMA && depth === 2 && isList && fresh > PART_SIZE) {
        // What comes before the first cut stays with the rest of the text.
        if (cuts.push(index) === 1) kept += fresh;
        fresh = 0;
      }
    } else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      fresh++;
      if (depth === DEPTH_LIMIT) {
        const start = index;
        index = endOfValue(text, index);
        deep.push([start, index + 1]);
      } else if (++depth === 2) {
        isList = code === OPEN_LIST && long.member === undefined;
        kept += fresh;
        fresh = 0;
      }
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) {
      if (depth-- === 2 && cuts.length > 0) {
        long = { deep, member: parseMemberName(name), cuts, end: index };
        cuts = [];
        fresh = 0;
      }
    }
    if (kept + fresh > VALUE_LIMIT) return "too many values";
  }
  // A list without an end.
  return cuts.length > 0 ? "unreadable" : long;
}

/** Where a string ends that begins here. */
function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === BACKSLASH) index++;
    else if (code === QUOTE) return index;
  }
  return text.length;
}

/** Where a list or an object ends that begins here. */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  for (let index = start; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) index = endOfString(text, index);
    else if (code === OPEN_LIST || code === OPEN_OBJECT) depth++;
    else if ((code === CLOSE_LIST || code === CLOSE_OBJECT) && --depth === 0) return index;
  }
  return text.length;
}

/** The text without what lies too deep: whatever it says, the rest may say enough. */
function shallow(text: string, deep: Parts["deep"]): string {
  let end = 0;
  const kept = deep.map(([start, next]) => {
    const before = text.slice(end, start);
    end = next;
    return before;
  });
  return [...kept, text.slice(end)].join('"[unreadable]"');
}

function parseMemberName(name: string): string {
  try {
    return String(JSON.parse(name));
  } catch {
    return "";
  }
}
