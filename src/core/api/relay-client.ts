import { type Endpoint, endpoints, type RelayNote } from "./bank-request.ts";
import { toAbsoluteUrl } from "./base-url.ts";
import {
  type ApprovalResponse,
  createClient,
  createSend,
  type RelayClient,
  type RequestParts,
  type Send,
  toLimits,
} from "./client.ts";
import {
  type CallOptions,
  type ClientSettings,
  parseRelayClientOptions,
  type RelayClientOptions,
} from "./client-options.ts";
import { BankError } from "./errors.ts";
import { type FaultCode, findFailure, mayHaveArrived, NOT_RECEIVED } from "./failures.ts";
import { revealText } from "./input-checks.ts";
import { parseKey, toLoginResponse } from "./parse-response.ts";
import { formatRelayKey, parseLoginName, parseRelayKey, type RelayLogin } from "./relay-login.ts";
import { retry, wait } from "./repetition.ts";
import type { LoginResponse, UnknownSubmit } from "./responses.ts";
import { secret } from "./secret.ts";
import { withinTimeOut } from "./time-out.ts";
import { isFromElsewhere, type WireResponse } from "./wire-response.ts";

/** Milliseconds before a relay is asked again whether a login is approved, or how it has ended, after a fault that passes. */
const ASK_PAUSE = 3_000;

/**
 * A client of a relay (`ventanilla/relay`), for browsers and apps: the relay has the API key. Each request has the header `X-Ventanilla: 1`, and each
 * request of a login its name. A key that it gives out is such a name. If the response to what is sent once gets lost, it asks the relay for it until the
 * time-out of the call.
 *
 * @throws {BankError} `invalid_input` naming the option that can't be used; values are not repeated in it.
 * @example
 * const client = createRelayClient({ baseUrl: "/bank" });
 */
export function createRelayClient(options: RelayClientOptions): RelayClient {
  const settings = parseRelayClientOptions(options);
  const { send, ask } = createRelaySend(settings);

  const awaitApproval: RelayClient["awaitApproval"] = async (key, { signal }) => {
    const askRelay = () => send("GET /approval/", { signal }, { key: revealText("key", key) }, toApproval);
    for (;;) {
      const { status } = await retry(askRelay, (error) => {
        // A telephone that shows the bank's app may have no connection for this page.
        const { code = "request_aborted" } = error instanceof BankError ? error : {};
        return code !== "request_aborted" && findFailure(code).retryable ? ASK_PAUSE : undefined;
      });
      if (status !== "waiting") return { status };
    }
  };

  const client = createClient(settings, send);
  return {
    ...client,
    kind: "relay",
    async getProvider(code, call) {
      const response = await client.getProvider(code, call);
      if (response.status !== "success" || !response.provider.logo?.startsWith("logo/")) return response;
      // The relay serves it below its own address.
      const logo = `${toAbsoluteUrl(settings.baseUrl)}/${response.provider.logo}`;
      return { ...response, provider: { ...response.provider, logo } };
    },
    knowsUsers: () => settings.relay?.hasUsers,
    readLogin: async (login, call) => ask(parseLoginName(login), call, toLoginState),
    async cancelLogin(login, call) {
      // A session ends by its own page.
      if (settings.relay?.session) return;
      await send("POST /cancel/", call, { login: parseLoginName(login) }, () => undefined);
    },
    awaitApproval,
  };
}

/** Where a login is. The choice of a client has reached its session, or leads to the list again. */
function toLoginState(response: WireResponse): LoginResponse {
  if (response.status === "success") return { status: "logged_in", ...parseKey(response) };
  const read = toLoginResponse(response);
  return read.status === "wrong_client" && read.key ? { status: "select_client", key: read.key } : read;
}

/** Sends the requests of a client to a relay. */
function createRelaySend(settings: ClientSettings) {
  const sendAsIs = createSend(settings);

  /** Names the login of a request to a relay: by its key, or as it was given. In the page of a session each request is of its one login. */
  function nameLogin(request: Endpoint, { key, login, loginName }: RequestParts): RelayLogin | undefined {
    const named = key === undefined ? (login ?? (loginName && parseLoginName(loginName))) : parseRelayKey(key);
    const session = settings.relay?.session;
    if (session) return { ...named, id: session.id, token: "", last: session.last };
    return named ?? (request === "POST /login/" ? parseLoginName() : undefined);
  }

  const send: Send = (request, call = {}, parts, read) => {
    const { key, form: fields, loginName: _, ...others } = parts;
    const login = nameLogin(request, parts);
    const form = key === undefined ? fields : withoutCredentials(fields);
    if (!login || endpoints[request] === "read") return sendAsIs(request, call, { ...others, form, login }, read);
    return sendNumbered(login, request, call, { ...others, form }, read);
  };

  /** Sends one request of a login to a relay. @returns whether the relay has said something to it, beside the fault. */
  async function sendOne<Reply>(
    request: Endpoint,
    call: CallOptions,
    parts: RequestParts,
    read: (response: WireResponse) => Reply,
  ): Promise<{ readonly reply: Reply } | { readonly error: unknown; readonly isConclusive: boolean }> {
    let isConclusive = false;
    const onRelay = ({ last, isUnderWay }: RelayNote) => {
      isConclusive = !isUnderWay;
      const session = settings.relay?.session;
      if (session && last !== undefined) session.last = last;
    };
    try {
      return { reply: await sendAsIs(request, call, { ...parts, onRelay }, read) };
    } catch (error) {
      return { error, isConclusive };
    }
  }

  /** Sends what is sent once to a relay. If its response is lost, the relay is asked how it has ended. */
  async function sendNumbered<Reply>(
    login: RelayLogin,
    request: Endpoint,
    call: CallOptions,
    parts: RequestParts,
    read: (response: WireResponse) => Reply,
  ): Promise<Reply> {
    const { timeout, deadline } = toLimits(settings, request, call);
    const end = Math.min(deadline, Date.now() + timeout);
    const sent = await sendOne(request, call, { ...parts, login }, read);
    if ("reply" in sent) return sent.reply;
    const { error, isConclusive } = sent;
    if (isConclusive || !isLost(error) || !mayHaveArrived(error) || !canAsk(end)) throw error;
    await pause(call, ASK_PAUSE);
    const reply = await ask(login, { ...call, deadline: end }, read, error);
    if (!isUnknownSubmit(reply)) return reply;
    const key = secret(formatRelayKey({ ...login, last: login.last + 1 }));
    throw new BankError("network_failed", { ...toLimits(settings, request, call).name, detail: NOT_RECEIVED, key });
  }

  const canAsk = (end: number, time = ASK_PAUSE): boolean => end - Date.now() > time;

  /** Waits before a relay is asked again, or ends with an abort. */
  const pause = (call: CallOptions, time: number) =>
    withinTimeOut({ ...toLimits(settings, "GET /submit/", call), timeout: time + ASK_PAUSE }, () => wait(time));

  /**
   * Asks a relay how a submit has ended, or that it has not come and is refused if it does; again while no relay responds.
   *
   * @param lost the fault of the submit itself: it stays, if no relay says more.
   */
  async function ask<Reply>(
    login: RelayLogin,
    call: CallOptions = {},
    read: (response: WireResponse) => Reply,
    lost?: unknown,
  ): Promise<Reply | UnknownSubmit> {
    const { timeout, deadline } = toLimits(settings, "GET /submit/", call);
    const end = Math.min(deadline, Date.now() + timeout);
    const session = settings.relay?.session;
    const named = { ...login, step: undefined, ...(session && { id: session.id, token: "" }) };
    let isConclusive = false;
    const askOnce = async () => {
      const sent = await sendOne("GET /submit/", { ...call, deadline: end }, { login: named }, (response) =>
        response.status === "unknown_submit" ? ({ status: "unknown_submit" } as const) : read(response),
      );
      if ("reply" in sent) return sent.reply;
      isConclusive = sent.isConclusive;
      throw sent.error;
    };
    const toPause = (error: unknown) => {
      if (isConclusive || (error instanceof BankError && error.code === "request_aborted")) return undefined;
      const time = Math.max(ASK_PAUSE, isLost(error) ? (error.retryAfter ?? 0) : Number.POSITIVE_INFINITY);
      if (!canAsk(end, time)) throw lost ?? error;
      return time;
    };
    return retry(askOnce, toPause, (time) => pause(call, time));
  }

  return { send, ask };
}

/** The form of an answer: the relay's record has the rest. */
function withoutCredentials(form: RequestParts["form"]): RequestParts["form"] {
  const { username: _, password: __, ...answer } = form ?? {};
  return form && answer;
}

/** The faults that hide the result of a request: the response was lost, or something on the way has responded in place of the relay. */
const LOST: readonly FaultCode[] = [
  "network_failed",
  "service_unavailable",
  "outcome_unknown",
  "http_failed",
  "rate_limited",
  "response_unreadable",
];

/** Whether the relay may say more a moment later. What is plainly another address's response is the same then. */
const isLost = (error: unknown): error is BankError =>
  error instanceof BankError && LOST.includes(error.code) && !isFromElsewhere(error);

const isUnknownSubmit = (reply: unknown): reply is UnknownSubmit =>
  (reply as Partial<UnknownSubmit> | undefined)?.status === "unknown_submit";

/** Reads what a relay says of an approval. */
function toApproval({ status, request, baseUrl, httpStatus }: WireResponse): ApprovalResponse | { status: "waiting" } {
  if (status === "approved" || status === "denied" || status === "expired" || status === "waiting") return { status };
  throw new BankError("response_against_contract", { request, baseUrl, httpStatus, field: "status" });
}
