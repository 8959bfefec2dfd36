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
  const parts = findParts(text);
  if (typeof parts === "string") return parts;
  const { name, cuts, end, shallow } = parts;
  if (shallow !== undefined) return readJson(shallow);
  try {
    if (name === undefined) return { value: JSON.parse(text) };
    const member: string = JSON.parse(name);
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

/** The one long list of a text with the commas to cut it at. */
interface Parts {
  /** The name of the list's member, in quotes. */
  readonly name?: string;
  readonly cuts: readonly number[];
  readonly end: number;
  /** The text without its values that are nested too deep, if it has any: the rest may be enough. */
  readonly shallow?: string;
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
  let isList: boolean | undefined;
  let cuts: number[] = [];
  let long: Parts = { cuts, end: 0 };
  // The pieces between values that are nested too deep, and where the next piece and the current such value start.
  const pieces: string[] = [];
  let pieceStart = 0;
  let deepStart = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) {
      const start = index;
      index = endOfString(text, index);
      if (depth === 1) name = text.slice(start, index + 1);
    } else if (code === COMMA || code === COLON) {
      if (depth <= DEPTH_LIMIT) fresh++;
      if (code === COMMA && depth === 2 && isList && fresh > PART_SIZE) {
        // The first part is parsed with the rest of the text.
        if (cuts.push(index) === 1) kept += fresh;
        fresh = 0;
      }
    } else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      depth++;
      if (depth <= DEPTH_LIMIT) fresh++;
      if (depth === DEPTH_LIMIT + 1) deepStart = index;
      if (depth === 2) {
        isList = code === OPEN_LIST && long.name === undefined;
        kept += fresh;
        fresh = 0;
      }
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) {
      if (depth === DEPTH_LIMIT + 1) {
        pieces.push(text.slice(pieceStart, deepStart));
        pieceStart = index + 1;
      }
      if (depth-- === 2 && cuts.length > 0) {
        long = { name, cuts, end: index };
        cuts = [];
        fresh = 0;
      }
    }
    if (kept + fresh > VALUE_LIMIT) return "too many values";
  }
  // A list or an object without an end.
  if (depth > 0) return "unreadable";
  if (pieces.length === 0) return long;
  return { ...long, shallow: [...pieces, text.slice(pieceStart)].join('"[unreadable]"') };
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
