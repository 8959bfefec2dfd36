import { KEY_HEADER, SUBMIT_HEADER } from "../../core/api/bank-request.ts";
import { wrapThrown } from "../../core/api/errors.ts";
import { callHook } from "../../core/api/hooks.ts";
import { secret } from "../../core/api/secret.ts";
import type { KeyRing } from "../../core/tokens/sealed-token.ts";
import type { KeptLogins } from "../kept/kept-logins.ts";
import { type KeptStep, withoutOldStep } from "../kept/kept-row.ts";
import { checkRateLimit } from "../relay/rate-limit.ts";
import { type LogEntry, readArrival, readMaxAge, toEvent } from "../relay/relay.ts";
import { noteProvider } from "../relay/relay-call.ts";
import { reportError, reportEvent } from "../relay/relay-events.ts";
import { createRelaySettings, type RelayOptions } from "../relay/relay-options.ts";
import {
  attemptIdMissing,
  invalidKey,
  isRefusal,
  notFound,
  notSignedIn,
  type RelayResponse,
  rateLimited,
  toFaultResponse,
  toResponse,
} from "../relay/relay-responses.ts";
import { type Arrival, checkHeaders, readQuery, type Sender } from "../relay/request-checks.ts";
import type { KeyPurpose, UnsealedKey } from "../relay/sealed-keys.ts";
import { type createBrowserCookie, SESSION_HEADER } from "./browser-cookie.ts";
import type { HostedSettings } from "./hosted-options.ts";
import type { HostedSessions } from "./hosted-sessions.ts";
import { readStepNumber, toStepResponse } from "./page-login.ts";
import { createPageSubmits, type Own, stillWorking } from "./page-submits.ts";
import type { Session, SessionDoor } from "./session-row.ts";

/** Milliseconds for which the service is not asked again for a bank's fields. */
const LEAST_AGE = 60_000;

/** The highest number of a submit. */
const NUMBER_LIMIT = 10_000;

/** The door of the pages, at `bank/`: it speaks as a relay does, and serves the browser of a session alone. */
export function createHostedDoor(
  settings: HostedSettings,
  {
    logins,
    sessions,
    cookie,
    keys,
  }: {
    readonly logins: KeptLogins<SessionDoor>;
    readonly sessions: HostedSessions;
    readonly cookie: ReturnType<typeof createBrowserCookie>;
    readonly keys: KeyRing;
  },
) {
  const { environment, origin, prefix, onEvent, store } = settings;
  const relay = createRelaySettings({
    ...pickRelayOptions(settings),
    allowedOrigins: [origin],
    path: `${prefix}bank/`,
    claimStore: store,
    readUser: () => undefined,
    onLogin: () => undefined,
  });
  const submits = createPageSubmits(settings, { logins, keys, relay });

  /** The session that a request of a page is about, if it comes from a browser that may go on with it. */
  async function findOwn(request: Request): Promise<Own | undefined> {
    const id = request.headers.get(SESSION_HEADER) ?? "";
    const browser = await cookie.read(request, id);
    const session = browser === undefined ? undefined : await sessions.find(id);
    if (!session || browser === undefined) return undefined;
    const { holder } = session.row;
    return holder === undefined || holder === browser ? { session, browser } : undefined;
  }

  // A header that is missing is null.
  const findCaller = async (request: Request) =>
    (await callHook("readCaller", () => relay.readCaller(request))) ?? undefined;

  /** Every request of a page but that for a file is counted, before anything is looked up. */
  async function checkLimit(request: Request, kind: "login" | "read"): Promise<RelayResponse | undefined> {
    const wait = await checkRateLimit(relay.rateLimit, { caller: await findCaller(request), kind });
    return wait > 0 ? rateLimited(wait, "caller_limited") : undefined;
  }

  /** A read that needs no claim, as a relay serves it: with the bank's key in the place of the page's name for it. */
  async function read(arrival: Arrival, { session }: Own, caller: string | undefined): Promise<RelayResponse> {
    const { request, route, parameter } = arrival;
    if (route.method !== "GET") return notFound;
    const query = readQuery(arrival);
    if (isRefusal(query)) return query;
    const name = request.headers.get(KEY_HEADER);
    const step = name === null ? undefined : findStep(session, name);
    if (name !== null && !step) return invalidKey;
    const maxAge = readMaxAge(request);
    const call = {
      settings: relay,
      request,
      maxAge: maxAge && Math.max(maxAge, LEAST_AGE),
      template: route.template,
      attemptId: undefined,
      signal: request.signal,
      parameter,
      query,
      caller,
      user: undefined,
      key: step && toKey(session, step),
      login: { id: session.row.login ?? session.id },
    };
    const response = await route.handle(call);
    // Before the page learns it, and answers by itself: a page that is opened later must not do so once more.
    if (route.template === "GET /approval/" && response.body?.["status"] === "approved" && step) {
      await logins.change(session, (row) =>
        row.step?.number === step.number ? { ...row, step: { ...row.step, isApproved: true } } : undefined,
      );
    }
    return response;
  }

  const findStep = ({ row }: Session, name: string) => {
    const { step } = withoutOldStep(row, environment.now());
    return step && step.number === readStepNumber(name) ? step : undefined;
  };

  async function serve(
    request: Request,
  ): Promise<{ readonly response: RelayResponse; readonly log: LogEntry; readonly own?: Own }> {
    let log: LogEntry = { id: crypto.randomUUID(), route: "unknown" };
    let own: Own | undefined;
    const end = (response: RelayResponse) => ({ response, log, ...(own && { own }) });
    try {
      const arrival = readArrival(request, relay);
      if (isRefusal(arrival)) return end(arrival);
      const { route } = arrival;
      log = { ...log, route: route.template };
      const sender: Sender | RelayResponse = checkHeaders(arrival);
      if (isRefusal(sender)) return end(sender);
      const caller = await findCaller(request);
      log = { ...log, caller: caller ?? "unknown" };
      // The login of an answer was counted.
      const isLogin = route.template === "POST /login/" && !request.headers.has(KEY_HEADER);
      const limited = await checkLimit(request, isLogin ? "login" : "read");
      if (limited) return end(limited);
      own = await findOwn(request);
      if (!own) return end(notSignedIn);
      const { session } = own;
      log = { ...log, id: session.row.login ?? session.id };
      const isAsked = route.template === "GET /attempt/{id}/";
      if (!route.isSentOnce && !isAsked)
        return end((await sessions.isOver(session)) ? notSignedIn : await read(arrival, own, caller));
      const number = readNumber(request);
      if (number === undefined) return end(attemptIdMissing);
      if (isAsked) {
        const outcome = await logins.ask(session, { number, holder: own.browser }, request.signal);
        if ("kept" in outcome) own = { ...own, session: outcome.kept };
        // A page that has lost the response to its choice gets the list again.
        if (outcome.kind === "responded" && outcome.step?.kind === "clients") return end(toStepResponse(outcome.step));
        return end(submits.toPage(outcome, { number, kind: session.row.last?.kind ?? "credentials" }));
      }
      if (!session.row.end && (await sessions.isOver(session))) return end(notSignedIn);
      const { response, session: changed, isAnswer } = await submits.submit(arrival, own, { number, caller });
      own = { ...own, session: changed };
      const { login, last } = changed.row;
      log = { ...log, isAnswer, id: login ?? log.id, ...(last && { provider: last.provider }) };
      if (last?.result && response.body?.["status"] !== "provider_doesnt_exist")
        noteProvider({ settings: relay }, last.provider);
      return end(response);
    } catch (error) {
      const fault = wrapThrown(error);
      const { login } = own?.session.row ?? {};
      reportError(settings, fault, { id: login ?? log.id, ...(own && { session: own.session.id }) });
      // Nothing was sent by this request. What came of another one is not known while the store fails.
      return end(log.route === "GET /attempt/{id}/" ? stillWorking : toFaultResponse(fault, false));
    }
  }

  return {
    findOwn,
    checkLimit,

    async handle(request: Request): Promise<Response> {
      const started = performance.now();
      const { response, log, own } = await serve(request);
      // A log has the reason: then nothing else is written, or not every line of it would be JSON.
      if (!onEvent) relay.warnOfSetup(response.reason, request);
      else {
        const { id: session, row } = own?.session ?? {};
        const event = toEvent(request, relay, response, log, performance.now() - started);
        reportEvent(
          {
            ...settings,
            onEvent: (one) =>
              onEvent({ ...one, ...(session !== undefined && { session }), ...(row && { user: row.door.user }) }),
          },
          event,
        );
      }
      const number = own?.session.row.number;
      return toResponse(response, number === undefined ? {} : { [SUBMIT_HEADER]: String(number) });
    },
  };
}

/** The options that a hosted login shares with a relay. */
function pickRelayOptions({
  client,
  sealKey,
  clientSelection,
  logout,
  interactionLifetime,
  readCaller,
  rateLimit,
  onError,
}: HostedSettings) {
  const options = { clientSelection, logout, interactionLifetime, readCaller, rateLimit, onError };
  const given = Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  ) as Partial<RelayOptions>;
  return { client, sealKey, ...given };
}

/** The number of the submit that a page sends, or asks for. */
function readNumber({ headers }: Request): number | undefined {
  const text = headers.get(SUBMIT_HEADER) ?? "";
  const number = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return number > 0 && number < NUMBER_LIMIT ? number : undefined;
}

const purposes = { question: "interaction", clients: "selection", blocked: "blocking" } satisfies Record<
  KeptStep["kind"],
  KeyPurpose
>;

/** The key of a step, as the routes of a relay take it. */
const toKey = ({ id, row }: Session, { kind, key, forgetAt }: KeptStep): UnsealedKey => ({
  purpose: purposes[kind],
  id,
  expiresAt: new Date(forgetAt),
  loginId: row.login ?? id,
  provider: row.last?.provider ?? "",
  key: secret(key),
  credentials: undefined,
  belongsTo: async () => true,
});
