import { DEPTH_LIMIT, PART_SIZE, VALUE_LIMIT } from "./limits.ts";

/** Why a text was not read. */
export type Unread = "unreadable" | "too many values";

// The platform's own, even if a test installs a fake clock later.
const { setTimeout } = globalThis;

/** Lets other tasks of the event loop run. */
export const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve));

/**
 * Reads JSON of untrusted origin. `JSON.parse` takes a second for a megabyte of brackets and blocks the event loop meanwhile, so
 * the values are counted first, and a long list right below the root is parsed in parts.
 */
export async function readJson(text: string): Promise<{ readonly value: unknown } | Unread> {
  const list = findParts(text);
  if (typeof list === "string") return list;
  const { member, cuts, end, deep } = list;
  if (deep.length > 0) return readJson(replaceDeep(text, deep));
  try {
    if (member === undefined) return { value: JSON.parse(text) };
    // The text with only the first part of the list is valid JSON if the whole is.
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
    // The platform's error quotes the text, which may contain a key.
    return "unreadable";
  }
}

/** The one long list of a text with the commas to cut it at, and the values that are nested too deep. */
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
  // Values since the last cut, and values outside of the parts, which are parsed together.
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
        // The first part is parsed with the rest of the text.
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

/** The index of the end of the string that starts at an index. */
function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === BACKSLASH) index++;
    else if (code === QUOTE) return index;
  }
  return text.length;
}

/** The index of the end of the list or object that starts at an index. */
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

/** Replaces values that are nested too deep: the rest may be enough. */
function replaceDeep(text: string, deep: Parts["deep"]): string {
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
