import { BankError, type FaultMaterial } from "./errors.ts";
import { DEPTH_LIMIT } from "./limits.ts";

/** A response whose body was read. ofetch takes it for a `Response`, of which it reads no more; to the platform's own, or the caller's, it would write. */
export interface ReceivedResponse extends Pick<Response, "ok" | "status" | "headers"> {
  readonly text: string;
}

/** What a text says as JSON; `undefined` if it is none, or nested deeper than any response: code that walks through it would exhaust the stack. */
export function parseJson(text: string): unknown {
  try {
    return isTooDeep(text) ? undefined : JSON.parse(text);
  } catch {
    // The platform's error quotes the text, which may contain a key.
    return undefined;
  }
}

/**
 * The body as text. A byte that can't be decoded is U+FFFD: it costs the text that it stands in, not the response.
 *
 * @throws {BankError} `response_against_contract`; the rest is not read.
 */
export async function readText(response: Response, limit: number, named: FaultMaterial): Promise<string> {
  const tooLarge = () => new BankError("response_against_contract", { ...named, detail: `more than ${limit} bytes` });
  if (!response.body) {
    // React Native has no streams and no bytes: the characters of the complete text are counted.
    const text: string | null = await response.text();
    // On iOS, if the bytes are not UTF-8.
    if (text === null) return "";
    if (text.length > limit) throw tooLarge();
    return text;
  }
  const bytes = await readBytes(response.body, limit);
  if (!bytes) throw tooLarge();
  return decode(bytes, response.headers.get("content-type") ?? "");
}

/** Decodes by the declared charset, otherwise as UTF-8. */
function decode(bytes: Uint8Array, contentType: string): string {
  const [, declared] = /charset="?([^\s";]+)/i.exec(contentType) ?? [];
  // Frameworks declare ISO-8859-1 for JSON in UTF-8, too: what is valid UTF-8 is UTF-8, but for UTF-16.
  const isWide = declared?.toLowerCase().startsWith("utf-16") ?? false;
  return (!isWide && tryDecode(bytes, "utf-8", true)) || tryDecode(bytes, declared) || new TextDecoder().decode(bytes);
}

/** Empty if the platform does not know the charset, or `fatal` bytes are in none. */
function tryDecode(bytes: Uint8Array, charset: string | undefined, fatal = false): string {
  try {
    return new TextDecoder(charset, { fatal }).decode(bytes);
  } catch {
    return "";
  }
}

/** Whether a JSON text has too many brackets open at once. Those in strings don't count. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  let isString = false;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (isString && character === "\\") index++;
    else if (character === '"') isString = !isString;
    else if (isString) continue;
    else if (character === "[" || character === "{") depth++;
    else if (character === "]" || character === "}") depth--;
    if (depth > DEPTH_LIMIT) return true;
  }
  return false;
}

/** The bytes of a body; `undefined` as soon as there are more than `limit`. */
export async function readBytes(
  body: ReadableStream<Uint8Array>,
  limit: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  let bytes = new Uint8Array();
  let size = 0;
  // Without `for await`: not every browser can iterate over a stream.
  const reader = body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const start = size;
    size += part.value.byteLength;
    if (size > limit) {
      discard(reader);
      return undefined;
    }
    // Parts are not kept: a response may come byte by byte, and on Deno each part holds 64 KiB.
    if (size > bytes.byteLength) {
      const larger = new Uint8Array(2 * size);
      larger.set(bytes);
      bytes = larger;
    }
    bytes.set(part.value, start);
  }
  return bytes.subarray(0, size);
}

/** Frees the connection of a response that is not read to its end. Not awaited: a given `fetch` may take its time. */
export function discard(body: Pick<ReadableStream, "cancel"> | null): void {
  body?.cancel().catch(() => undefined);
}
