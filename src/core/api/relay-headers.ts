import { callCallback } from "./callbacks.ts";
import { createInputError, parseHeaderValue, parseObject, revealText, type StringOrSecret } from "./input-checks.ts";
import { type Secret, secret } from "./secret.ts";

/** Headers that say to a relay who sends a request, by their names. The values may be secrets. */
export type RelayHeaders = Readonly<Record<string, StringOrSecret>>;

/** What the client, or the platform for it, writes itself. */
const OWN_HEADER = /^(accept|cache-control|content-(length|type)|x-(api-key|session-key|ventanilla(-\w+)?))$/i;

/** Headers, or what gives them before each try. */
type Given = RelayHeaders | (() => RelayHeaders | Promise<RelayHeaders>);

/** What reads the headers of one try. */
export function createHeaderReader(given: Given): () => Promise<Readonly<Record<string, Secret>>> {
  if (typeof given === "function") return async () => parseHeaders(await callCallback("headers", given));
  const headers = parseHeaders(given);
  return async () => headers;
}

function parseHeaders(headers: RelayHeaders): Readonly<Record<string, Secret>> {
  return Object.fromEntries(
    Object.entries(parseObject("headers", headers)).map(([name, value]) => {
      const field = `headers.${name}`;
      if (!isHeaderName(name)) throw createInputError("headers", "must have names of headers");
      if (OWN_HEADER.test(name)) throw createInputError(field, "is written by the client itself");
      return [name.toLowerCase(), secret(parseHeaderValue(field, revealText(field, value)))];
    }),
  );
}

/** Whether a text can name a header. `*`, which can too, means every header in the response to a preflight. */
export function isHeaderName(text: unknown): boolean {
  return typeof text === "string" && text !== "*" && /^[\w!#$%&'*+.^`|~-]+$/.test(text);
}
