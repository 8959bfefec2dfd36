import { KEY_HEADER, RELAY_HEADER } from "../../core/api/bank-request.ts";
import { callCallbackInTime, callPredicate, createCallbackError } from "../../core/api/callbacks.ts";
import { type Secret, secret } from "../../core/api/secret.ts";
import { type LoginForm, parseForm, parseUrlEncoded, readBody } from "./browser-input.ts";
import { createPreflightHeaders, isFromAllowedOrigin } from "./origins.ts";
import { checkRateLimit } from "./rate-limit.ts";
import type { RelaySettings } from "./relay-options.ts";
import {
  appRefused,
  appsNotServed,
  headerMissing,
  isRefusal,
  malformedQuery,
  methodNotAllowed,
  notSignedIn,
  originRefused,
  type RelayResponse,
  rateLimited,
} from "./relay-responses.ts";
import type { Route } from "./relay-routes.ts";

// Each check returns a value, or why the request is refused. The relay makes them in this order, the
// cheapest first: after a refusal nothing is read, counted or sent.

export interface IncomingRequest {
  readonly settings: RelaySettings;
  readonly request: Request;
  readonly route: Route;
  readonly parameter: string;
  /** As received. */
  readonly search: string;
}

export interface Sender {
  /** An app's. A page has none. */
  readonly token?: Secret;
}

/** Checks only headers: a preflight ends here, and so do requests that a page of another site could send. */
export function checkHeaders({ settings, request, route }: IncomingRequest): Sender | RelayResponse {
  if (request.method !== route.method) return refuseMethod(request, route, settings);
  const sender = readSender(request, settings);
  if (isRefusal(sender)) return sender;
  // A form, an image or a link of another site can't send it.
  return request.headers.get(RELAY_HEADER) === "1" ? sender : headerMissing;
}

function refuseMethod(request: Request, { method }: Route, settings: RelaySettings): RelayResponse {
  if (request.method !== "OPTIONS") return methodNotAllowed(method);
  if (!isFromAllowedOrigin(request, settings.allowedOrigins)) return originRefused;
  return { httpStatus: 204, headers: createPreflightHeaders(method, settings.allowedHeaders) };
}

/**
 * A page of a listed origin, or an app with a token: a page's script can forge neither. Browsers send `Origin` with every POST, and new
 * ones `Sec-Fetch-Site` with every read over TLS; scripts can remove neither. A read with neither may come from a page in an old
 * browser: if no app is served, it is treated as one. A script of another site can't add a token to it, since that needs a preflight.
 */
function readSender(request: Request, settings: RelaySettings): Sender | RelayResponse {
  const { method, headers } = request;
  const isBrowser = headers.has("origin") || headers.has("sec-fetch-site");
  if (isBrowser || (!settings.checkAppToken && method === "GET")) {
    return isFromAllowedOrigin(request, settings.allowedOrigins) ? {} : originRefused;
  }
  if (!settings.checkAppToken) return appsNotServed;
  const [scheme, token = "", ...others] = (headers.get("authorization") ?? "").split(" ");
  if (scheme?.toLowerCase() !== "bearer" || !isBearerToken(token) || others.length > 0) return appRefused;
  return { token: secret(token) };
}

/** RFC 6750, section 2.1. */
function isBearerToken(text: string): boolean {
  return /^[\w.~+/-]+=*$/.test(text);
}

/** The rate limit. From here on, guesses are counted. */
export async function checkBudget(
  { settings, request, route }: Pick<IncomingRequest, "settings" | "request"> & Partial<Pick<IncomingRequest, "route">>,
  caller: string | undefined,
): Promise<RelayResponse | undefined> {
  // An answer belongs to a login that was counted. Many people may share one address, so the logins of some must not block the answers of others.
  const kind = route?.template === "POST /login/" && !request.headers.has(KEY_HEADER) ? "login" : "read";
  const wait = await checkRateLimit(settings.rateLimit, { caller, kind });
  return wait > 0 ? rateLimited(wait, "caller_limited") : undefined;
}

/** The token of an app. The check may cost the owner a request. */
export async function checkToken(
  { settings, request }: IncomingRequest,
  { token }: Sender,
): Promise<RelayResponse | undefined> {
  if (!token) return undefined;
  const isRight = await callPredicate("checkAppToken", () => settings.checkAppToken?.({ token, request }));
  return isRight ? undefined : appRefused;
}

/** What `readUser` returns, if the route is for a user. It may cost the owner a request, too. */
export async function readUser(
  { settings, request, route }: IncomingRequest,
  { token }: Sender,
): Promise<{ readonly user: string | undefined } | RelayResponse> {
  const { readUser: read } = settings;
  // A user who signs out may have no session any more: the token identifies the login.
  if (!read || !route.isOfLogin || route.kind === "cancel") return { user: undefined };
  const user = await callCallbackInTime("readUser", () => read({ request, ...(token && { token }) }));
  if (user === undefined) return notSignedIn;
  // An empty text would be one user for everyone.
  if (typeof user !== "string" || user === "") throw createCallbackError("readUser", "returned no text");
  return { user };
}

/** A key in the address, as older clients send it, would turn an answer into a new login. */
export function readQuery({ search, route }: IncomingRequest): ReadonlyMap<string, string> | RelayResponse {
  const query = parseUrlEncoded(search, 2);
  if (!query || [...query.keys()].some((name) => !route.query?.includes(name))) return malformedQuery;
  return query;
}

/** Reads the form of a login or of an answer, which costs most. Its text distinguishes a repeat from another form. */
export async function readForm(
  { route, request }: IncomingRequest,
  isAnswer: boolean,
): Promise<{ readonly text: string; readonly form?: LoginForm } | RelayResponse> {
  if (route.method === "GET") return { text: "" };
  const text = await readBody(request, "application/x-www-form-urlencoded");
  if (typeof text !== "string") return text;
  const form = parseForm(text, isAnswer);
  return isRefusal(form) ? form : { text, form };
}
