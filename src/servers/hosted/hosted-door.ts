import { KEY_HEADER, SUBMIT_HEADER } from "../../core/api/bank-request.ts";
import { BankError, wrapThrown } from "../../core/api/errors.ts";
import { callHook } from "../../core/api/hooks.ts";
import { secret } from "../../core/api/secret.ts";
import { isOneOf } from "../../core/login/credentials.ts";
import { interactionKind } from "../../core/login/interaction-kind.ts";
import { createRefusals, toRefusal } from "../../core/login/known-refusals.ts";
import type { KeyRing } from "../../core/tokens/sealed-token.ts";
import { type BankCallOptions, isUsername, sendChoice, sendLogin, sendLogout } from "../kept/bank-calls.ts";
import type { KeptLogins, Prepared, SubmitOutcome } from "../kept/kept-logins.ts";
import { type KeptStep, type NewSubmit, type SubmitKind, withoutOldStep } from "../kept/kept-row.ts";
import { ATTEMPT_HEADER } from "../relay/attempts.ts";
import type { LoginForm } from "../relay/browser-input.ts";
import { checkRateLimit } from "../relay/rate-limit.ts";
import { type LogEntry, readArrival, readMaxAge, toEvent } from "../relay/relay.ts";
import { isProviderCode, noteProvider } from "../relay/relay-call.ts";
import { reportError, reportEvent } from "../relay/relay-events.ts";
import { createRelaySettings, type RelayOptions } from "../relay/relay-options.ts";
import {
  attemptIdMissing,
  invalidKey,
  isRefusal,
  missingParams,
  notFound,
  notSignedIn,
  outcomeUnknown,
  providerDoesntExist,
  type RelayResponse,
  rateLimited,
  respond,
  toFaultResponse,
  toRefusalResponse,
  toResponse,
  unknownAttempt,
  wrongClient,
} from "../relay/relay-responses.ts";
import { type Arrival, checkHeaders, readQuery, readSubmission, type Sender } from "../relay/request-checks.ts";
import type { KeyPurpose, UnsealedKey } from "../relay/sealed-keys.ts";
import { fingerprintUser } from "../relay/sealed-keys.ts";
import { type createBrowserCookie, SESSION_HEADER } from "./browser-cookie.ts";
import type { HostedSettings } from "./hosted-options.ts";
import type { HostedSessions } from "./hosted-sessions.ts";
import { readStepNumber, toStepResponse } from "./page-login.ts";
import type { Session, SessionDoor } from "./session-row.ts";

/** Milliseconds for which the service is not asked again for a bank's fields. */
const LEAST_AGE = 60_000;

/** Milliseconds in which the service has to say what a bank's fields are, before an answer. */
const PROVIDER_TIMEOUT = 3_000;

/** The highest number of a submit. */
const NUMBER_LIMIT = 10_000;

/** The session that a request is about, and the browser that it comes from. */
interface Own {
  readonly session: Session;
  readonly browser: string;
}

export type HostedDoor = ReturnType<typeof createHostedDoor>;

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
  const { client, environment, origin, prefix, onEvent, store } = settings;
  const relay = createRelaySettings({
    ...pickRelayOptions(settings),
    allowedOrigins: [origin],
    path: `${prefix}bank/`,
    claimStore: store,
    readUser: () => undefined,
    onLogin: () => undefined,
  });
  const refusals = settings.refusals && createRefusals(client, { onError: reportRefusals, ...settings.refusals });

  function reportRefusals(fault: BankError): void {
    reportError(settings, fault, { id: crypto.randomUUID() });
  }

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

  /** Why a session takes no such login. Nothing was sent. */
  function checkBinding({ row: { door } }: Session, { provider, username }: LoginForm): RelayResponse | undefined {
    if (door.provider !== undefined && door.provider !== provider) return unauthorizedProvider;
    if (!door.bindUsername || door.username === undefined) return undefined;
    return isUsername(username, door.username) ? undefined : otherUsername;
  }

  /** Whether an answer says that the person has confirmed elsewhere. */
  async function isConfirmed({ interaction }: KeptStep, { provider, others }: LoginForm): Promise<boolean> {
    if (!interaction || interactionKind(interaction).kind !== "confirmation") return false;
    // It has the bank's word for it, and is kept since the form was shown. The answer does not wait for a service that is slow to say it again.
    const signal = AbortSignal.timeout(PROVIDER_TIMEOUT);
    const read = await client.getProvider(provider, { signal }).catch(() => undefined);
    const kind = interactionKind(interaction, {
      provider,
      ...(read?.status === "success" && { detail: read.provider }),
    });
    if (kind.kind !== "confirmation") return false;
    return interaction.fields.every((field) => {
      const text = others[field];
      return text !== undefined && isOneOf(text, [kind.answer]);
    });
  }

  function createBankCall({ id, row }: Session, login = row.login ?? id): BankCallOptions {
    const onFault = (fault: BankError) => reportError(settings, fault, { id: login, session: id });
    return { client, logout: settings.logout === true, isBankFree: row.door.provider === undefined, onFault };
  }

  async function prepareLogin(
    session: Session,
    form: LoginForm,
    { login, noted }: { readonly login: string; readonly noted: Promise<void>[] },
  ): Promise<Prepared | RelayResponse> {
    const refusal = checkBinding(session, form);
    if (refusal) return refusal;
    const attempt = { caller: undefined, kind: "user", user: await fingerprintUser(form, relay) } as const;
    const wait = await checkRateLimit(relay.rateLimit, attempt);
    if (wait > 0) return rateLimited(wait, "user_limited");
    const { provider, username, password, others } = form;
    const known = await refusals?.find({ ...others, provider, username, password });
    const isIgnored = session.row.door.ignoreKnownRefusal || session.row.door.warnedOf === known?.refusedAt;
    const knownRefusal = known && !isIgnored && toRefusal(known);
    if (knownRefusal) {
      // The person who sends the same form once more sends it all the same.
      const warn = (row: Session["row"]) => ({
        ...row,
        door: { ...row.door, isOpened: true as const, warnedOf: knownRefusal.refusedAt ?? 0 },
      });
      await logins.change(session, warn);
      return toRefusalResponse(knownRefusal);
    }
    return {
      send: () =>
        sendLogin(
          {
            ...createBankCall(session, login),
            onResponse: (response) =>
              known && noted.push(refusals?.note(provider, known, response) ?? Promise.resolve()),
          },
          form,
        ),
    };
  }

  async function prepareAnswer(session: Session, form: LoginForm): Promise<Prepared | RelayResponse> {
    const refusal = checkBinding(session, form);
    if (refusal) return refusal;
    const { step } = session.row;
    if (!step) return invalidKey;
    const isConfirmation = await isConfirmed(step, form);
    const answerKind = isConfirmation ? (step.isApproved ? "approval" : "confirmation") : undefined;
    return { send: () => sendLogin(createBankCall(session), form, step), ...(answerKind && { answerKind }) };
  }

  /** Only a client that the bank lists is sent. */
  async function prepareChoice(session: Session, id: string): Promise<Prepared | RelayResponse> {
    const { step } = session.row;
    if (!step) return invalidKey;
    const listed = await client.listClients(secret(step.key));
    if (listed.status !== "success") return toRefusalResponse(listed);
    if (!listed.clients.some((one) => one.id === id)) return wrongClient;
    return { send: () => sendChoice(createBankCall(session), id, step) };
  }

  async function prepareLogout(session: Session): Promise<Prepared | RelayResponse> {
    const { step } = session.row;
    return step ? { send: () => sendLogout(createBankCall(session), step) } : invalidKey;
  }

  /** What a page gets of a submit. Its session key never leaves the server. */
  function toPage(
    outcome: SubmitOutcome<SessionDoor>,
    { number, kind }: Pick<NewSubmit, "number" | "kind">,
  ): RelayResponse {
    switch (outcome.kind) {
      case "ended": {
        const isReached = outcome.end.status === "logged_in" && number <= (outcome.end.number ?? 0);
        return isReached ? respond(kind === "client" ? "success" : "logged_in", { key: "session" }) : notSignedIn;
      }
      case "step":
        return toStepResponse(outcome.step);
      case "responded": {
        const { response, step } = outcome;
        return step ? { ...response, body: { ...response.body, key: toStepResponse(step).body?.["key"] } } : response;
      }
      case "response":
        return outcome.response;
      case "unknown":
        return outcomeUnknown;
      case "unsent":
        return unknownAttempt;
      case "stepless":
        return invalidKey;
      case "limited":
        return tooManySubmits;
      case "late":
        return stillWorking;
      case "gone":
        return notSignedIn;
    }
  }

  async function readNewSubmit(
    { request, parameter }: Arrival,
    kind: SubmitKind,
    { number, form, text }: { readonly number: number; readonly form: LoginForm | undefined; readonly text: string },
    { row }: Session,
  ): Promise<NewSubmit> {
    const name = request.headers.get(KEY_HEADER);
    const provider = form?.provider ?? row.last?.provider ?? "";
    const digests = await keys.signAll(`ventanilla-submit-1 ${JSON.stringify([kind, name, parameter, text])}`);
    return { number, kind, provider, step: name === null ? undefined : readStepNumber(name), digests };
  }

  async function submit(
    arrival: Arrival,
    own: Own,
    number: number,
  ): Promise<{ response: RelayResponse; session: Session; isAnswer: boolean }> {
    const { session, browser } = own;
    const { route, request, parameter } = arrival;
    const kind = toKind(route.template, request.headers.has(KEY_HEADER));
    const end = (response: RelayResponse, changed = session) => ({
      response,
      session: changed,
      isAnswer: kind === "answer",
    });
    const submission = await readSubmission(arrival);
    if (isRefusal(submission)) return end(submission);
    const { form, text } = submission;
    if (form && !isProviderCode(form.provider)) return end(providerDoesntExist);
    const newSubmit = await readNewSubmit(arrival, kind, { number, form, text }, session);
    const noted: Promise<void>[] = [];
    const login = request.headers.get(ATTEMPT_HEADER)?.slice(0, 36) ?? session.id;
    const prepare = (current: Session): Promise<Prepared | RelayResponse> => {
      if (kind === "client") return prepareChoice(current, parameter);
      if (kind === "logout") return prepareLogout(current);
      if (!form) return Promise.resolve(missingParams);
      return kind === "answer" ? prepareAnswer(current, form) : prepareLogin(current, form, { login, noted });
    };
    const outcome = await logins.submit(session, newSubmit, {
      login,
      holder: browser,
      signal: request.signal,
      prepare,
    });
    await Promise.all(noted);
    return end(toPage(outcome, newSubmit), "kept" in outcome ? outcome.kept : session);
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
        return end(toPage(outcome, { number, kind: session.row.last?.kind ?? "credentials" }));
      }
      if (!session.row.end && (await sessions.isOver(session))) return end(notSignedIn);
      const { response, session: changed, isAnswer } = await submit(arrival, own, number);
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
      relay.warnOfSetup(response.reason, request);
      if (onEvent) {
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

/** What a request is, of those that are sent once. */
function toKind(template: string, hasKey: boolean): SubmitKind {
  if (template === "GET /client/{id}/") return "client";
  if (template === "GET /logout/") return "logout";
  return hasKey ? "answer" : "credentials";
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

/** Not yet known. */
const stillWorking: RelayResponse = toFaultResponse(new BankError("service_unavailable"), false);
const unauthorizedProvider = respond("error", { message: "Unauthorized provider" }, 403);
const otherUsername = respond("username_differs", {}, 403);
const tooManySubmits: RelayResponse = { httpStatus: 429, body: { error: "rate_limited" }, reason: "session_limited" };
