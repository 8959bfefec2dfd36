import { RELAY_HEADER } from "../../core/api/bank-request.ts";
import { askHook, callHook, callHookInTime, createHookError } from "../../core/api/hooks.ts";
import { type Secret, secret } from "../../core/api/secret.ts";
import { type LoginForm, parseForm, parseUrlEncoded, readBody } from "./browser-input.ts";
import { createPreflightHeaders, isFromAllowedOrigin } from "./origins.ts";
import { checkRateLimit } from "./rate-limit.ts";
import type { LogEntry } from "./relay-events.ts";
import type { RelaySettings } from "./relay-options.ts";
import {
  appRefused,
  appsNotServed,
  attemptIdMissing,
  headerMissing,
  malformedQuery,
  methodNotAllowed,
  notSignedIn,
  originRefused,
  type RelayResponse,
  rateLimited,
} from "./relay-responses.ts";
import type { Route } from "./relay-routes.ts";
import type { UnsealedKey } from "./sealed-keys.ts";

/** A request for a route of the relay, with what the checks have read of it so far. */
export interface Arrival {
  readonly settings: RelaySettings;
  readonly request: Request;
  readonly route: Route;
  readonly parameter: string;
  /** As it came. */
  readonly search: string;
  /** The sealed key, opened once; undefined without one. @throws {BankError} why it can't be opened. */
  unseal(): Promise<UnsealedKey | undefined>;
  /** Of a request that is sent once. */
  readonly attemptId: string | undefined;
  readonly logEntry: LogEntry;
  /** Of an app. */
  token?: Secret;
  caller?: string | undefined;
  user?: string;
  query: ReadonlyMap<string, string>;
  /** The text of the form. */
  text: string;
  form?: LoginForm;
}

/** Says why a request is refused, or adds what it has read of it. */
type Check = (arrival: Arrival) => RelayResponse | undefined | Promise<RelayResponse | undefined>;

/** The cheapest first: nothing is read, counted or sent for a request that one of them refuses. */
const checks: readonly Check[] = [
  checkMethod, // A preflight ends here.
  checkSender, // A page of a listed origin, or an app with a token. A page's script can forge neither.
  checkRelayHeader, // A form, an image or a link of another site can't send it.
  checkAttemptId, // Without it a repeat could not be recognised.
  checkCaller, // The first function of the options, and the rate limit: guesses are counted from here on.
  checkToken, // May cost the owner a request.
  checkUser, // Likewise.
  checkQuery, // A key in the address, as older clients send it, would make an answer a new login.
  checkForm, // Reads the body, which is what costs most.
];

/** Makes every check, in their order. @returns the refusal of the first one that refuses. */
export async function checkRequest(arrival: Arrival): Promise<RelayResponse | undefined> {
  for (const check of checks) {
    const refusal = await check(arrival);
    if (refusal) return refusal;
  }
  return undefined;
}

function checkMethod({ request, route, settings }: Arrival): RelayResponse | undefined {
  if (request.method === route.method) return undefined;
  if (request.method !== "OPTIONS") return methodNotAllowed(route.method);
  if (!isFromAllowedOrigin(request, settings.allowedOrigins)) return originRefused;
  return { httpStatus: 204, headers: createPreflightHeaders(route.method, settings.allowedHeaders) };
}

/**
 * Browsers send `Origin` with every POST, and new ones `Sec-Fetch-Site` with every read over TLS; scripts can take neither away. A
 * read with neither may be that of a page in an old browser: where no app is served, it is treated as one. A script of another site
 * can add no token to it, since that needs a preflight.
 */
function checkSender(arrival: Arrival): RelayResponse | undefined {
  const { request, settings } = arrival;
  const { method, headers } = request;
  const isBrowser = headers.has("origin") || headers.has("sec-fetch-site");
  if (isBrowser || (!settings.checkAppToken && method === "GET")) {
    return isFromAllowedOrigin(request, settings.allowedOrigins) ? undefined : originRefused;
  }
  if (!settings.checkAppToken) return appsNotServed;
  const [scheme, token = "", ...others] = (headers.get("authorization") ?? "").split(" ");
  if (scheme?.toLowerCase() !== "bearer" || !isBearerToken(token) || others.length > 0) return appRefused;
  arrival.token = secret(token);
  return undefined;
}

/** RFC 6750, section 2.1. */
function isBearerToken(text: string): boolean {
  return /^[\w.~+/-]+=*$/.test(text);
}

function checkRelayHeader({ request }: Arrival): RelayResponse | undefined {
  return request.headers.get(RELAY_HEADER) === "1" ? undefined : headerMissing;
}

function checkAttemptId({ route, attemptId }: Arrival): RelayResponse | undefined {
  return route.isSentOnce && attemptId === undefined ? attemptIdMissing : undefined;
}

async function checkCaller(arrival: Arrival): Promise<RelayResponse | undefined> {
  const { settings, request, route, token, attemptId, logEntry } = arrival;
  // A header that is missing is null.
  const caller = (await callHook("readCaller", () => settings.readCaller(request))) ?? undefined;
  logEntry.caller = caller ?? "unknown";
  arrival.caller = caller;
  // A repeat sends nothing: the person has clicked once. It counts if it says who sends it, since that may be a guess.
  const isGuess = token !== undefined || settings.readUser !== undefined;
  if (!isGuess && attemptId !== undefined && settings.attempts.has(attemptId)) return undefined;
  // The login of an answer was counted. Many people may be behind one address: nobody loses a login because others log in.
  const isLogin = route.method === "POST" && !(await isAnswer(arrival));
  const wait = await checkRateLimit(settings.rateLimit, { caller, kind: isLogin ? "login" : "read" });
  return wait > 0 ? rateLimited(wait, "caller_limited") : undefined;
}

/** Why a key is none of a question is said where it is used. */
async function isAnswer({ unseal }: Arrival): Promise<boolean> {
  const key = await unseal().catch(() => undefined);
  return key?.purpose === "interaction";
}

async function checkToken({ settings, request, token }: Arrival): Promise<RelayResponse | undefined> {
  if (!token) return undefined;
  const isRight = await askHook("checkAppToken", () => settings.checkAppToken?.({ token, request }));
  return isRight ? undefined : appRefused;
}

async function checkUser(arrival: Arrival): Promise<RelayResponse | undefined> {
  const { settings, request, route, token } = arrival;
  const { readUser } = settings;
  if (!readUser || !route.takesUser) return undefined;
  const user = await callHookInTime("readUser", () => readUser({ request, ...(token && { token }) }));
  if (user === undefined) return notSignedIn;
  // An empty text would be one user for all.
  if (typeof user !== "string" || user === "") throw createHookError("readUser", "returned no text");
  arrival.user = user;
  return undefined;
}

function checkQuery(arrival: Arrival): RelayResponse | undefined {
  const query = parseUrlEncoded(arrival.search, 2);
  if (!query || [...query.keys()].some((name) => !arrival.route.query?.includes(name))) return malformedQuery;
  arrival.query = query;
  return undefined;
}

async function checkForm(arrival: Arrival): Promise<RelayResponse | undefined> {
  if (arrival.route.method !== "POST") return undefined;
  const text = await readBody(arrival.request, "application/x-www-form-urlencoded");
  if (typeof text !== "string") return text;
  const form = parseForm(text);
  if ("httpStatus" in form) return form;
  Object.assign(arrival, { text, form });
  return undefined;
}
