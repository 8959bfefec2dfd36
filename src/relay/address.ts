import { fieldsOf } from "./fields.ts";

// Longer than any sealed key with its path; a client's id, of unknown length, has room too.
const LONGEST_ADDRESS = 8192;

/** What a request asks for. */
export interface Address {
  /** What comes after the prefix, still encoded. */
  readonly path: string;
  /** Undefined where it can't be read to the letter. */
  readonly query: ReadonlyMap<string, string> | undefined;
}

/**
 * Takes an address apart, or gives nothing where its path has more than one reading. Servers and proxies differ in what they
 * make of dot segments, doubled, encoded and backward slashes: what any of them would rewrite is served by none.
 */
export function addressOf(url: string, prefix: string): Address | undefined {
  if (url.length > LONGEST_ADDRESS || !URL.canParse(url)) return undefined;
  const match = /^https?:\/\/[^/?#\\]*(\/[^?#]*)(?:\?([^#]*))?$/i.exec(url);
  const path = match?.[1] ?? "";
  if (new URL(url).pathname !== path || !isPlain(path) || !path.startsWith(prefix)) return undefined;
  return { path: path.slice(prefix.length), query: fieldsOf(match?.[2] ?? "", 2) };
}

function isPlain(path: string): boolean {
  // Encoded: slashes, dots, controls, and the percent sign, which would hide another encoding.
  if (path.includes("//") || /%(2[ef5]|5c|[01][\da-f]|7f)/i.test(path) || !/^[\w.~!$&'()*+,;=:@%/-]+$/.test(path)) {
    return false;
  }
  try {
    return decodeURIComponent(path) !== "";
  } catch {
    return false;
  }
}
