import { KEY_HEADER } from "../../core/api/bank-request.ts";
import { BankError, describeThrown } from "../../core/api/errors.ts";
import { ATTEMPT_HEADER, isAttemptId } from "./attempts.ts";
import { parseAddress } from "./browser-input.ts";
import { createCorsHeaders } from "./origins.ts";
import type { Call } from "./relay-call.ts";
import { type LogEntry, type RelayEvent, reportError, reportEvent } from "./relay-events.ts";
import { createRelaySettings, type RelayOptions, type RelaySettings } from "./relay-options.ts";
import {
  notFound,
  pathDiffers,
  type RelayResponse,
  requestAborted,
  slashChanged,
  toFaultResponse,
  toResponse,
} from "./relay-responses.ts";
import { findRoute } from "./relay-routes.ts";
import { type Arrival, checkRequest } from "./request-checks.ts";
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
    const logEntry: LogEntry = { id: crypto.randomUUID(), route: "unknown" };
    const response = await serve(request, settings, logEntry).catch(
      createFaultHandler(settings, request.signal, logEntry),
    );
    settings.warnOfSetup(response.reason, request);
    reportEvent(settings, toEvent(request, settings, response, logEntry, performance.now() - started));
    return toResponse(response, createCorsHeaders(request, settings.allowedOrigins));
  };
}

async function serve(request: Request, settings: RelaySettings, logEntry: LogEntry): Promise<RelayResponse> {
  const address = parseAddress(request.url);
  const match = address && findRoute(address.path, settings);
  if (!match) return address ? explainPath(address.path, settings) : notFound;
  const { route } = match;
  const { template, takesKey, isSentOnce } = route;
  logEntry.route = template;
  const attemptId = isSentOnce ? readAttemptId(request) : undefined;
  const key = takesKey ? (request.headers.get(KEY_HEADER) ?? undefined) : undefined;
  // A login has the id that its page knows it by; the sealed keys carry it on.
  if (template === "POST /login/" && attemptId !== undefined && key === undefined) logEntry.id = attemptId.slice(0, 36);
  const arrival: Arrival = {
    settings,
    request,
    ...match,
    search: address.search,
    unseal: onceUnsealed(key, settings),
    attemptId,
    logEntry,
    query: new Map(),
    text: "",
  };
  const refusal = await checkRequest(arrival);
  if (refusal) return refusal;
  const { signal } = request;
  const { query, text, user, caller, form } = arrival;
  const call: Call = { ...arrival, template, signal, caller, user, form };
  if (attemptId === undefined) return route.handle(call);
  // Nobody waits for it, such as after the process was suspended. A repeat may come to another instance, and finds the id free.
  if (signal.aborted) return requestAborted;
  const { attempts } = settings;
  const digest = await attempts.createDigest([template, address.path, [...query], key, text, user]);
  return attempts.respond({ id: attemptId, digest, user }, signal, async (upstream) => {
    const faultHandler = createFaultHandler(settings, upstream, logEntry, template);
    const sent: Call = { ...call, signal: upstream };
    const response = await route.handle(sent).catch(faultHandler);
    return { logEntry, ...(await shareResponse(sent, response)) };
  });
}

/** Opens a sealed key once, for whoever asks first. */
function onceUnsealed(key: string | undefined, settings: RelaySettings): Arrival["unseal"] {
  let unsealed: Promise<UnsealedKey> | undefined;
  return async () => {
    if (key !== undefined) unsealed ??= unsealKey(key, settings);
    return unsealed;
  };
}

/** Why a path is none of the relay's. */
function explainPath(path: string, settings: RelaySettings): RelayResponse {
  // With a slash more or less at its end it would be one.
  if (findRoute(path.endsWith("/") ? path.slice(0, -1) : `${path}/`, settings)) return slashChanged;
  // Under another prefix too: no route has more than two segments.
  const tails = [/(\/[^/]+){1}\/?$/, /(\/[^/]+){2}\/?$/].map((tail) => tail.exec(path)?.[0] ?? "");
  return tails.some((tail) => findRoute(tail, { ...settings, prefix: "/" })) ? pathDiffers : notFound;
}

/** What the browser's client calls this attempt. */
function readAttemptId(request: Request): string | undefined {
  const id = request.headers.get(ATTEMPT_HEADER) ?? "";
  return isAttemptId(id) ? id : undefined;
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
