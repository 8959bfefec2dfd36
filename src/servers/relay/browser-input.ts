import { isKeyName } from "../../core/api/input-checks.ts";
import { limitTime } from "../../core/api/repetition.ts";
import { type Secret, secret } from "../../core/api/secret.ts";
import {
  bodyAlreadyRead,
  bodyTooLarge,
  malformedFields,
  missingCredentials,
  type RelayResponse,
  requestAborted,
  slowBody,
  unsupportedContentType,
} from "./relay-responses.ts";

// A client's id is of unknown length.
const LONGEST_ADDRESS = 8192;

// Of a body: its bytes, the milliseconds in which it must have come; of a form, its fields.
const BODY_LIMIT = 64 * 1024;
const BODY_TIMEOUT = 10_000;
const FIELD_LIMIT = 32;

/** The address of a request, taken apart. */
export interface Address {
  /** The whole path, still encoded. */
  readonly path: string;
  /** The query, as it came. */
  readonly search: string;
}

/**
 * Takes an address apart; undefined where its path has more than one reading. Servers and proxies differ in what they make of dot
 * segments and of doubled, encoded and backward slashes: a path that one of them would rewrite is not served.
 */
export function parseAddress(url: string): Address | undefined {
  if (url.length > LONGEST_ADDRESS || !URL.canParse(url)) return undefined;
  const match = /^https?:\/\/[^/?#\\]*(\/[^?#]*)(?:\?([^#]*))?$/i.exec(url);
  const path = match?.[1] ?? "";
  if (new URL(url).pathname !== path || !isPlainPath(path)) return undefined;
  return { path, search: match?.[2] ?? "" };
}

function isPlainPath(path: string): boolean {
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

/**
 * Reads `application/x-www-form-urlencoded` to the letter. Where the platform's parser would guess, at a half escape, at bytes
 * that are no UTF-8, at a name that comes twice, this returns nothing: a guess could be another password than the one typed.
 */
export function parseUrlEncoded(text: string, limit: number): ReadonlyMap<string, string> | undefined {
  const fields = new Map<string, string>();
  if (text === "") return fields;
  const parts = text.split("&", limit + 1);
  if (parts.length > limit) return undefined;
  for (const part of parts) {
    const equals = part.indexOf("=");
    const name = equals < 0 ? undefined : decode(part.slice(0, equals));
    const value = decode(part.slice(equals + 1));
    if (name === undefined || value === undefined || fields.has(name) || !isFieldName(name)) return undefined;
    fields.set(name, value);
  }
  return fields;
}

/** A name of a field in any language. Brackets and the like mean more than a name to some servers. */
const isFieldName = (name: string): boolean => /^(?! )[\p{L}\p{M}\p{N}_.: -]{1,64}(?<! )$/u.test(name);

function decode(text: string): string | undefined {
  // A form serialiser never writes control characters, or anything beyond ASCII.
  if (!/^[\x21-\x7e]*$/.test(text)) return undefined;
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    // The platform's error names the text.
    return undefined;
  }
}

/** A login form (contract, section 4.1), its values wrapped for the rest of the relay. */
export interface LoginForm {
  readonly provider: string;
  readonly username: Secret;
  readonly password: Secret;
  /** The provider's own fields. */
  readonly others: Readonly<Record<string, Secret>>;
}

/** Reads the text of a body of a type, such as `application/json`, or says why it can't be read. */
export async function readBody(request: Request, type: string): Promise<string | RelayResponse> {
  const { headers } = request;
  // A compressed body is refused: it could unpack to any size.
  if (!isOfType(headers.get("content-type"), type) || headers.has("content-encoding")) return unsupportedContentType;
  if (Number(headers.get("content-length")) > BODY_LIMIT) return bodyTooLarge;
  if (request.bodyUsed || request.body?.locked) return bodyAlreadyRead;
  const text = await readText(request);
  // A parser that read Node's own stream leaves an empty one.
  const isEmptied = text === "" && (Number(headers.get("content-length")) > 0 || headers.has("transfer-encoding"));
  return isEmptied ? bodyAlreadyRead : text;
}

/**
 * Takes a login form in, or says why it can't be sent on.
 *
 * @param isAnswer the form of an answer needs no username and no password: the record has them, and reads no others.
 */
export function parseForm(text: string, isAnswer: boolean): LoginForm | RelayResponse {
  const fields = parseUrlEncoded(text, FIELD_LIMIT);
  if (!fields || [...fields.keys()].some(isKeyName)) return malformedFields;
  // No field is sent empty: the client refuses it, and the contract calls it missing.
  if ([...fields.values()].includes("")) return missingCredentials;
  const { provider, username, password, ...others } = Object.fromEntries(fields);
  const isComplete = isAnswer || (username !== undefined && password !== undefined);
  if (provider === undefined || !isComplete) return missingCredentials;
  const secrets = Object.entries(others).map(([name, value]) => [name, secret(value)]);
  return {
    provider,
    username: secret(username ?? ""),
    password: secret(password ?? ""),
    others: Object.fromEntries(secrets),
  };
}

function isOfType(contentType: string | null, type: string): boolean {
  const [name = "", ...parameters] = (contentType ?? "").toLowerCase().split(";");
  return name.trim() === type && /^( *charset="?utf-8"? *)?$/.test(parameters.join(";"));
}

/** The body as text, counted while it comes, within the time for it. */
async function readText(request: Request): Promise<string | RelayResponse> {
  if (!request.body) return "";
  const reader = request.body.getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const read = async (): Promise<string | RelayResponse> => {
    let text = "";
    for (let size = 0; ; ) {
      const part = await reader.read();
      if (part.done) return text + decoder.decode();
      size += part.value.byteLength;
      if (size > BODY_LIMIT) return bodyTooLarge;
      text += decoder.decode(part.value, { stream: true });
    }
  };
  try {
    return await limitTime(read(), BODY_TIMEOUT, () => slowBody);
  } catch {
    // The connection broke, or the bytes are not UTF-8. The platform's error is not passed on.
    return request.signal.aborted ? requestAborted : malformedFields;
  } finally {
    // The rest stays unread: the response closes the connection. A read that runs rejects.
    reader.closed.catch(() => undefined);
    reader.releaseLock();
  }
}
