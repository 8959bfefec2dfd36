import { BankError, HandlerError, thrownBy } from "../api/errors.ts";
import { addressOf } from "./address.ts";
import {
  attemptIdMissing,
  faultAnswer,
  headerMissing,
  malformedQuery,
  methodNotAllowed,
  misplacedKey,
  notFound,
  originRefused,
  type RelayAnswer,
  rateLimited,
  slashChanged,
} from "./answers.ts";
import { ATTEMPT_HEADER } from "./attempts.ts";
import { askOwner, type RelayEvent, type RelayRoute, tellError, tellEvent } from "./events.ts";
import { parseForm, readForm } from "./form.ts";
import { type RelayOptions, type RelaySettings, settingsFrom } from "./options.ts";
import { originFault, preflightHeaders, REQUEST_HEADER, readableBy } from "./origins.ts";
import { waitFor } from "./rate.ts";
import { responseOf } from "./response.ts";
import { type Call, type Route, routeOf } from "./routes.ts";

/** The server half of a browser login, as one web-standard handler. It always resolves, whatever it is asked. */
export type Relay = (request: Request) => Promise<Response>;

/** What the log gets to know while a request is looked at. */
interface Noted {
  route: RelayRoute;
  caller: string | undefined;
}

/**
 * Makes the server half of a browser login: it holds the API key, and the browser's `createBankClient({ baseUrl })` talks to it
 * in the shapes of the contract, sections 2 to 4. The browser gets neither the API key nor a key of the
 * service's: keys go out sealed, each for one purpose, and the real session key goes to `onLogin`, on the server.
 *
 * Beyond the contract, where opted in: `GET /client/`, `GET /client/{id}/`, `GET /logout/`. Everything else answers 404 or 405.
 *
 * @throws {InputError} `invalid_input` naming the option that can't be used.
 * @example
 * const relay = createRelay({
 *   client: createBankClient({ baseUrl: "https://bank.example", apiKey: process.env.API_KEY }),
 *   sealKey: process.env.SEAL_KEY,
 *   allowedOrigins: ["https://shop.example"],
 *   onLogin: ({ provider, key, request }) => sessions.store(userOf(request), provider, reveal(key)),
 * });
 */
export function createRelay(options: RelayOptions): Relay {
  const settings = settingsFrom(options);
  return async (request) => {
    const started = performance.now();
    const noted: Noted = { route: "unknown", caller: undefined };
    const answer = await answerTo(request, settings, noted).catch(answerFault(settings, request.signal));
    settings.warnings.tellOf(answer.reason, request);
    tellEvent(settings, eventOf(request, settings, answer, noted, performance.now() - started));
    return responseOf(answer, readableBy(request, settings.allowedOrigins));
  };
}

/** From the cheapest check to the dearest: nothing is read, counted or sent for a request that an earlier one refuses. */
async function answerTo(request: Request, settings: RelaySettings, noted: Noted): Promise<RelayAnswer> {
  const address = addressOf(request.url, settings.prefix);
  const match = address && routeOf(address.path, settings);
  if (!match) return address && isSlashChanged(address.path, settings) ? slashChanged : notFound;
  const { route, parameter } = match;
  noted.route = route.template;
  if (request.method === "OPTIONS") return preflight(request, route, settings);
  if (request.method !== route.method) return methodNotAllowed(route.method);
  if (originFault(request, settings.allowedOrigins)) return originRefused;
  if (request.headers.get(REQUEST_HEADER) !== "1") return headerMissing;
  const attemptId = route.isSentOnce ? attemptIdOf(request) : undefined;
  if (route.isSentOnce && attemptId === undefined) return attemptIdMissing;
  // The form has not been read, and a clone of the request has it all.
  const caller = await askOwner("callerOf", () => settings.callerOf(request), undefined);
  noted.caller = caller ?? "unknown";
  const kind = route.method === "POST" ? "login" : "read";
  // A repeat sends nothing, and the person clicked once.
  const isRepeat = attemptId !== undefined && settings.attempts.has(attemptId);
  const wait = isRepeat ? 0 : await waitFor(settings.rateLimit, { caller, kind });
  if (wait > 0) return rateLimited(wait, "caller_limited");
  const { query } = address;
  const known = route.takesKey ? [...route.query, "key"] : route.query;
  if (!query || [...query.keys()].some((name) => !known.includes(name))) return malformedQuery;
  const keys = { query: query.get("key"), header: request.headers.get("x-session-key") ?? undefined };
  const key = keys[settings.sessionKeyIn];
  // Overlooked, it would make a new login of an answer.
  if (route.takesKey && keys[settings.sessionKeyIn === "query" ? "header" : "query"] !== undefined) return misplacedKey;
  const { signal } = request;
  const text = route.method === "POST" ? await readForm(request, settings) : "";
  if (typeof text !== "string") return text;
  const form = route.method === "POST" ? parseForm(text, settings.fieldLimit) : undefined;
  if (form && "http" in form) return form;
  const { template } = route;
  const call: Call = { settings, template, request, signal, attemptId, form, parameter, query, key, caller };
  if (attemptId === undefined) return route.answer(call);
  const { attempts } = settings;
  const digest = await attempts.digestOf([template, address.path, [...query], key, text]);
  return attempts.respond(attemptId, digest, signal, (upstream) =>
    route.answer({ ...call, signal: upstream }).catch(answerFault(settings, upstream)),
  );
}

/** Whether it would be a path of the relay's with a slash at its end, or without the one that it has. */
function isSlashChanged(path: string, settings: RelaySettings): boolean {
  return routeOf(path.endsWith("/") ? path.slice(0, -1) : `${path}/`, settings) !== undefined;
}

/** What the browser's client calls this attempt: a UUID, as it writes one. */
function attemptIdOf(request: Request): string | undefined {
  const id = request.headers.get(ATTEMPT_HEADER) ?? "";
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(id) ? id : undefined;
}

function preflight(request: Request, { method }: Route, settings: RelaySettings): RelayAnswer {
  const origin = request.headers.get("origin");
  if (origin === null || !settings.allowedOrigins.has(origin)) return originRefused;
  return { http: 204, headers: preflightHeaders(method, settings.sessionKeyIn) };
}

/** Makes a fault a response, and tells the relay's owner of it. */
function answerFault(settings: RelaySettings, signal: AbortSignal): (error: unknown) => RelayAnswer {
  return (error) => {
    const fault = faultOf(error);
    // A browser that went away is no fault of anybody's.
    if (!(fault.code === "request_aborted" && signal.aborted)) tellError(settings, fault);
    return faultAnswer(fault);
  };
}

/** A given client may throw anything: only a fault of the code table goes on. */
function faultOf(error: unknown): BankError {
  if (error instanceof BankError) return error;
  return new HandlerError("handler_failed", { field: "client", detail: thrownBy(error) });
}

function eventOf(
  request: Request,
  { providers }: RelaySettings,
  answer: RelayAnswer,
  { route, caller }: Noted,
  duration: number,
): RelayEvent {
  const { http, body, reason, provider } = answer;
  const { method } = request;
  const status = body?.["status"];
  return {
    route,
    method: method === "GET" || method === "POST" || method === "OPTIONS" ? method : "other",
    httpStatus: http,
    ...(typeof status === "string" && { status }),
    ...(reason !== undefined && { reason }),
    ...(provider !== undefined && providers.has(provider) && { provider }),
    ...(caller !== undefined && { caller }),
    duration,
  };
}
