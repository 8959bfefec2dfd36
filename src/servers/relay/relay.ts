import { KEY_HEADER, RELAY_HEADER } from "../../core/api/bank-request.ts";
import { BankError, describeThrown } from "../../core/api/errors.ts";
import { askHook, callHook } from "../../core/tokens/hooks.ts";
import { readAppToken, readUser } from "./app-check.ts";
import { ATTEMPT_HEADER } from "./attempts.ts";
import { parseAddress, parseForm, readForm } from "./browser-input.ts";
import { createCorsHeaders, createPreflightHeaders, isFromAllowedOrigin } from "./origins.ts";
import { checkRateLimit } from "./rate-limit.ts";
import type { Call } from "./relay-call.ts";
import { type LogEntry, type RelayEvent, reportError, reportEvent } from "./relay-events.ts";
import { createRelaySettings, type RelayOptions, type RelaySettings } from "./relay-options.ts";
import {
  appRefused,
  attemptIdMissing,
  headerMissing,
  malformedQuery,
  methodNotAllowed,
  notFound,
  originRefused,
  type RelayResponse,
  rateLimited,
  requestAborted,
  slashChanged,
  toFaultResponse,
  toResponse,
} from "./relay-responses.ts";
import { findRoute, type Route } from "./relay-routes.ts";
import { isInteractionKey } from "./sealed-keys.ts";

/** The server half of a browser login, as one web-standard handler. It always resolves. */
export type Relay = (request: Request) => Promise<Response>;

/**
 * Makes the server half of a browser login: it holds the API key, and the browser's `createBankClient({ baseUrl })` talks to it
 * in the shapes of the contract, sections 2 to 4. The browser gets neither the API key nor a key of the
 * service's: keys go out sealed, each for one purpose, and the real session key goes to `onLogin`, on the server.
 *
 * Beyond the contract, where opted in: `GET /client/`, `GET /client/{id}/`, `GET /logout/`. Everything else answers 404 or 405.
 *
 * @throws {BankError} `invalid_input` naming the option that can't be used.
 * @example
 * const relay = createRelay({
 *   client: createBankClient({ baseUrl: "https://bank.example", apiKey: process.env.API_KEY }),
 *   sealKey,
 *   allowedOrigins: ["https://shop.example"],
 *   onLogin: ({ provider, key, request }) => sessions.store(userOf(request), provider, reveal(key)),
 * });
 */
export function createRelay(options: RelayOptions): Relay {
  const settings = createRelaySettings(options);
  return async (request) => {
    const started = performance.now();
    const logEntry: LogEntry = { id: crypto.randomUUID(), route: "unknown" };
    const response = await serve(request, settings, logEntry).catch(
      createFaultHandler(settings, request.signal, logEntry),
    );
    settings.warnOfSetup(response.reason, request);
    reportEvent(settings, toEvent(request, settings, response, logEntry, performance.now() - started));
    return toResponse(response, createCorsHeaders(request, settings.allowedOrigins));
  };
}

/** Makes the cheapest checks first: nothing is read, counted or sent for a request that one of them refuses. */
async function serve(request: Request, settings: RelaySettings, logEntry: LogEntry): Promise<RelayResponse> {
  const address = parseAddress(request.url, settings.prefix);
  const match = address && findRoute(address.path, settings);
  if (!match) return address && isSlashChanged(address.path, settings) ? slashChanged : notFound;
  const { route, parameter } = match;
  const { template } = route;
  const { attempts, checkAppToken, readAppUser } = settings;
  logEntry.route = template;
  if (request.method === "OPTIONS") return preflight(request, route, settings);
  if (request.method !== route.method) return methodNotAllowed(route.method);
  const token = readAppToken(request, checkAppToken);
  if (token && "httpStatus" in token) return token;
  if (!token && !isFromAllowedOrigin(request, settings.allowedOrigins)) return originRefused;
  if (request.headers.get(RELAY_HEADER) !== "1") return headerMissing;
  const attemptId = route.isSentOnce ? readAttemptId(request) : undefined;
  if (route.isSentOnce && attemptId === undefined) return attemptIdMissing;
  const key = route.takesKey ? (request.headers.get(KEY_HEADER) ?? undefined) : undefined;
  // A login has the id that its page knows it by; the sealed keys carry it on.
  if (template === "POST /login/" && attemptId !== undefined && key === undefined) logEntry.id = attemptId.slice(0, 36);
  // The functions could read the whole request, in which no secret is known yet: their errors have no cause.
  // A header that is missing is null.
  const caller = (await callHook("readCaller", () => settings.readCaller(request))) ?? undefined;
  logEntry.caller = caller ?? "unknown";
  // The login of an answer was counted. Many people may be behind one address: nobody loses a login because others log in.
  const isLogin = route.method === "POST" && !(await isInteractionKey(key, settings));
  // A repeat sends nothing: the person has clicked once. That of an app counts, since its token may be a guess.
  const isRepeat = !token && attemptId !== undefined && attempts.has(attemptId);
  const wait = isRepeat ? 0 : await checkRateLimit(settings.rateLimit, { caller, kind: isLogin ? "login" : "read" });
  if (wait > 0) return rateLimited(wait, "caller_limited");
  // A check may cost the owner a request: guesses are limited before.
  if (token && !(await askHook("checkAppToken", () => checkAppToken?.({ token, request })))) return appRefused;
  const appUser = token && readAppUser && route.takesKey ? await readUser(readAppUser, { token, request }) : undefined;
  const { query } = address;
  // An answer whose key is in the address, as older clients send it, would be a new login.
  if (!query || [...query.keys()].some((name) => !route.query?.includes(name))) return malformedQuery;
  const text = route.method === "POST" ? await readForm(request) : "";
  if (typeof text !== "string") return text;
  const form = route.method === "POST" ? parseForm(text) : undefined;
  if (form && "httpStatus" in form) return form;
  const { signal } = request;
  const parts = { template, request, attemptId, form, parameter, query, key };
  const call: Call = { settings, ...parts, signal, caller, appUser, logEntry };
  if (attemptId === undefined) return route.handle(call);
  // Nobody waits for it, such as after the process was suspended. A repeat may come to another instance, and finds the id free.
  if (signal.aborted) return requestAborted;
  const digest = await attempts.createDigest([template, address.path, [...query], key, text, appUser]);
  return attempts.respond(attemptId, digest, signal, async (upstream) => {
    const faultHandler = createFaultHandler(settings, upstream, logEntry, template);
    return { ...(await route.handle({ ...call, signal: upstream }).catch(faultHandler)), logEntry };
  });
}

/** Whether the path would be one of the relay's with a slash more or less at its end. */
function isSlashChanged(path: string, settings: RelaySettings): boolean {
  return findRoute(path.endsWith("/") ? path.slice(0, -1) : `${path}/`, settings) !== undefined;
}

/** What the browser's client calls this attempt: a UUID, as it writes one; with `.2` for a login that is sent again after it closed another session. */
function readAttemptId(request: Request): string | undefined {
  const id = request.headers.get(ATTEMPT_HEADER) ?? "";
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}(\.2)?$/.test(id) ? id : undefined;
}

function preflight(request: Request, { method }: Route, settings: RelaySettings): RelayResponse {
  if (!isFromAllowedOrigin(request, settings.allowedOrigins)) return originRefused;
  return { httpStatus: 204, headers: createPreflightHeaders(method) };
}

/**
 * Reports a fault, and makes it a response.
 *
 * @param sentOnce the request that must not be sent to the bank again. The route may have sent others before it.
 */
function createFaultHandler(settings: RelaySettings, signal: AbortSignal, logEntry: LogEntry, sentOnce = "") {
  return (error: unknown): RelayResponse => {
    const fault = toBankError(error);
    // A browser that closed its connection is no fault, nor is a sealed key that can't be used.
    const isCallers = fault.code.startsWith("token_") || (fault.code === "request_aborted" && signal.aborted);
    if (!isCallers) reportError(settings, fault, logEntry);
    return toFaultResponse(fault, fault.request === sentOnce);
  };
}

/** A client of the options may throw anything. Only a fault of the code table is passed on. */
function toBankError(error: unknown): BankError {
  if (error instanceof BankError) return error;
  return new BankError("handler_failed", { field: "client", detail: describeThrown(error) });
}

function toEvent(
  request: Request,
  { providers }: RelaySettings,
  response: RelayResponse,
  own: LogEntry,
  duration: number,
): RelayEvent {
  const { httpStatus, body, reason } = response;
  const { id, provider } = response.logEntry ?? own;
  const { route, caller } = own;
  const { method } = request;
  const status = body?.["status"];
  return {
    id,
    route,
    method: method === "GET" || method === "POST" || method === "OPTIONS" ? method : "other",
    httpStatus,
    ...(typeof status === "string" && { status }),
    ...(reason !== undefined && { reason }),
    ...(provider !== undefined && providers.has(provider) && { provider }),
    ...(caller !== undefined && { caller }),
    duration,
  };
}
