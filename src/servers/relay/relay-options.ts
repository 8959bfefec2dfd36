import { parseUrl, toAbsoluteUrl } from "../../core/api/base-url.ts";
import type { BankClient } from "../../core/api/client.ts";
import type { BankError } from "../../core/api/errors.ts";
import {
  createInputError,
  type OptionParsers,
  optional,
  parseFlag,
  parseFunction,
  parseMilliseconds,
  parseOptions,
  parseValid,
  unchecked,
  withDefault,
} from "../../core/api/input-checks.ts";
import { isHeaderName } from "../../core/api/relay-headers.ts";
import type { Secret } from "../../core/api/secret.ts";
import { KeyRing, type SealKeys } from "../../core/tokens/sealed-token.ts";
import { checkStore, type Store } from "../../core/tokens/store.ts";
import { type Environment, systemEnvironment } from "../environment.ts";
import { createCallerReader } from "./caller-address.ts";
import { isOrigin } from "./origins.ts";
import type { RateLimit } from "./own-rate-limit.ts";
import { createRateLimit } from "./rate-limit.ts";
import { createSetupWarner, createWarning, type RelayEvent, warn } from "./relay-events.ts";

/** A session that has started. Only the server knows it. */
export interface RelayLogin {
  /** The id of the login in the log: that of its events. Random, and not a secret. */
  readonly id: string;
  /** The bank's code. */
  readonly provider: string;
  /** The real session key (contract, section 5). `reveal(key)` gives the text. */
  readonly key: Secret;
  /** What `readUser` returned; absent without it. */
  readonly user?: string;
  /** The browser's request, for its cookies and headers; its body has been read. Unverified, except its origin or app token. */
  readonly request: Request;
}

/** Who sends a request: a page, or an app with a token. */
export interface RelaySender {
  /** The request, for its headers. Its body can't be read: the relay needs it. */
  readonly request: Request;
  /** The app's bearer token: `reveal(token)` gives the text. That of a page is in its headers. */
  readonly token?: Secret;
}

/** An app that sends a request, before its request is read. */
export interface RelayApp extends RelaySender {
  /** Only its characters were checked. */
  readonly token: Secret;
}

export interface RelayOptions {
  /** Talks to the service, with the API key. Its `sessionKeyIn` says where the real session keys travel. */
  readonly client: BankClient;
  /**
   * Keeps a row for each login, for all instances: a store of `ventanilla/tokens`. In the memory of one process, `createMemoryStore()`, a restart
   * ends all open logins and all sessions that pages use.
   */
  readonly store: Store;
  /**
   * Seals the rows: 32 random bytes as base64, or a list for rotation, whose first key seals. The same for every instance. Without it the rows are not
   * sealed, which is only allowed for a store in the memory of the process.
   */
  readonly sealKey?: SealKeys;
  /**
   * The exact origins of the pages that may use the relay: `https://shop.example`. A page on the relay's own
   * origin is listed like any other. If the list is empty, no page may: the relay then serves only apps, and needs `checkAppToken`.
   */
  readonly allowedOrigins: readonly string[];
  /**
   * The headers, beside its own, that a page of another origin may send: those that `readUser` reads, such as `authorization`. They are
   * the headers that the page's client gives as `headers`. Default: none.
   */
  readonly allowedHeaders?: readonly string[];
  /**
   * Says whether an app may use the relay: a program that sends its requests without a browser, so without `Origin` and
   * `Sec-Fetch-Site`. The app's client sends the token in its `headers`, as `Authorization: Bearer …`, and each of its requests is checked. Only `true` lets it in. If
   * the function throws, or takes more than 10 seconds, the app gets HTTP 500, and nothing is sent on. It is not called for a
   * request with one of the two headers. Default: no app is served. A program can forge `Origin`: only a relay with no
   * `allowedOrigins` checks every request.
   *
   * @example
   * checkAppToken: async ({ token }) => (await findSession(reveal(token))) !== undefined,
   */
  readonly checkAppToken?: (app: RelayApp) => boolean | Promise<boolean>;
  /**
   * Identifies the user of a page or an app by a name that does not change, such as the id of the account. `onLogin` gets it as `user`,
   * and only this user, with the login's token, can continue a login. Called for each request of a login except a cancel, after the rate limit, and for an app after `checkAppToken` accepted its `token`. Only the origin of a page
   * was checked. `undefined`: the user is not signed in, and the request ends with HTTP 401, `not_signed_in`. If it throws, takes more than 10 seconds or
   * returns anything else, the request ends with HTTP 500. In both cases nothing is sent on. Default: the relay knows no users, and the login's
   * token is enough to continue it; a warning on the console says once what a reload then loses. `false` is the same, without the warning.
   *
   * @example
   * readUser: async ({ request }) => (await findSession(request.headers.get("authorization")))?.accountId,
   */
  readonly readUser?: ((sender: RelaySender) => string | undefined | Promise<string | undefined>) | false;
  /**
   * Gets the real session key when a session can be used: after `logged_in`, or after the choice of a client. It is awaited
   * before the browser gets the response, for 10 seconds at most: store the key, and start longer work without a wait for it. If it
   * throws or takes longer, the browser gets HTTP 500 and `onError` gets the error.
   */
  readonly onLogin: (login: RelayLogin) => unknown;
  /** The path that the relay is mounted under. Default `/`. */
  readonly path?: string;
  /**
   * The hosts of the banks' logos, beside the service's own: `["cdn.bank.example"]`. The relay fetches such a logo once and serves it, so that no other server
   * learns at which bank a person logs in. It takes a PNG, JPEG, GIF or WebP of at most 128 KiB, over HTTPS and without a redirect. Default: none.
   */
  readonly logoHosts?: readonly string[];
  /** Serves `GET /client/` and `GET /client/{id}/`. Beyond the contract. Default false. */
  readonly clientSelection?: boolean;
  /** Serves `GET /logout/`. Beyond the contract. Default false. */
  readonly logout?: boolean;
  /** Milliseconds for which the bank's question is kept. Default 600 000, ten minutes. */
  readonly interactionLifetime?: number;
  /** Milliseconds for which the page can use its session: its destinations, the logout. Default 1 800 000, half an hour. */
  readonly sessionLifetime?: number;
  /**
   * Identifies the caller, for the rate limit and the log. Default: the connection's address if the server sets it
   * (`request.ip`), of IPv6 the network of 64 bits. No header is trusted by default: a request with a forwarding header, as from a
   * proxy, comes from an unknown caller, and the first one causes a warning on the console. Behind a proxy read the header that your own
   * proxy sets and overwrites; without one give `readCallerAddress`.
   */
  readonly readCaller?: (request: Request) => string | undefined;
  /** How often a caller may send requests, and how often one user may log in; `false` for no limit. Default `createRateLimit()`, in memory. */
  readonly rateLimit?: RateLimit | false;
  /** Called after each response. What it throws goes to `onError`; a promise is not awaited. */
  readonly onEvent?: (event: RelayEvent) => unknown;
  /**
   * Called with each fault, of the service or of a function of these options, and with the `id` of the request in the log. What
   * it throws is ignored; a promise is not awaited.
   */
  readonly onError?: (error: BankError, request: Pick<RelayEvent, "id">) => unknown;
}

/** What is lost without users, in the words of `docs/relay.md`. */
export const WITHOUT_USERS =
  "Without `readUser` a page that is reloaded while the bank works or asks has lost the login, unless its app gives an `account`: the person logs in again, and the " +
  "bank sends another code. Set `readUser: false` if you accept that.";

const SEVERAL_INSTANCES =
  "a page continues a login that is not in the store: several instances need one store, and a store in memory ends with its process. See docs/production.md.";

/** The checked options, with every default filled in. */
export type RelaySettings = ReturnType<typeof createRelaySettings>;

/** The parsers of the options that a hosted login has, too. */
export const sharedOptions = {
  client: parseValid(
    (client: BankClient) => typeof client?.login === "function",
    "must be a client of createBankClient",
  ),
  store: checkStore,
  sealKey: unchecked,
  logoHosts: withDefault([], parseHosts),
  clientSelection: withDefault(false, parseFlag),
  logout: withDefault(false, parseFlag),
  interactionLifetime: withDefault(600_000, parseMilliseconds),
  readCaller: optional(parseFunction),
  rateLimit: (field, value = createRateLimit()) => (value === false ? value : parseFunction(field, value)),
  onError: optional(parseFunction),
} satisfies Partial<OptionParsers<RelayOptions>>;

const relayOptions = {
  ...sharedOptions,
  allowedOrigins: parseOrigins,
  allowedHeaders: withDefault([], parseHeaderNames),
  checkAppToken: optional(parseFunction),
  readUser: (field, value) => (value === false || value === undefined ? undefined : parseFunction(field, value)),
  onLogin: parseFunction,
  path: withDefault("/", parsePath),
  sessionLifetime: withDefault(1_800_000, parseMilliseconds),
  onEvent: optional(parseFunction),
} satisfies OptionParsers<RelayOptions>;

export function createRelaySettings(options: RelayOptions, environment: Environment = systemEnvironment) {
  const { path: prefix, ...settings } = parseOptions(options, relayOptions);
  const { client, store, sealKey, checkAppToken, readCaller, rateLimit, allowedOrigins } = settings;
  const service = toAbsoluteUrl(client.baseUrl);
  if (allowedOrigins.size === 0 && !checkAppToken) {
    throw createInputError("allowedOrigins", "must name at least one; a relay only for apps needs checkAppToken");
  }
  if (options.readUser === undefined) warn(WITHOUT_USERS);
  return {
    ...settings,
    environment,
    keys: createKeys(store, sealKey),
    // A login at one service can't be used at another.
    service,
    logoHosts: new Set([...settings.logoHosts, new URL(service).host]),
    prefix,
    /** Whether a page can ask for the approval in the bank's app. */
    approval: client.awaitApproval !== undefined,
    readCaller: readCaller ?? createCallerReader(rateLimit === false ? () => undefined : warn),
    /** The codes of the banks that the service has listed, or that a login has reached. */
    providers: new Set<string>(),
    warnOfSetup: createSetupWarner(checkAppToken !== undefined),
    warnOfInstances: createWarning(SEVERAL_INSTANCES),
  };
}

function parseOrigins(field: string, origins: readonly string[]): ReadonlySet<string> {
  // `null` is the origin of every sandboxed page. A pattern would match no origin.
  if (Array.isArray(origins) && origins.every((origin) => isOrigin(origin))) return new Set(origins);
  throw createInputError(field, "must be a list of origins as browsers write them: only scheme, host and port");
}

/** The keys of a store. Rows in the memory of this process are signed with a random key. */
export function createKeys(store: Store, sealKey: SealKeys | undefined): KeyRing {
  if (sealKey === undefined && store.startedAt === undefined)
    throw createInputError("sealKey", "is needed for a store that other processes can have");
  const createRandomKey = () => btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))));
  return new KeyRing(sealKey ?? createRandomKey(), "sealKey");
}

// A pattern would match no host.
const isHost = (host: string): boolean => parseUrl(`https://${host}`)?.host === host && !host.includes("*");

function parseHosts(field: string, hosts: readonly string[]): readonly string[] {
  if (Array.isArray(hosts) && hosts.every(isHost)) return hosts;
  throw createInputError(field, "must be a list of hosts as in an address: without scheme and path");
}

function parseHeaderNames(field: string, names: readonly string[]): readonly string[] {
  if (Array.isArray(names) && names.every(isHeaderName)) return names.map((name) => name.toLowerCase());
  throw createInputError(field, "must be a list of names of headers");
}

/** @returns the path, with a slash at its end. */
function parsePath(field: string, path: string): string {
  const prefix = `${path}`.replace(/\/?$/, "/");
  if (!/^\/([\w.~-]+\/)*$/.test(prefix) || /\/\.{1,2}\//.test(prefix)) {
    throw createInputError(field, "must be a plain path that begins with a slash");
  }
  return prefix;
}
