import { KEY_HEADER, KNOWS_USERS, RELAY_HEADER, SUBMIT_HEADER } from "../../core/api/bank-request.ts";
import { callCallback } from "../../core/api/callbacks.ts";
import { type BankError, wrapThrown } from "../../core/api/errors.ts";
import { isAccepted } from "../../core/api/parse-response.ts";
import { secret } from "../../core/api/secret.ts";
import type { KeptLogins } from "../kept/kept-logins.ts";
import { withoutOldStep } from "../kept/kept-row.ts";
import type { Kept } from "../kept/kept-rows.ts";
import { parseAddress } from "./browser-input.ts";
import { createLogos } from "./logos.ts";
import { createCorsHeaders } from "./origins.ts";
import { addProvider, type CallKey, type LoginName } from "./relay-call.ts";
import { describeOrigin, type RelayEvent, type RelayRoute, reportError, reportEvent } from "./relay-events.ts";
import type { RelaySettings } from "./relay-options.ts";
import {
  isRefusal,
  notFound,
  originRefused,
  pathDiffers,
  type RelayResponse,
  requestAborted,
  slashChanged,
  stillWorking,
  submitMissing,
  toFaultResponse,
  toResponse,
} from "./relay-responses.ts";
import { findRoute } from "./relay-routes.ts";
import {
  checkBudget,
  checkHeaders,
  checkToken,
  type IncomingRequest,
  readQuery,
  type Sender,
} from "./request-checks.ts";
import { findRequestId } from "./request-id.ts";
import { readStepNumber } from "./step-response.ts";
import { createSubmits, type SubmitRules } from "./submits.ts";

/** The user of a request, and the login that it is about. */
export interface Visitor<Data> {
  readonly user?: string | undefined;
  /** The login, as it was read; or a new one, which is not in the store. `undefined` for a request without a login. */
  readonly kept?: Kept<Data>;
  /** The digest of the page that may continue the login. */
  readonly holder?: string;
  /** Whether the login belongs to another user: it is treated as unknown, and nothing is written. */
  readonly isForeign?: boolean;
}

/** What a relay and a hosted login decide in their own way: who their pages are, and what they may do. */
export interface DoorRules<Data> extends SubmitRules<Data> {
  /** @param sender whose origin or token is allowed. @returns the visitor, or why the request is refused. */
  identify(incoming: IncomingRequest, sender: Sender): Promise<Visitor<Data> | RelayResponse>;
  /** Called before anything of a login is read or sent. */
  checkOpen(kept: Kept<Data>): Promise<RelayResponse | undefined>;
  toLoginId(kept: Kept<Data>, request: Request): string;
  /** The id of a login that a request may begin. */
  toNewLoginId(request: Request): string;
  cancel(visitor: Visitor<Data>): Promise<RelayResponse>;
  /** The response to a page that asks for a submit of an unknown login. */
  toUnknown(number: number): RelayResponse;
  /** The age of a bank's fields that a page may require, at least. */
  readonly minAge: number;
  /** Further members of a request's log entry. */
  readonly describe?: (visitor: Visitor<Data> | undefined) => object;
  /** Whether pages are identified by user: with `readUser`, or with a cookie. */
  readonly knowsUsers: boolean;
}

interface LogEntry extends LoginName {
  readonly route: RelayRoute;
  readonly caller?: string;
  readonly user?: string | undefined;
  readonly isAnswer?: boolean;
}

const NUMBER_LIMIT = 10_000;

/** Serves the pages' requests for the logins that a server keeps, as one web-standard handler. It always resolves. */
export function createDoor<Data>(
  settings: RelaySettings,
  { logins, rules }: { readonly logins: KeptLogins<Data>; readonly rules: DoorRules<Data> },
) {
  const { environment } = settings;
  const serveLogo = createLogos(settings);
  const submits = createSubmits(settings, { logins, rules });

  // A missing header is null.
  const findCaller = async (request: Request) =>
    (await callCallback("readCaller", () => settings.readCaller(request))) ?? undefined;

  /** The key for a read, from the name that the page sends. */
  function findKey(kept: Kept<Data>, name: string): CallKey | undefined {
    const now = environment.now();
    const { end, key, expiresAt } = kept.row;
    const number = readStepNumber(name);
    if (key !== undefined && end?.number === number && now < expiresAt) return { kind: "session", key: secret(key) };
    const { step } = withoutOldStep(kept.row, now);
    return step && step.number === number ? { kind: step.kind, key: secret(step.key) } : undefined;
  }

  /** A read, with the bank's key in place of the page's name for it. */
  async function read(
    { request, route, parameter }: IncomingRequest,
    handle: Extract<IncomingRequest["route"], { kind: "read" }>["handle"],
    { kept, query }: { readonly kept: Kept<Data> | undefined; readonly query: ReadonlyMap<string, string> },
  ): Promise<RelayResponse> {
    const name = request.headers.get(KEY_HEADER);
    const key = route.isOfLogin && kept && name !== null ? findKey(kept, name) : undefined;
    if (route.isOfLogin && name !== null && !key) return rules.gone;
    const maxAge = readMaxAge(request);
    const response = await handle({
      settings,
      request,
      template: route.template,
      parameter,
      query,
      key,
      maxAge: maxAge && Math.max(maxAge, rules.minAge),
    });
    // Written before the page learns it and answers automatically: a page that is opened later must not answer again.
    if (kept && name !== null && route.template === "GET /approval/" && response.body?.["status"] === "approved") {
      await logins.change(kept, (row) =>
        row.step?.number === readStepNumber(name) ? { ...row, step: { ...row.step, isApproved: true } } : undefined,
      );
    }
    return response;
  }

  /** Serves a request in steps. A step that refuses is the last one. */
  async function serve(
    request: Request,
  ): Promise<{ readonly response: RelayResponse; readonly log: LogEntry; readonly visitor?: Visitor<Data> }> {
    let log: LogEntry = { id: crypto.randomUUID(), route: "unknown" };
    let visitor: Visitor<Data> | undefined;
    const end = (response: RelayResponse) => ({ response, log, ...(visitor && { visitor }) });
    try {
      const incoming = readIncomingRequest(request, settings);
      if (isRefusal(incoming)) return end(incoming);
      const { route, parameter } = incoming;
      log = { ...log, route: route.template };
      const sender = checkHeaders(incoming);
      if (isRefusal(sender)) return end(sender);
      const caller = await findCaller(request);
      log = { ...log, caller: caller ?? "unknown" };
      const refusal = (await checkBudget(incoming, caller)) ?? (await checkToken(incoming, sender));
      if (refusal) return end(refusal);
      const identified = await rules.identify(incoming, sender);
      if (isRefusal(identified)) return end(identified);
      visitor = identified;
      const { kept, holder = "", user, isForeign } = visitor;
      log = { ...log, user };
      if (kept) log = { ...log, ...nameLogin(kept, request) };
      if (route.template === "GET /provider/{code}/") log = { ...log, provider: parameter };
      const query = readQuery(incoming);
      if (isRefusal(query)) return end(query);
      if (route.kind === "read") {
        const closed = kept && (await rules.checkOpen(kept));
        return end(closed ?? (await read(incoming, route.handle, { kept, query })));
      }
      if (!kept) return end(notFound);
      if (route.kind === "cancel") return end(await rules.cancel(visitor));
      const number = readNumber(request);
      if (number === undefined) return end(submitMissing);
      if (isForeign) return end(route.kind === "ask" ? rules.toUnknown(number) : rules.gone);
      if (route.kind === "ask") {
        const outcome = await logins.ask(kept, { number, holder }, request.signal);
        if ("kept" in outcome) visitor = { ...visitor, kept: outcome.kept };
        const { row } = visitor.kept ?? kept;
        log = { ...log, ...(row.last && { provider: row.last.provider }) };
        if (outcome.kind === "gone") return end(rules.toUnknown(number));
        return end(submits.toPage(outcome, { number, kind: row.last?.kind ?? "credentials" }));
      }
      const closed = kept.row.end ? undefined : await rules.checkOpen(kept);
      if (closed) return end(closed);
      // The connection has closed, for example because the process was suspended. A repeat may reach another instance, and finds the id free.
      if (request.signal.aborted) return end(requestAborted);
      const login = rules.toNewLoginId(request);
      const sent = await submits.submit(incoming, { kept, holder, number, login, caller });
      visitor = { ...visitor, kept: sent.kept };
      const provider = sent.form?.provider;
      log = {
        ...log,
        isAnswer: sent.kind === "answer",
        ...(provider !== undefined && { provider }),
        ...nameLogin(sent.kept, request),
      };
      const { last } = sent.kept.row;
      if (last && isOfKnownBank(sent.response)) addProvider({ settings }, last.provider);
      return end(sent.response);
    } catch (error) {
      const fault = wrapThrown(error);
      // A browser that closed its connection is not a fault.
      if (!(fault.code === "request_aborted" && request.signal.aborted)) reportFault(fault, log, visitor);
      // This request has sent nothing. The result of another one is unknown while the store fails.
      return end(log.route === "GET /submit/" ? stillWorking : toFaultResponse(fault, false));
    }
  }

  function reportFault(fault: BankError, { id }: LogEntry, visitor: Visitor<Data> | undefined): void {
    reportError(settings, fault, visitor?.kept ? rules.toSubject(visitor.kept, id) : { id });
  }

  const nameLogin = (kept: Kept<Data>, request: Request): LoginName => {
    const { last } = kept.row;
    return { id: rules.toLoginId(kept, request), ...(last && { provider: last.provider }) };
  };

  /** Counts a request for another path, and refuses it above the limit. */
  const checkLimit = async (request: Request): Promise<RelayResponse | undefined> =>
    checkBudget({ settings, request }, await findCaller(request));

  return {
    checkLimit,

    async handle(request: Request): Promise<Response> {
      const logo = await serveLogo(request, parseAddress(request.url)?.path ?? "", () => checkLimit(request));
      if (logo) return logo;
      const started = performance.now();
      const { response, log, visitor } = await serve(request);
      const event = toEvent(request, settings, response, log, performance.now() - started);
      settings.warnOfSetup(response.reason, request);
      reportEvent(settings, { ...event, ...rules.describe?.(visitor) });
      // Of a login that is in the store. Without it the page asks again.
      const isStored = visitor?.kept?.text !== undefined && response !== stillWorking;
      const number = isStored ? visitor?.kept?.row.number : undefined;
      return toResponse(response, {
        ...createCorsHeaders(request, settings.allowedOrigins),
        ...(rules.knowsUsers && { [RELAY_HEADER]: KNOWS_USERS }),
        ...(number !== undefined && { [SUBMIT_HEADER]: String(number) }),
      });
    },
  };
}

/** Whether a login has reached a bank. A status outside the contract does not tell. */
const isOfKnownBank = ({ body }: RelayResponse): boolean => isAccepted(String(body?.["status"]));

/** Milliseconds: the oldest response that a page accepts. */
function readMaxAge({ headers }: Request): number | undefined {
  const [, seconds] = /^max-age=(\d{1,9})$/.exec(headers.get("cache-control") ?? "") ?? [];
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}

/** The number of the submit that a page sends, or asks for. */
function readNumber({ headers }: Request): number | undefined {
  const text = headers.get(SUBMIT_HEADER) ?? "";
  const number = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return number > 0 && number < NUMBER_LIMIT ? number : undefined;
}

function readIncomingRequest(request: Request, settings: RelaySettings): IncomingRequest | RelayResponse {
  const address = parseAddress(request.url);
  if (!address) return notFound;
  const match = findRoute(address.path, settings);
  return match ? { settings, request, ...match, search: address.search } : explainPath(address.path, settings);
}

/** Why a path is not served. */
function explainPath(path: string, settings: RelaySettings): RelayResponse {
  // With a slash added or removed at its end it would be served.
  if (findRoute(path.endsWith("/") ? path.slice(0, -1) : `${path}/`, settings)) return slashChanged;
  // A route under another prefix: no route has more than two segments.
  const tails = [/(\/[^/]+){1}\/?$/, /(\/[^/]+){2}\/?$/].map((tail) => tail.exec(path)?.[0] ?? "");
  return tails.some((tail) => findRoute(tail, { ...settings, prefix: "/" })) ? pathDiffers : notFound;
}

function toEvent(
  request: Request,
  { providers }: RelaySettings,
  response: RelayResponse,
  { id, provider, route, caller, user, isAnswer }: LogEntry,
  duration: number,
): RelayEvent {
  const { httpStatus, body, reason } = response;
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
