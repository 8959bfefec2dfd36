import type { CallOptions, ClientSettings } from "./client-options.ts";
import { parseHeaderValue } from "./input-checks.ts";
import type { RelayLogin } from "./relay-login.ts";
import { reveal } from "./reveal.ts";

/** The service's requests, as the contract writes them: what serves, sends or fakes them is a table of these. */
export const endpoints = {
  "GET /provider/": "read",
  "GET /provider/{code}/": "read",
  "POST /login/": "once",
  "GET /transfer/destinations": "read",
  "GET /client/": "read",
  // It changes the session.
  "GET /client/{id}/": "once",
  "GET /logout/": "once",
  // How a request that is sent once has ended.
  "GET /submit/": "read",
  // Whether the person has approved the login in the bank's app.
  "GET /approval/": "read",
  // The person has left. It may be repeated.
  "POST /cancel/": "read",
} as const;

/** Those that only a relay serves. */
export const relayEndpoints = [
  "GET /submit/",
  "GET /approval/",
  "POST /cancel/",
] as const satisfies readonly Endpoint[];

export type ServiceEndpoint = Exclude<Endpoint, (typeof relayEndpoints)[number]>;

/** One of the requests. A read may be sent again; any other must arrive once. */
export type Endpoint = keyof typeof endpoints;

/** The members of an error that name its request. */
export interface RequestName {
  /** Method and path template: `POST /login/`. */
  readonly request: Endpoint;
  /** The service's address. */
  readonly baseUrl: string;
}

/** One request as a method of the client describes it. */
export interface BankRequest {
  readonly settings: ClientSettings;
  /** Names the request in errors. */
  readonly name: RequestName;
  readonly method: "GET" | "POST";
  /** The path with its values encoded. */
  readonly path: string;
  /** Whether it must not arrive twice. */
  readonly isOnce: boolean;
  /** In plain text: a request lives no longer than its call. */
  readonly key?: string | undefined;
  readonly query?: Readonly<Record<string, string>> | undefined;
  readonly form?: Readonly<Record<string, string>> | undefined;
  /** Milliseconds until a try is aborted. */
  readonly timeout: number;
  /** When the request is aborted even within its time-out, in milliseconds since the epoch. */
  readonly deadline: number;
  /** The client's and the call's. */
  readonly signals: readonly AbortSignal[];
  /** The call's. */
  readonly onResponse: CallOptions["onResponse"];
  /** How old a response may be that a relay has kept, in milliseconds. Never sent to the service. */
  readonly maxAge?: number | undefined;
  /** The login that it is of, at a relay. */
  readonly login?: RelayLogin | undefined;
  /** Called with what the headers of a relay say, at each of its responses. */
  readonly onRelay?: ((note: RelayNote) => void) | undefined;
}

/** What the headers of a relay say of a login. */
export interface RelayNote {
  /** The number of the last submit that it knows. */
  readonly last: number | undefined;
  /** It has waited as long as it does, and the bank still works: it is asked again. */
  readonly isUnderWay: boolean;
}

/**
 * The header of each request to a relay, and of each of its responses. A page of another site can't send it without a preflight, and
 * a proxy before the relay does not write it on a response of its own.
 */
export const RELAY_HEADER = "x-ventanilla";

/** What it is in the response of a server that knows who sends a request. Otherwise `1`. */
export const KNOWS_USERS = "users";

/** The header of a session key. To a relay it has the name of the step that the request continues. */
export const KEY_HEADER = "x-session-key";

/** The header of the login's id, in requests of a login to a relay. A hosted session has its own. Logs have it. */
export const LOGIN_HEADER = "x-ventanilla-login";

/** The header of the login's token. Nothing else has it. */
export const TOKEN_HEADER = "x-ventanilla-token";

/**
 * Numbers what is sent once. The request has the number of its submit, the response that of the last one that the server knows: the next is one more. So
 * two tabs that continue the same step send the same number, and one of them is sent to the bank.
 */
export const SUBMIT_HEADER = "x-ventanilla-submit";

/** Whether a request is a submit, or asks for one. */
export const isNumbered = ({ isOnce, name }: Pick<BankRequest, "isOnce" | "name">): boolean =>
  isOnce || name.request === "GET /submit/";

/** The headers that name a login to a relay. */
function createLoginHeaders(request: BankRequest): Record<string, string> {
  const { login } = request;
  if (!login) return {};
  return {
    [LOGIN_HEADER]: login.id,
    ...(login.token && { [TOKEN_HEADER]: login.token }),
    ...(isNumbered(request) && { [SUBMIT_HEADER]: String(login.last + 1) }),
    ...(login.step !== undefined && { [KEY_HEADER]: login.step }),
  };
}

/** The headers of a request, by names in lower case. */
export function createHeaders(request: BankRequest): Record<string, string> {
  const { settings, maxAge, form, key } = request;
  const { apiKey, userAgent, sessionKeyIn } = settings;
  const headers: Record<string, string> = { accept: "application/json" };
  if (apiKey) {
    headers["x-api-key"] = reveal(apiKey);
    // For caches between here and the service: with the key in a header all sessions have the same addresses. A relay forbids it itself.
    headers["cache-control"] = "no-store";
    // A browser would send a preflight request to a relay because of this one.
    if (userAgent !== false) headers["user-agent"] = userAgent;
  } else {
    headers[RELAY_HEADER] = "1";
    Object.assign(headers, createLoginHeaders(request));
    if (maxAge !== undefined) headers["cache-control"] = `max-age=${Math.floor(maxAge / 1000)}`;
  }
  // Exactly this: a URLSearchParams body would add a charset.
  if (form) headers["content-type"] = "application/x-www-form-urlencoded";
  if (apiKey && key !== undefined && sessionKeyIn === "header") headers[KEY_HEADER] = parseHeaderValue("key", key);
  return headers;
}

/** The query, in which the session key is the last member; `undefined` for none. */
export function createQuery({ settings, query, key }: BankRequest): Readonly<Record<string, string>> | undefined {
  return key !== undefined && settings.sessionKeyIn === "query" ? { ...query, key } : query;
}

/** The password, the answers and the keys of a request and its response: what no text should repeat. */
export function listSecrets({ settings, form = {}, key, login }: BankRequest, newKey: unknown): readonly string[] {
  const { apiKey } = settings;
  const { provider, username, password, ...answers } = form;
  const isAnswer = (key ?? login?.step) !== undefined;
  const sent = [apiKey && reveal(apiKey), key, password, ...(isAnswer ? Object.values(answers) : [])];
  return [...sent, login?.token || undefined, newKey].filter((text) => typeof text === "string");
}
