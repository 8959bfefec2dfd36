import { KEY_HEADER } from "../../core/api/bank-request.ts";
import { BankError, describeThrown } from "../../core/api/errors.ts";
import { callHook } from "../../core/api/hooks.ts";
import { ATTEMPT_HEADER, isAttemptId } from "./attempts.ts";
import { parseAddress } from "./browser-input.ts";
import { createCorsHeaders } from "./origins.ts";
import { isProviderCode, type LoginName } from "./relay-call.ts";
import { describeOrigin, type RelayEvent, type RelayRoute, reportError, reportEvent } from "./relay-events.ts";
import { createRelaySettings, type RelayOptions, type RelaySettings } from "./relay-options.ts";
import {
  isRefusal,
  notFound,
  originRefused,
  pathDiffers,
  type RelayResponse,
  requestAborted,
  slashChanged,
  toFaultResponse,
  toResponse,
} from "./relay-responses.ts";
import { findRoute } from "./relay-routes.ts";
import {
  type Arrival,
  checkBudget,
  checkHeaders,
  checkToken,
  readQuery,
  readSubmission,
  readUser,
} from "./request-checks.ts";
import { findRequestId } from "./request-id.ts";
import { type UnsealedKey, unsealKey } from "./sealed-keys.ts";
import { shareResponse } from "./shared-responses.ts";

/** The server half of a browser login, as one web-standard handler. It always resolves. */
export type Relay = (request: Request) => Promise<Response>;

/**
 * Makes the server half of a browser login: it holds the API key, and the browser's `createRelayClient({ baseUrl })` talks to it
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
    const { response, log } = await serve(request, settings);
    settings.warnOfSetup(response.reason, request);
    reportEvent(settings, toEvent(request, settings, response, log, performance.now() - started));
    return toResponse(response, createCorsHeaders(request, settings.allowedOrigins));
  };
}

/** What the log gets of a request. */
export interface LogEntry extends LoginName {
  readonly route: RelayRoute;
  readonly caller?: string;
  readonly user?: string | undefined;
  readonly isAnswer?: boolean;
}

/** Serves a request, step by step. A step that refuses is the last one. */
async function serve(request: Request, settings: RelaySettings): Promise<{ response: RelayResponse; log: LogEntry }> {
  let log: LogEntry = { id: crypto.randomUUID(), route: "unknown" };
  const end = (response: RelayResponse) => ({ response, log });
  try {
    const arrival = readArrival(request, settings);
    if (isRefusal(arrival)) return end(arrival);
    const { route, attemptId, parameter } = arrival;
    const { template } = route;
    const key = route.takesKey ? (request.headers.get(KEY_HEADER) ?? undefined) : undefined;
    // A login has the id that its page knows it by; the sealed keys carry it on.
    const isFirstLogin = template === "POST /login/" && key === undefined;
    log = { id: (isFirstLogin && attemptId?.slice(0, 36)) || log.id, route: template };

    const sender = checkHeaders(arrival);
    if (isRefusal(sender)) return end(sender);
    // A header that is missing is null.
    const caller = (await callHook("readCaller", () => settings.readCaller(request))) ?? undefined;
    log = { ...log, caller: caller ?? "unknown" };
    const unsealed = key === undefined ? undefined : await unsealKey(key, settings).catch(toBankError);
    const isAnswer = unsealed !== undefined && "purpose" in unsealed && unsealed.purpose === "interaction";
    log = { ...log, isAnswer };
    const refusal =
      (await checkBudget(arrival, { ...sender, caller, isAnswer })) ?? (await checkToken(arrival, sender));
    if (refusal) return end(refusal);
    const known = await readUser(arrival, sender);
    if (isRefusal(known)) return end(known);
    log = { ...log, user: known.user };
    const query = readQuery(arrival);
    if (isRefusal(query)) return end(query);
    const submission = await readSubmission(arrival);
    if (isRefusal(submission)) return end(submission);

    const provider = template === "GET /provider/{code}/" ? parameter : submission.form?.provider;
    const login = nameLogin(log.id, unsealed, provider);
    log = { ...log, ...login };
    const maxAge = readMaxAge(request);
    const call = { settings, request, template, attemptId, parameter, query, maxAge, caller, ...known, login };
    const handle = async (signal: AbortSignal): Promise<RelayResponse> => {
      if (unsealed instanceof BankError) throw unsealed;
      return submission.handle({ ...call, signal, key: unsealed });
    };
    if (attemptId === undefined) return end(await handle(request.signal));
    // Nobody waits for it, such as after the process was suspended. A repeat may come to another instance, and finds the id free.
    if (request.signal.aborted) return end(requestAborted);
    const { user } = known;
    const digest = await settings.attempts.createDigest([
      template,
      new URL(request.url).pathname,
      [...query],
      key,
      submission.text,
      user,
    ]);
    const attempt = { id: attemptId, digest, user };
    return end(
      await settings.attempts.respond(attempt, request.signal, async (upstream) => {
        const response = await handle(upstream).catch((error) => toFault(error, settings, upstream, login, template));
        return { login, ...(await shareResponse({ ...call, signal: upstream }, response)) };
      }),
    );
  } catch (error) {
    return end(toFault(error, settings, request.signal, log));
  }
}

/** Milliseconds: how old a page lets a response be. */
export function readMaxAge({ headers }: Request): number | undefined {
  const [, seconds] = /^max-age=(\d{1,9})$/.exec(headers.get("cache-control") ?? "") ?? [];
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}

/** The login that a request belongs to: that of its sealed key, or of its form. */
function nameLogin(id: string, key: UnsealedKey | BankError | undefined, provider: string | undefined): LoginName {
  if (key && !(key instanceof BankError)) return { id: key.loginId, provider: key.provider };
  return { id, ...(provider !== undefined && isProviderCode(provider) && { provider }) };
}

/** Finds the route of a request. */
export function readArrival(request: Request, settings: RelaySettings): Arrival | RelayResponse {
  const address = parseAddress(request.url);
  if (!address) return notFound;
  const match = findRoute(address.path, settings);
  if (!match) return explainPath(address.path, settings);
  const id = request.headers.get(ATTEMPT_HEADER) ?? "";
  const attemptId = match.route.isSentOnce && isAttemptId(id) ? id : undefined;
  return { settings, request, ...match, search: address.search, attemptId };
}

/** Why a path is none of the relay's. */
function explainPath(path: string, settings: RelaySettings): RelayResponse {
  // With a slash more or less at its end it would be one.
  if (findRoute(path.endsWith("/") ? path.slice(0, -1) : `${path}/`, settings)) return slashChanged;
  // Under another prefix too: no route has more than two segments.
  const tails = [/(\/[^/]+){1}\/?$/, /(\/[^/]+){2}\/?$/].map((tail) => tail.exec(path)?.[0] ?? "");
  return tails.some((tail) => findRoute(tail, { ...settings, prefix: "/" })) ? pathDiffers : notFound;
}

/**
 * Reports a fault, and makes it a response.
 *
 * @param sentOnce the request that must not be sent to the bank again. The route may have sent others before it.
 */
function toFault(
  error: unknown,
  settings: RelaySettings,
  signal: AbortSignal,
  login: LoginName,
  sentOnce = "",
): RelayResponse {
  const fault = toBankError(error);
  // A browser that closed its connection is no fault, nor is a sealed key that can't be used.
  const isCallers = fault.code.startsWith("token_") || (fault.code === "request_aborted" && signal.aborted);
  if (!isCallers) reportError(settings, fault, login);
  return toFaultResponse(fault, fault.request === sentOnce);
}

/** A client of the options may throw anything. Only a fault of the code table is passed on. */
function toBankError(error: unknown): BankError {
  if (error instanceof BankError) return error;
  return new BankError("handler_failed", { field: "client", detail: describeThrown(error) });
}

export function toEvent(
  request: Request,
  { providers }: RelaySettings,
  response: RelayResponse,
  own: LogEntry,
  duration: number,
): RelayEvent {
  const { httpStatus, body, reason } = response;
  const { id, provider } = response.login ?? own;
  const { route, caller, user, isAnswer } = own;
  const { method } = request;
  const status = body?.["status"];
  const requestId = findRequestId(request);
  return {
    id,
    route,
    method: method === "GET" || method === "POST" || method === "OPTIONS" ? method : "other",
    httpStatus,
    ...(typeof status === "string" && { status }),
    ...(reason !== undefined && { reason }),
    ...(reason === originRefused.reason && { detail: describeOrigin(request.headers) }),
    ...(provider !== undefined && providers.has(provider) && { provider }),
    ...(isAnswer && { isAnswer }),
    ...(caller !== undefined && { caller }),
    ...(user !== undefined && { user }),
    ...(requestId !== undefined && { requestId }),
    duration,
  };
}
