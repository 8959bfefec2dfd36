import { parseServiceUrl } from "./base-url.ts";
import { parseCountries } from "./countries.ts";
import {
  createInputError,
  type OptionParsers,
  optional,
  type ParsedOptions,
  parseFunction,
  parseGroup,
  parseHeaderValue,
  parseMilliseconds,
  parseOptions,
  parseValid,
  parseWholeNumber,
  revealText,
  type StringOrSecret,
  unchecked,
  withDefault,
} from "./input-checks.ts";
import { RESPONSE_LIMIT } from "./limits.ts";
import { createHeaderReader, type RelayHeaders } from "./relay-headers.ts";
import { type Secret, secret } from "./secret.ts";
import { checkStore, type Store } from "./store-interface.ts";

/** What a request hook gets. It holds no secret: every query value in the address is `[secret]`. */
export interface RequestEvent {
  /** The HTTP method. */
  readonly method: "GET" | "POST";
  /** The complete address, with every query value masked. */
  readonly url: string;
  /** 1 for the first try, 2 for the first retry of a read, … */
  readonly attempt: number;
}

/** What a response hook gets. */
export interface ResponseEvent extends RequestEvent {
  /** The response's HTTP code. */
  readonly httpStatus: number;
  /** Milliseconds from the send to the complete response. */
  readonly duration: number;
}

/** How reads are repeated. Logins, the choice of a client and the logout never are. */
export interface RetryOptions {
  /** Retries after the first try. Default 2. */
  readonly limit?: number;
  /** Milliseconds before the first retry; doubles each time, with jitter between half of it and all of it. Default 300. */
  readonly delay?: number;
  /** The longest wait that a `Retry-After` may ask for, in milliseconds. If it asks for more, there is no retry. Default 30 000. */
  readonly maxRetryAfter?: number;
}

/** How a client keeps what it reads of banks. */
export interface DirectoryOptions {
  /**
   * Milliseconds for which a response is given without a request. For as long again it is given at once, and read again behind the
   * caller's back. Default 3 600 000, an hour.
   */
  readonly lifetime?: number;
  /**
   * Shares them between processes, one of `ventanilla/tokens`. Clients with another API key or service have entries of their own. Of a store that fails, or
   * gives nothing within a second, the service is asked. Default: none, the memory of this client only.
   */
  readonly store?: Store;
}

/** The options that every client has. */
export interface ClientOptions {
  /** Milliseconds until a try is aborted, reading of the response included. Logins are slow. */
  readonly timeout?: {
    /** For `login`. Default 90 000. */
    readonly login?: number;
    /** For everything else. Default 15 000. */
    readonly read?: number;
  };
  /**
   * Default `globalThis.fetch`. The body of a login may be a stream: read it with `new Request(input, init)`, and pass all of `init` on.
   * A function that calls Node's `fetch` may send `selectClient` and `logout` a second time, after HTTP 421. A function that clones its request and tries again
   * sends a login twice, which no library can prevent.
   */
  readonly fetch?: typeof globalThis.fetch;
  /** Aborts all requests of this client, and refuses later ones. */
  readonly signal?: AbortSignal;
  /** Retry of reads; `false` for none. */
  readonly retry?: RetryOptions | false;
  /**
   * Keeps the responses of `listProviders`, and of `getProvider` without a `choice`; calls at the same time share one request, if their
   * limits are the same. Only successes are kept, and no bank whose detail has a `state`. Take them as read-only: every call gets the same object. `false` for a request each time.
   */
  readonly directory?: DirectoryOptions | false;
  /** The largest response that is read, in bytes after decompression. Default 4 MiB, room for 50,000 banks. */
  readonly responseLimit?: number;
  /** The `User-Agent` header; `false` for the platform's own. Default `ventanilla`. Browsers may ignore it. */
  readonly userAgent?: string | false;
  /** Called before each try; a promise is not awaited. If it throws, the request fails with `handler_failed`. */
  readonly onRequest?: (event: RequestEvent) => void;
  /** Called after each complete response; a promise is not awaited. If it throws, the request fails with `handler_failed`. */
  readonly onResponse?: (event: ResponseEvent) => void;
}

/** What `createBankClient` takes. */
export interface BankClientOptions extends ClientOptions {
  /** The service's address, `http` or `https`, with or without a path prefix and a trailing slash (contract, section 1). */
  readonly baseUrl: string;
  /**
   * Sent as `X-API-Key` with each request (contract, section 5). It belongs on a server: a page has a `createRelayClient`. The type lets
   * `process.env.API_KEY` through; `undefined`, of a variable that is not set, is refused.
   */
  readonly apiKey: StringOrSecret | undefined;
  /**
   * Where the session key travels to the service. Default `query`, as the contract says (contract, section 5). `header` sends
   * `X-Session-Key` instead and goes beyond the contract; it keeps the key out of access logs.
   */
  readonly sessionKeyIn?: "query" | "header";
}

/** What `createRelayClient` takes. */
export interface RelayClientOptions extends ClientOptions {
  /**
   * The relay's address, `http` or `https`, with or without a trailing slash, or a path, `/bank`: a relay on the page's own origin. The origin
   * is read when a request is sent, so a server may make the client, to render a screen; a request fails there with `invalid_input`.
   */
  readonly baseUrl: string;
  /**
   * Sent with each request, to say who sends it: `{ authorization: "Bearer …" }` of a page for the relay's `readUser`, of an app without a
   * browser, such as React Native, for its `checkAppToken` too. For a page on another origin the relay must name them in `allowedHeaders`.
   * Tokens expire, so a function is called before each try, within its time-out. If it throws, nothing is sent, and the request fails
   * with `handler_failed`. The headers that the client writes itself can't be given. Default: none.
   */
  readonly headers?: RelayHeaders | (() => RelayHeaders | Promise<RelayHeaders>);
  /**
   * The session of a hosted login whose page this is: all that the client sends is of its one login. Its page gets both members with its state. Default: each
   * form that is sent is a login of its own.
   */
  readonly session?: {
    readonly id: string;
    /** The number of the last submit that the server knows. */
    readonly lastSubmit: number;
  };
  /**
   * The countries whose banks `listProviders` gives, by codes of two letters (contract, section 2.1), in capitals or small letters: the relay sends no others, so a
   * list of many banks is small. Banks without a country are in every list. A login at another bank is possible. Default: every country.
   */
  readonly countries?: readonly string[];
}

/** The options of every call. */
export interface CallOptions {
  /** Aborts the call with `request_aborted`. */
  readonly signal?: AbortSignal;
  /** Milliseconds until a try is aborted. Default: the client's. */
  readonly timeout?: number;
  /** When the call is aborted, retries included, in milliseconds since the epoch. Default: never. */
  readonly deadline?: Date | number | undefined;
  /** As that of the client, for this call. A response that was kept brings none. */
  readonly onResponse?: ((event: ResponseEvent) => void) | undefined;
}

/** Whose requests a client sends: the service's, with the API key, or those of a relay, which has it. */
export type ClientKind = "service" | "relay";

/** Checks and completes the options that every client has. */
const clientOptions = {
  timeout: parseGroup({
    login: withDefault(90_000, parseMilliseconds),
    read: withDefault(15_000, parseMilliseconds),
  } satisfies OptionParsers<NonNullable<ClientOptions["timeout"]>>),
  fetch: optional(parseFunction),
  signal: unchecked,
  retry: (field, value) => parseRetry(field, value === false ? { limit: 0 } : value),
  directory: (field, value) => (value === false ? undefined : parseDirectory(field, value)),
  responseLimit: withDefault(RESPONSE_LIMIT, parseWholeNumber),
  userAgent: (field, value = "ventanilla") => (value === false ? value : parseHeaderValue(field, value)),
  onRequest: optional(parseFunction),
  onResponse: optional(parseFunction),
} satisfies OptionParsers<ClientOptions>;

const parseRetry = parseGroup({
  limit: withDefault(2, parseWholeNumber),
  delay: withDefault(300, parseWholeNumber),
  maxRetryAfter: withDefault(30_000, parseWholeNumber),
} satisfies OptionParsers<RetryOptions>);

const parseDirectory = parseGroup({
  lifetime: withDefault(3_600_000, parseMilliseconds),
  store: optional(checkStore),
} satisfies OptionParsers<DirectoryOptions>);

const bankClientOptions = {
  ...clientOptions,
  baseUrl: (_, value) => parseServiceUrl(value, { isPathAllowed: false }),
  apiKey: (field, value) => secret(parseApiKey(field, value)),
  sessionKeyIn: withDefault(
    "query",
    parseValid((value) => value === "query" || value === "header", 'must be "query" or "header"'),
  ),
} satisfies OptionParsers<BankClientOptions>;

const relayClientOptions = {
  ...clientOptions,
  baseUrl: (_, value) => parseServiceUrl(value, { isPathAllowed: true }),
  headers: (_, value) => (value === undefined ? undefined : createHeaderReader(value)),
  session: optional(
    parseGroup({ id: parseHeaderValue, lastSubmit: parseWholeNumber } satisfies OptionParsers<
      NonNullable<RelayClientOptions["session"]>
    >),
  ),
  countries: (_, value) => (value === undefined ? undefined : parseCountries(value)),
} satisfies OptionParsers<RelayClientOptions>;

/** Checks and completes the options of `createBankClient`. */
export const parseBankClientOptions = (options: BankClientOptions): ClientSettings => ({
  ...parseOptions(options, bankClientOptions),
  kind: "service",
  readHeaders: undefined,
  countries: undefined,
  relay: undefined,
});

/** Checks and completes the options of `createRelayClient`. What names its logins travels in headers. */
export function parseRelayClientOptions(options: RelayClientOptions): ClientSettings {
  const { headers, session, ...settings } = parseOptions(options, relayClientOptions);
  return {
    ...settings,
    kind: "relay",
    apiKey: undefined,
    readHeaders: headers,
    sessionKeyIn: "header",
    relay: { session: session && { id: session.id, last: session.lastSubmit } },
  };
}

function parseApiKey(field: string, apiKey: StringOrSecret | undefined | null): string {
  if (apiKey === undefined || apiKey === null) {
    throw createInputError(
      field,
      "has no value: set the variable that it is read from, such as VENTANILLA_API_KEY; in a page use createRelayClient",
    );
  }
  return parseHeaderValue(field, revealText(field, apiKey));
}

/** The options with every default filled in and every value checked. */
export interface ClientSettings extends ParsedOptions<ClientOptions, typeof clientOptions> {
  readonly kind: ClientKind;
  readonly baseUrl: string;
  /** `undefined` if a relay has it. */
  readonly apiKey: Secret | undefined;
  readonly readHeaders: ReturnType<typeof createHeaderReader> | undefined;
  /** As a relay's query has them; `undefined` for every country. */
  readonly countries: string | undefined;
  readonly sessionKeyIn: "query" | "header";
  /** What is known of the relay: whether it knows users, as soon as it has responded, and the session of a hosted page. */
  readonly relay:
    | { hasUsers?: boolean; readonly session: { readonly id: string; last: number } | undefined }
    | undefined;
}
