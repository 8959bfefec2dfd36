import { KEY_HEADER, RELAY_HEADER } from "../../core/api/bank-request.ts";
import { type BankError, wrapThrown } from "../../core/api/errors.ts";
import { callHook } from "../../core/api/hooks.ts";
import { isOneOf } from "../../core/login/credentials.ts";
import { interactionKind } from "../../core/login/interaction-kind.ts";
import { rememberRefusals } from "../../core/login/known-refusals.ts";
import type { Store } from "../../core/tokens/store.ts";
import { ATTEMPT_HEADER, isAttemptId } from "../relay/attempts.ts";
import { parseForm, readBody } from "../relay/browser-input.ts";
import { createCallerReader } from "../relay/caller-address.ts";
import { isFromAllowedOrigin } from "../relay/origins.ts";
import { checkRateLimit, createRateLimit } from "../relay/rate-limit.ts";
import { createRelay } from "../relay/relay.ts";
import { isProviderCode } from "../relay/relay-call.ts";
import { reportError, warn } from "../relay/relay-events.ts";
import {
  invalidKey,
  isRefusal,
  notSignedIn,
  providerDoesntExist,
  type RelayResponse,
  rateLimited,
  respond,
  toFaultResponse,
  toResponse,
  unknownAttempt,
} from "../relay/relay-responses.ts";
import { ASKED_HEADER, type createBrowserCookie, SESSION_HEADER } from "./browser-cookie.ts";
import type { HostedEvent, HostedSettings } from "./hosted-options.ts";
import { toInteraction, toKeyName } from "./page-login.ts";
import type { SessionRecords, StoredSession, StoredSubmit, Submit } from "./session-records.ts";
import { isUsername } from "./session-seals.ts";
import { isUnderWay, type SessionSubmits, stillWorking } from "./session-submits.ts";

/** Submits for which a session is good. A person needs some; a program that has a link does not fill the store. */
const SUBMIT_LIMIT = 100;

/** Seconds for which the service is not asked again for a bank's fields. */
const LEAST_AGE = 60;

/** Milliseconds in which the service has to say what a bank's fields are, before an answer. */
const PROVIDER_TIMEOUT = 3_000;

/** The caller, for the relay: what it gets is no longer the request of the connection. No other one has this header. */
const CALLER_HEADER = "x-ventanilla-caller";

/** The relay's own store: each submit is claimed in its session's record before, and its response is written there. */
const accepting: Store = { read: () => undefined, swap: () => true, delete: () => undefined, list: () => [] };

/** The session and its user, in the same way: who asks, to the relay. */
const OWNER_HEADER = "x-ventanilla-owner";

type Sent = { readonly kind: Submit["kind"]; readonly provider?: string; readonly body?: string };

/**
 * The relay of the pages, at `bank/`. It serves the browser of a session alone. Keys and what was typed stay in the session's record: the page
 * has their names, and this puts the keys in their place.
 */
export function createHostedRelay(
  settings: HostedSettings,
  {
    records,
    submits,
    cookie,
  }: {
    readonly records: SessionRecords;
    readonly submits: SessionSubmits;
    readonly cookie: ReturnType<typeof createBrowserCookie>;
  },
) {
  const {
    prefix,
    origin,
    returnTo,
    name,
    url,
    savedLogins,
    logo,
    accent,
    store,
    refusals,
    retention,
    keyRetention,
    onEnd,
    onProgress,
    onEvent,
    environment,
    ...relayOptions
  } = settings;
  const { rateLimit = createRateLimit() } = settings;
  const { readCaller = createCallerReader(rateLimit === false ? () => undefined : warn) } = settings;
  const onError = (fault: BankError) => reportError(settings, fault, { id: crypto.randomUUID() });
  const remember = (isIgnored: boolean) =>
    refusals && rememberRefusals(settings.client, { onError, ...refusals }, isIgnored);
  const remembering = remember(false);
  const createOne = (client = settings.client) =>
    createRelay({
      ...relayOptions,
      client,
      rateLimit,
      claimStore: accepting,
      responseStore: accepting,
      allowedOrigins: [origin],
      path: `${prefix}bank/`,
      readCaller: ({ headers }) => decodeURIComponent(headers.get(CALLER_HEADER) ?? "") || undefined,
      readUser: ({ request }) => request.headers.get(OWNER_HEADER) ?? undefined,
      ...(onEvent && { onEvent: ({ user: owner, ...event }) => onEvent({ ...event, ...readOwner(owner) }) }),
      // The key is in the response, sealed.
      onLogin: () => undefined,
    });
  const relay = createOne(remembering);
  const relayOfIgnored = refusals ? createOne(remember(true)) : relay;

  /** The session that a page's request is about, if it comes from a browser that may open it. */
  async function findOwn(request: Request): Promise<{ session: StoredSession; browser: string } | undefined> {
    const id = request.headers.get(SESSION_HEADER) ?? "";
    const browser = await cookie.read(request, id);
    const session = browser === undefined ? undefined : await records.find(id);
    if (!session || browser === undefined) return undefined;
    return session.browser === undefined || session.browser === browser ? { session, browser } : undefined;
  }

  /** The key that stands behind the name in a page's request; `undefined` if it is of another step than the last. */
  async function findKey(session: StoredSession, name: string): Promise<string | undefined> {
    const { last } = session;
    const response = last && toKeyName(last.number) === name ? await submits.read(session, last) : undefined;
    const key = response?.body?.["key"];
    return typeof key === "string" ? key : undefined;
  }

  // A header that is missing is null.
  const findCaller = async (request: Request) => (await callHook("readCaller", () => readCaller(request))) ?? undefined;

  /** Waits for what came of a submit that another request has sent. It counts as a read: each wait asks the store again and again. */
  async function waitFor(request: Request, id: string, number: number): Promise<RelayResponse> {
    const wait = await checkRateLimit(rateLimit, { caller: await findCaller(request), kind: "read" });
    return wait > 0 ? rateLimited(wait, "caller_limited") : submits.wait(id, number, request.signal);
  }

  /** The request for the relay. It outlives the connection: what the bank has got must come to its end. */
  async function toInner(
    request: Request,
    {
      session,
      key,
      body,
    }: { readonly session?: StoredSession; readonly key?: string | undefined; readonly body?: string | undefined },
  ): Promise<Request> {
    const headers = new Headers(request.headers);
    headers.delete(OWNER_HEADER);
    const id = session?.id ?? headers.get(SESSION_HEADER);
    if (id !== null) headers.set(OWNER_HEADER, `${id} ${encodeURIComponent(session?.created.user ?? "")}`);
    headers.set(CALLER_HEADER, encodeURIComponent((await findCaller(request)) ?? ""));
    headers.delete(KEY_HEADER);
    if (key !== undefined) headers.set(KEY_HEADER, key);
    const [, age] = /^max-age=(\d{1,9})$/.exec(headers.get("cache-control") ?? "") ?? [];
    if (age !== undefined) headers.set("cache-control", `max-age=${Math.max(Number(age), LEAST_AGE)}`);
    // As it came: a `Request` would tidy it up, and the relay refuses what it would change.
    const { method } = request;
    const inner = new Request(request.url, { method, headers, ...(body !== undefined && { body }) });
    return Object.defineProperty(inner, "url", { value: request.url });
  }

  const pass = async (inner: Request, isIgnored = false): Promise<RelayResponse> => {
    const response = await (isIgnored ? relayOfIgnored : relay)(inner);
    const retryAfter = response.headers.get("retry-after");
    return {
      httpStatus: response.status,
      ...(response.body && { body: await response.json() }),
      ...(retryAfter !== null && { headers: { "retry-after": retryAfter } }),
    };
  };

  /** Why a session takes no such login. Nothing was sent. */
  async function checkBinding(
    { id, created }: StoredSession,
    { kind, provider, body = "" }: Sent,
  ): Promise<RelayResponse | undefined> {
    if (kind !== "login" && kind !== "answer") return undefined;
    if (created.provider !== undefined && created.provider !== provider) return unauthorizedProvider;
    if (!created.bindUsername || !created.username) return undefined;
    const form = parseForm(body);
    if (isRefusal(form)) return form;
    return (await isUsername(settings, id, created.username, form.username)) ? undefined : otherUsername;
  }

  /** Whether an answer to the last question says that the person has confirmed elsewhere. */
  async function isConfirmed(session: StoredSession, last: StoredSubmit, { body = "" }: Sent): Promise<boolean> {
    const { provider } = last;
    const form = parseForm(body);
    const asked = toInteraction(last, await submits.read(session, last))?.interaction;
    if (!asked || isRefusal(form) || interactionKind(asked).kind !== "confirmation") return false;
    // It has the bank's word for it, and is kept since the form was shown. The answer does not wait for a service that is slow to say it again.
    const signal = AbortSignal.timeout(PROVIDER_TIMEOUT);
    const read = await settings.client.getProvider(provider, { signal }).catch(() => undefined);
    const kind = interactionKind(asked, { provider, ...(read?.status === "success" && { detail: read.provider }) });
    if (kind.kind !== "confirmation") return false;
    return asked.fields.every((field) => {
      const text = form.others[field];
      return text !== undefined && isOneOf(text, [kind.answer]);
    });
  }

  /** Whether the page has just said that the bank has refused this form before: the person sends it all the same. */
  async function isDeliberate(session: StoredSession, sent: Sent): Promise<boolean> {
    const { last } = session;
    if (!remembering || sent.kind !== "login" || last?.result?.kind !== "refused") return false;
    const said = (await submits.read(session, last))?.body ?? {};
    const form = parseForm(sent.body ?? "");
    if (said["status"] !== "known_wrong" || isRefusal(form)) return false;
    const { provider, username, password, others } = form;
    const known = await remembering.findRefusal({ ...others, provider, username, password });
    return known?.refusedAt !== undefined && known.refusedAt === said["refused_at"];
  }

  async function submit(request: Request, sent: Sent): Promise<RelayResponse> {
    const attempt = request.headers.get(ATTEMPT_HEADER) ?? "";
    const name = request.headers.get(KEY_HEADER);
    for (;;) {
      const own = await findOwn(request);
      if (!own) return notSignedIn;
      const { session, browser } = own;
      const { id, last } = session;
      const wait = (number: number) => waitFor(request, id, number);
      // The browser repeats it, or another instance has it.
      const repeated = session.submits.find((known) => known.attempt === attempt);
      if (repeated) return wait(repeated.number);
      if (!session.isOpen) return notSignedIn;
      // Another tab has sent something in the meantime.
      if (last && (isUnderWay(session) || (name !== null && name !== toKeyName(last.number)))) return wait(last.number);
      const isAsking = last?.result?.kind === "question" && environment.now() < (last.result.until ?? 0);
      if (last && isAsking && name === null && !request.headers.has(ASKED_HEADER)) return wait(last.number);
      const key = name === null ? undefined : await findKey(session, name);
      if (name !== null && key === undefined) return invalidKey;
      const refusal = await checkBinding(session, sent);
      if (refusal) return refusal;
      if (session.submits.length >= SUBMIT_LIMIT) return tooManySubmits;
      const inner = await toInner(request, { session, key, body: sent.body });
      const provider = sent.provider ?? last?.provider ?? "";
      const isIgnored = session.created.ignoreKnownRefusal || (await isDeliberate(session, sent));
      const isConfirmation = sent.kind === "answer" && last !== undefined && (await isConfirmed(session, last, sent));
      const isApproval = isConfirmation && (await records.read(id, `approved:${last.number}`)) !== undefined;
      const confirmed = { ...(isConfirmation && { isConfirmation }), ...(isApproval && { isApproval }) };
      const claimed = { attempt, kind: sent.kind, provider, browser, ...confirmed };
      const response = await submits.send(session, claimed, () => pass(inner, isIgnored));
      if (response) return response;
    }
  }

  /** What is sent once, as far as it is read here. The relay says what is wrong with the rest. */
  async function readSubmit(request: Request, path: string): Promise<Sent | RelayResponse | undefined> {
    const isPost = request.method === "POST" && path === "login/";
    const isClient = request.method === "GET" && settings.clientSelection && /^client\/[^/]+\/$/.test(path);
    const isLogout = request.method === "GET" && settings.logout && path === "logout/";
    if (!isPost && !isClient && !isLogout) return undefined;
    const { headers } = request;
    const isPage = headers.get(RELAY_HEADER) === "1" && isFromAllowedOrigin(request, new Set([origin]));
    if (!isPage || !isAttemptId(headers.get(ATTEMPT_HEADER) ?? "")) return undefined;
    if (!isPost) return { kind: isClient ? "client" : "logout" };
    // Before its body is read.
    if (!(await findOwn(request))) return notSignedIn;
    const body = await readBody(request, "application/x-www-form-urlencoded");
    if (typeof body !== "string") return body;
    const form = parseForm(body);
    if (isRefusal(form)) return form;
    const { provider } = form;
    if (!isProviderCode(provider)) return providerDoesntExist;
    return { kind: headers.has(KEY_HEADER) ? "answer" : "login", provider, body };
  }

  /** How a submit has ended whose response its page has lost, or that another page has sent. */
  async function readAttempt(request: Request, attempt: string): Promise<RelayResponse> {
    const own = await findOwn(request);
    if (!own) return notSignedIn;
    const { session, browser } = own;
    const known = session.submits.find((submit) => submit.attempt === attempt);
    if (known) return waitFor(request, session.id, known.number);
    if (!session.isOpen) return notSignedIn;
    if (isAttemptId(attempt) && !isUnderWay(session) && session.submits.length < SUBMIT_LIMIT) {
      await submits.withdraw(session, { attempt, kind: "login", provider: "", browser });
    }
    return unknownAttempt;
  }

  async function serve(request: Request, path: string): Promise<RelayResponse> {
    const sent = await readSubmit(request, path);
    if (sent) return isRefusal(sent) ? sent : submit(request, sent);
    // What nobody may send is refused by the relay; it sends nothing of it on.
    if (request.method !== "GET") return pass(await toInner(request, {}));
    const own = await findOwn(request);
    if (!own?.session.isOpen) return notSignedIn;
    const name = request.headers.get(KEY_HEADER);
    const { session } = own;
    const key = name === null ? undefined : ((await findKey(session, name)) ?? name);
    const response = await pass(await toInner(request, { session, key }));
    // Before the page learns it, and answers by itself: a page that is opened later must not do so once more.
    if (path === "approval/" && response.body?.["status"] === "approved" && session.last) {
      await records.note(session, `approved:${session.last.number}`);
    }
    return response;
  }

  return {
    findOwn,

    async handle(request: Request, path: string): Promise<Response> {
      const [, attempt] = (request.method === "GET" && /^attempt\/([^/]+)\/$/.exec(path)) || [];
      const serving = attempt === undefined ? serve(request, path) : readAttempt(request, attempt);
      const response = await serving.catch((error: unknown) => {
        const fault = wrapThrown(error);
        reportError(settings, fault, { id: crypto.randomUUID() });
        // Nothing was sent by this request. What came of an attempt is not known while the store fails.
        return attempt === undefined ? toFaultResponse(fault, false) : stillWorking;
      });
      return toResponse(response, {});
    },
  };
}

/** What the header says, for the log. */
function readOwner(owner = ""): Pick<HostedEvent, "session" | "user"> {
  const [session = "", user = ""] = owner.split(" ");
  return { ...(/^[\da-f]{32}$/.test(session) && { session }), ...(user && { user: decodeURIComponent(user) }) };
}

const unauthorizedProvider = respond("error", { message: "Unauthorized provider" }, 403);
const otherUsername = respond("username_differs", {}, 403);
const tooManySubmits: RelayResponse = { httpStatus: 429, body: { error: "rate_limited" }, reason: "session_limited" };
