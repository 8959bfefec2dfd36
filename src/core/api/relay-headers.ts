import { createHandlerError } from "./errors.ts";
import { createInputError, parseHeaderValue, parseObject, revealText, type StringOrSecret } from "./input-checks.ts";
import { type Secret, secret } from "./secret.ts";

/** Headers that say to a relay who sends a request, by their names. The values may be secrets. */
export type RelayHeaders = Readonly<Record<string, StringOrSecret>>;

/** The options that become headers of a request to a relay. */
export interface RelayHeaderOptions {
  /**
   * Sent as `Authorization: Bearer …` with each request to a relay that checks it (`checkAppToken`). It is for apps that send
   * requests without a browser, such as React Native; it can't be given together with `apiKey`. Tokens expire, so a function is
   * called before each try, within its time-out. If it throws, nothing is sent, and the request fails with `handler_failed`.
   */
  readonly appToken?: StringOrSecret | (() => StringOrSecret | Promise<StringOrSecret>);
  /**
   * Sent with each request to a relay, such as `{ authorization: "Bearer …" }`, for its `readUser`. A relay on another origin must name
   * them in `allowedHeaders`. A function is called before each try, within its time-out; if it throws, nothing is sent, and
   * the request fails with `handler_failed`. The headers that the client writes itself can't be given; nor can these together
   * with `apiKey` or `appToken`. Default: none.
   */
  readonly headers?: RelayHeaders | (() => RelayHeaders | Promise<RelayHeaders>);
}

/** What the client, or the platform for it, writes itself. */
const OWN_HEADER = /^(accept|content-(length|type)|x-(api-key|attempt-id|session-key|ventanilla))$/i;

/** Reads the headers of one try. */
type HeaderReader = () => Promise<Readonly<Record<string, Secret>>>;

/** @returns undefined without one of the options, so that a request is sent without a wait. */
export function createHeaderReader(options: RelayHeaderOptions & { readonly apiKey?: unknown }) {
  if (!("appToken" in options)) return "headers" in options ? create("headers", options, parseHeaders) : undefined;
  if ("headers" in options) throw createInputError("headers", "can't be given together with appToken");
  return create("appToken", options, (token) => ({ authorization: secret(`Bearer ${parseAppToken(token)}`) }));
}

function create<Field extends keyof RelayHeaderOptions>(
  field: Field,
  options: RelayHeaderOptions & { readonly apiKey?: unknown },
  parse: (value: unknown) => Readonly<Record<string, Secret>>,
): HeaderReader {
  if ("apiKey" in options) throw createInputError(field, "is for a relay: leave out apiKey");
  const given = options[field];
  if (typeof given !== "function") {
    const headers = parse(given);
    return async () => headers;
  }
  return async () => {
    let value: unknown;
    try {
      value = await given();
    } catch (error) {
      throw createHandlerError(field, error);
    }
    return parse(value);
  };
}

function parseHeaders(headers: unknown): Readonly<Record<string, Secret>> {
  const given = parseObject("headers", headers as RelayHeaders | undefined);
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const field = `headers.${name}`;
      if (!isHeaderName(name)) throw createInputError("headers", "must have names of headers");
      if (OWN_HEADER.test(name)) throw createInputError(field, "is written by the client itself");
      return [name.toLowerCase(), secret(parseHeaderValue(field, revealText(field, value)))];
    }),
  );
}

/** Reveals the token of an app, and refuses what is no bearer token (RFC 6750, section 2.1). */
function parseAppToken(appToken: unknown): string {
  const token = revealText("appToken", appToken as StringOrSecret);
  if (isBearerToken(token)) return token;
  throw createInputError("appToken", "must be letters, digits and -._~+/ alone, with or without = at the end");
}

export function isBearerToken(text: string): boolean {
  return /^[\w.~+/-]+=*$/.test(text);
}

/** Whether a text can name a header. `*`, which can too, means every header in the response to a preflight. */
export function isHeaderName(text: unknown): boolean {
  return typeof text === "string" && text !== "*" && /^[\w!#$%&'*+.^`|~-]+$/.test(text);
}
