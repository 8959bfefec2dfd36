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

// The length of a client's id is unknown.
const LONGEST_ADDRESS = 8192;

// Limits of a body: its bytes, the milliseconds in which it must arrive, and the fields of a form.
const BODY_LIMIT = 64 * 1024;
const BODY_TIMEOUT = 10_000;
const FIELD_LIMIT = 32;

/** The parts of a request's address. */
export interface Address {
  /** The path, still encoded. */
  readonly path: string;
  /** The query, as received. */
  readonly search: string;
}

/**
 * Splits an address; `undefined` if its path is ambiguous. Servers and proxies treat dot
 * segments and doubled, encoded and backward slashes differently: a path that one of them would rewrite is not served.
 */
export function parseAddress(url: string): Address | undefined {
  if (url.length > LONGEST_ADDRESS || !URL.canParse(url)) return undefined;
  const match = /^https?:\/\/[^/?#\\]*(\/[^?#]*)(?:\?([^#]*))?$/i.exec(url);
  const path = match?.[1] ?? "";
  if (new URL(url).pathname !== path || !isPlainPath(path)) return undefined;
  return { path, search: match?.[2] ?? "" };
}

function isPlainPath(path: string): boolean {
  // Refused when encoded: slashes, dots, controls, and the percent sign, which would hide another encoding.
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
 * Parses `application/x-www-form-urlencoded` strictly. If the platform's parser would guess (an incomplete escape, bytes
 * that are not UTF-8, a repeated name), it returns nothing: a guess could be another password than the typed one.
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

/** A field's name, in any language. Some servers give brackets and similar characters a meaning. */
const isFieldName = (name: string): boolean => /^(?! )[\p{L}\p{M}\p{N}_.: -]{1,64}(?<! )$/u.test(name);

function decode(text: string): string | undefined {
  // A form serialiser never writes control characters, or anything beyond ASCII.
  if (!/^[\x21-\x7e]*$/.test(text)) return undefined;
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    // The platform's error quotes the text.
    return undefined;
  }
}

/** A login form (contract, section 4.1), its values as secrets. */
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
  // A parser that has read Node's own stream leaves an empty one.
  const isEmptied = text === "" && (Number(headers.get("content-length")) > 0 || headers.has("transfer-encoding"));
  return isEmptied ? bodyAlreadyRead : text;
}

/**
 * Parses a login form, or says why it can't be sent on.
 *
 * @param isAnswer the form of an answer contains no username and no password, because the record has them.
 */
export function parseForm(text: string, isAnswer: boolean): LoginForm | RelayResponse {
  const fields = parseUrlEncoded(text, FIELD_LIMIT);
  if (!fields || [...fields.keys()].some(isKeyName)) return malformedFields;
  // An empty field is never sent: the client refuses it, and the contract calls it missing.
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

/** The body as text, within the limits of size and time. */
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
    // The rest stays unread: the response closes the connection. A running read rejects.
    reader.closed.catch(() => undefined);
    reader.releaseLock();
  }
}
