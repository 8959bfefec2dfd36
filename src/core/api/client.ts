import { type BankRequest, type Endpoint, endpoints, type RelayNote } from "./bank-request.ts";
import { toAbsoluteUrl } from "./base-url.ts";
import {
  type BankClientOptions,
  type CallOptions,
  type ClientKind,
  type ClientSettings,
  parseBankClientOptions,
  parseRelayClientOptions,
  type RelayClientOptions,
} from "./client-options.ts";
import { filterByCountry } from "./countries.ts";
import { createDirectory } from "./directory.ts";
import { BankError } from "./errors.ts";
import { createOfetch, exchange } from "./exchange.ts";
import { type FaultCode, findFailure, mayHaveArrived, NOT_RECEIVED } from "./failures.ts";
import {
  checkRequired,
  createInputError,
  isKeyName,
  parseMilliseconds,
  parseObject,
  parseTime,
  parseWholeNumber,
  revealText,
  type StringOrSecret,
} from "./input-checks.ts";
import {
  parseKey,
  toClientsResponse,
  toDestinationsResponse,
  toLoginResponse,
  toProviderResponse,
  toProvidersResponse,
} from "./parse-response.ts";
import { toRefusal } from "./refusals.ts";
import {
  formatRelayKey,
  formatToken,
  type LoginName,
  parseLoginName,
  parseRelayKey,
  type RelayLogin,
} from "./relay-login.ts";
import type {
  ClientsResponse,
  DestinationsResponse,
  LoginResponse,
  LogoutResponse,
  ProviderResponse,
  ProvidersResponse,
  SelectClientResponse,
  UnknownSubmit,
} from "./responses.ts";
import { type Secret, secret } from "./secret.ts";
import { withinTimeOut } from "./time-out.ts";
import { isFromElsewhere, type WireResponse } from "./wire-response.ts";

/** What came of an approval in the bank's app. */
export interface ApprovalResponse {
  readonly status: "approved" | "denied" | "expired";
}

/** The form of a login (contract, section 4.1): the three required fields and those of the provider. */
export interface LoginFields {
  /** The provider's code: lowercase, without accents. */
  readonly provider: string;
  /** The document or user name of the bank's own website or app. */
  readonly username: StringOrSecret;
  /** The password of the bank's own website or app. */
  readonly password: StringOrSecret;
  readonly [field: string]: StringOrSecret;
}

/**
 * The service's operations, one method each. A method resolves to the response, discriminated by `status`, and rejects with a
 * `BankError`. It accepts strings and secrets, and returns keys as secrets.
 */
export interface BankClient {
  /** The option `baseUrl` without a trailing slash: a path stays a path. */
  readonly baseUrl: string;

  /** Whether it is a client of the service or of a relay, which keeps logins for pages and apps. Default `service`. */
  readonly kind?: ClientKind;

  /** `GET /provider/`: the banks (contract, section 4.3), kept as the option `directory` says. A read: temporary faults are retried. @throws {BankError} a fault. */
  listProviders(options?: CallOptions): Promise<ProvidersResponse>;

  /**
   * `GET /provider/{code}/`: the login fields of one bank (contract, section 4.2), kept as the option `directory` says. A read:
   * temporary faults are retried.
   *
   * @param code the bank's code, as the list gives it.
   * @param options `choice` narrows the choices that depend on another field's value; beyond the contract. `maxAge`: the milliseconds from
   * which a response that is kept, here or by a relay, is too old; default: as the option `directory` says.
   * @throws {BankError} `invalid_input` naming `code` for a code that can't stand in a path: with a slash, a backslash, a percent sign, a control character or `..`.
   * @throws {BankError} a fault.
   */
  getProvider(
    code: string,
    options?: CallOptions & {
      readonly choice?: { readonly field: string; readonly value: string };
      readonly maxAge?: number;
    },
  ): Promise<ProviderResponse>;

  /**
   * `POST /login/` (contract, section 4.1): sent once, never retried.
   *
   * @param fields the three required ones and the provider's own: in the first login those that are not interactive, in the second the interactive one too.
   * @param options `key`: for the second login of an interaction, the key of the `interaction_required` response. `login`: names the login to a relay, its
   * `id` in the logs too; default random. The service gets none. Of a second login the `key` names it.
   * @throws {BankError} `invalid_input` naming the field whose value can't be sent, or a field called `key`; nothing was sent.
   * @throws {BankError} a fault. After `outcome_unknown`, `request_timed_out`, `network_failed` or `service_unavailable` the bank may
   * have received the login.
   */
  login(
    fields: LoginFields,
    options?: CallOptions & { readonly key?: StringOrSecret; readonly login?: LoginName },
  ): Promise<LoginResponse>;

  /**
   * `GET /submit/` of a relay: where a login is, for a page that has lost its response, such as by a reload. Beyond the contract. Nothing is sent to the bank. It
   * waits while the bank works, as long as `login` does. Only the client of a relay has it.
   *
   * @param login its name. The token is that of the submit which is asked for: `formatToken`.
   * @returns `unknown_submit` if the submit did not come to the relay: it takes it no more.
   * @throws {BankError} a fault. `outcome_unknown`: the relay has no such login, or nobody knows how it has ended.
   */
  readLogin?(login: LoginName, options?: CallOptions): Promise<LoginResponse | UnknownSubmit>;

  /**
   * `POST /cancel/` of a relay: ends a login that has not ended, by its name alone. Beyond the contract. A request that is with the bank is not aborted, and what
   * comes of it is dropped. Only the client of a relay has it.
   *
   * @throws {BankError} a fault.
   */
  cancelLogin?(login: LoginName, options?: CallOptions): Promise<void>;

  /** Whether a relay knows who sends a request; `undefined` before its first response. */
  knowsUsers?(): boolean | undefined;

  /**
   * Waits until the person has approved or denied the login in the bank's app, and sends nothing to the bank: for a service that can be
   * asked. The login then goes on by itself: after `approved` with `login` and the `key`, as if the person had said so. It is called for each
   * confirmation, until `signal` is aborted. If it rejects, the person can still say so. Optional, and beyond the contract. The client of a relay
   * has it, and asks the relay, which may abort the call and call again: begin by asking how it stands.
   *
   * @param key that of the `interaction_required` response.
   */
  awaitApproval?(key: Secret, options: { readonly signal: AbortSignal }): Promise<ApprovalResponse>;

  /** `GET /transfer/destinations`: where the session can transfer to (contract, section 4.4). A read. @throws {BankError} a fault. */
  listTransferDestinations(key: StringOrSecret, options?: CallOptions): Promise<DestinationsResponse>;

  /** `GET /client/`: the clients to choose from after `select_client`. Beyond the contract. A read. @throws {BankError} a fault. */
  listClients(key: StringOrSecret, options?: CallOptions): Promise<ClientsResponse>;

  /**
   * `GET /client/{id}/`: chooses a client. Beyond the contract. It changes the session, so it is sent once, never retried.
   * A `key` in the response replaces the old one.
   *
   * @throws {BankError} `invalid_input` naming `client` for an id that can't stand in a path: with a slash, a backslash, a percent sign, a control character or `..`.
   * @throws {BankError} a fault.
   */
  selectClient(key: StringOrSecret, client: string, options?: CallOptions): Promise<SelectClientResponse>;

  /**
   * `GET /logout/`: ends a session. Beyond the contract. Sent once, never retried. It is also the way out of
   * `max_sessions_reached`: log out with that response's key, then log in again.
   *
   * @throws {BankError} a fault.
   */
  logout(key: StringOrSecret, options?: CallOptions): Promise<LogoutResponse>;
}

/** Milliseconds before a relay is asked again whether a login is approved, or how it has ended, after a fault that passes. */
const APPROVAL_PAUSE = 3_000;
const LOST_PAUSE = 3_000;

const wait = (time: number) => new Promise((resolve) => setTimeout(resolve, time));

/**
 * A client of the service, for Node, Bun, Deno and workers. A page, which must not have the API key, has a `createRelayClient`.
 *
 * @throws {BankError} `invalid_input` naming the option that can't be used; values are not repeated in it.
 * @example
 * const client = createBankClient({ baseUrl: "https://bank.example", apiKey: process.env.API_KEY });
 * const response = await client.listProviders();
 * if (response.status === "success") console.log(response.providers);
 */
export function createBankClient(options: BankClientOptions): BankClient {
  return createClient(parseBankClientOptions(options)).client;
}

/** The client of a relay. */
export interface RelayClient extends BankClient {
  readonly kind: "relay";
  readonly readLogin: NonNullable<BankClient["readLogin"]>;
  readonly cancelLogin: NonNullable<BankClient["cancelLogin"]>;
  readonly awaitApproval: NonNullable<BankClient["awaitApproval"]>;
  readonly knowsUsers: NonNullable<BankClient["knowsUsers"]>;
}

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
  const { client, send, ask } = createClient(settings);

  const awaitApproval: RelayClient["awaitApproval"] = async (key, { signal }) => {
    for (;;) {
      const { status } = await send("GET /approval/", { signal }, { key: revealText("key", key) }, toApproval).catch(
        async (error: unknown) => {
          // A telephone that shows the bank's app may have no connection for this page.
          const { code = "request_aborted" } = error instanceof BankError ? error : {};
          if (code === "request_aborted" || !findFailure(code).retryable) throw error;
          await wait(APPROVAL_PAUSE);
          return { status: "waiting" } as const;
        },
      );
      if (status !== "waiting") return { status };
    }
  };

  return {
    ...client,
    kind: "relay",
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

/** Whether the client is that of a relay, which keeps logins for its pages. The one place that tells. */
export const isRelayClient = (client: BankClient): client is RelayClient => client.kind === "relay";

/** Each member of a client, those that it may not have too: a client around another one that forgets one does not compile. */
export type EveryMember<Client> = { readonly [Name in keyof Required<Client>]: Client[Name] };

/** A client made member by member, without those that are not there. */
export function defineClient<Client extends BankClient>(members: EveryMember<Client>): Client {
  return Object.fromEntries(Object.entries(members).filter(([, member]) => member !== undefined)) as unknown as Client;
}

function createClient(settings: ClientSettings) {
  const { baseUrl } = settings;
  const ofetch = createOfetch(settings.retry);
  const directory = settings.directory && createDirectory(settings.directory, settings.apiKey);

  const toLimits = (request: Endpoint, call: CallOptions) => ({
    name: { request, baseUrl: toAbsoluteUrl(baseUrl) },
    timeout: parseMilliseconds(
      "timeout",
      call.timeout ?? settings.timeout[request === "POST /login/" || request === "GET /submit/" ? "login" : "read"],
    ),
    deadline: parseTime("deadline", call.deadline),
    signals: [settings.signal, call.signal].filter((signal) => signal !== undefined),
    onResponse: call.onResponse,
  });

  type Parts = Partial<Pick<BankRequest, "path" | "key" | "query" | "form" | "maxAge" | "login" | "onRelay">>;

  const sendAsIs = <Reply>(
    request: Endpoint,
    call: CallOptions = {},
    parts: Parts,
    read: (response: WireResponse) => Reply,
  ): Promise<Reply> => {
    const [method, path] = request.split(" ") as [BankRequest["method"], string];
    return exchange(ofetch, {
      settings,
      method,
      path,
      isOnce: endpoints[request] === "once",
      ...parts,
      ...toLimits(request, call),
      read,
    });
  };

  /** Names the login of a request to a relay: by its key, or as it was given. In the page of a session each request is of its one login. */
  function nameLogin(request: Endpoint, { key, login }: Parts): RelayLogin | undefined {
    const named = key === undefined ? login : parseRelayKey(key);
    const session = settings.relay?.session;
    if (session) return { ...named, id: session.id, token: "", last: session.last };
    return named ?? (request === "POST /login/" ? parseLoginName() : undefined);
  }

  const send = <Reply>(
    request: Endpoint,
    call: CallOptions = {},
    parts: Parts,
    read: (response: WireResponse) => Reply,
  ): Promise<Reply> => {
    const { relay } = settings;
    if (!relay) return sendAsIs(request, call, parts, read);
    const { key: _, ...others } = parts;
    const login = nameLogin(request, parts);
    if (!login || endpoints[request] === "read") return sendAsIs(request, call, { ...others, login }, read);
    return sendNumbered(login, request, call, others, read);
  };

  /** Sends one request of a login to a relay. @returns whether the relay has said something to it, beside the fault. */
  async function sendOne<Reply>(
    request: Endpoint,
    call: CallOptions,
    parts: Parts,
    read: (response: WireResponse) => Reply,
  ): Promise<{ readonly reply: Reply } | { readonly error: unknown; readonly isTold: boolean }> {
    let isTold = false;
    const onRelay = ({ last, isUnderWay }: RelayNote) => {
      isTold = !isUnderWay;
      const session = settings.relay?.session;
      if (session && last !== undefined) session.last = last;
    };
    try {
      return { reply: await sendAsIs(request, call, { ...parts, onRelay }, read) };
    } catch (error) {
      return { error, isTold };
    }
  }

  /** Sends what is sent once to a relay. If its response is lost, the relay is asked how it has ended. */
  async function sendNumbered<Reply>(
    login: RelayLogin,
    request: Endpoint,
    call: CallOptions,
    parts: Parts,
    read: (response: WireResponse) => Reply,
  ): Promise<Reply> {
    const { timeout, deadline } = toLimits(request, call);
    const end = Math.min(deadline, Date.now() + timeout);
    const sent = await sendOne(request, call, { ...parts, login }, read);
    if ("reply" in sent) return sent.reply;
    const { error, isTold } = sent;
    if (isTold || !isLost(error) || !mayHaveArrived(error) || !canAsk(end)) throw error;
    await pause(call, LOST_PAUSE);
    const reply = await ask(login, { ...call, deadline: end }, read, error);
    if (!isUnknownSubmit(reply)) return reply;
    const key = secret(formatRelayKey({ ...login, last: login.last + 1 }));
    throw new BankError("network_failed", { ...toLimits(request, call).name, detail: NOT_RECEIVED, key });
  }

  const canAsk = (end: number, time = LOST_PAUSE): boolean => end - Date.now() > time;

  /** Waits before a relay is asked again, or ends with an abort. */
  const pause = (call: CallOptions, time: number) =>
    withinTimeOut({ ...toLimits("GET /submit/", call), timeout: time + LOST_PAUSE }, () => wait(time));

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
    const { timeout, deadline } = toLimits("GET /submit/", call);
    const end = Math.min(deadline, Date.now() + timeout);
    const session = settings.relay?.session;
    const named = { ...login, step: undefined, ...(session && { id: session.id, token: "" }) };
    for (;;) {
      const sent = await sendOne("GET /submit/", { ...call, deadline: end }, { login: named }, (response) =>
        response.status === "unknown_submit" ? ({ status: "unknown_submit" } as const) : read(response),
      );
      if ("reply" in sent) return sent.reply;
      const { error, isTold } = sent;
      if (isTold) throw error;
      if (!isLost(error))
        throw error instanceof BankError && error.code === "request_aborted" ? error : (lost ?? error);
      const time = Math.max(LOST_PAUSE, error.retryAfter ?? 0);
      if (!canAsk(end, time)) throw lost ?? error;
      await pause(call, time);
    }
  }

  const readKept = <Reply extends ProvidersResponse | ProviderResponse>(
    request: Endpoint,
    path: string,
    call: CallOptions & { readonly maxAge?: number } = {},
    read: (response: WireResponse) => Reply,
    query?: Readonly<Record<string, string>>,
  ): Promise<Reply> => {
    const maxAge = call.maxAge === undefined ? undefined : parseWholeNumber("maxAge", call.maxAge);
    if (!directory) return send(request, call, { path, query, maxAge }, read);
    const limits = toLimits(request, call);
    const { timeout, deadline } = limits;
    // How old a response was when a relay gave it is not known here.
    const oldest = maxAge !== undefined && settings.kind === "relay" ? 0 : maxAge;
    const address = `${limits.name.baseUrl}${path}${query ? `?${new URLSearchParams(query)}` : ""}`;
    return directory.get(address, { ...limits, maxAge: oldest }, (signal) =>
      send(request, { timeout, deadline, signal, onResponse: call.onResponse }, { path, query, maxAge }, read),
    );
  };

  const client: BankClient = {
    kind: settings.kind,
    baseUrl,

    listProviders: async (call) => {
      const { countries } = settings;
      const read = (response: WireResponse): ProvidersResponse => {
        const list = toProvidersResponse(response);
        // A relay that ignores the query sends every bank.
        return list.status === "success" ? { ...list, providers: filterByCountry(list.providers, countries) } : list;
      };
      return readKept("GET /provider/", "/provider/", call, read, countries === undefined ? undefined : { countries });
    },

    getProvider: async (code, call) => {
      const choice = call?.choice;
      const path = `/provider/${toSegment("code", code)}/`;
      const query = choice && {
        key: revealText("choice.field", choice.field),
        value: revealText("choice.value", choice.value),
      };
      const read = (response: WireResponse) => toProviderResponse(response, code);
      if (query) return send("GET /provider/{code}/", call, { path, query }, read);
      return readKept("GET /provider/{code}/", path, call, read);
    },

    login: async (fields, call) => {
      checkRequired(parseObject("fields", fields));
      const form = Object.fromEntries(
        Object.entries(fields).map(([name, text]) => [revealText("field", name), revealText(name, text)]),
      );
      const reserved = Object.keys(form).find(isKeyName);
      if (reserved !== undefined) throw createInputError(reserved, "is the contract's name of the session key");
      // An `undefined` key would begin a new login in place of the second one.
      const key = call && "key" in call ? revealText("key", call.key) : undefined;
      // The service itself keeps none.
      const login = settings.relay && call?.login && parseLoginName(call.login);
      if (!settings.relay || key === undefined)
        return send("POST /login/", call, { form, key, login }, toLoginResponse);
      // The record of a relay has them.
      const { username: _, password: __, ...answer } = form;
      return send("POST /login/", call, { form: answer, key }, toLoginResponse);
    },

    listTransferDestinations: async (key, call) =>
      send("GET /transfer/destinations", call, { key: revealText("key", key) }, toDestinationsResponse),

    listClients: async (key, call) => send("GET /client/", call, { key: revealText("key", key) }, toClientsResponse),

    selectClient: async (key, client, call) => {
      const path = `/client/${toSegment("client", client)}/`;
      return send("GET /client/{id}/", call, { path, key: revealText("key", key) }, (response) => {
        if (response.status !== "success") return toRefusal(response);
        return { status: "success", ...parseKey(response) };
      });
    },

    logout: async (key, call) =>
      send("GET /logout/", call, { key: revealText("key", key) }, (response) => {
        if (response.status !== "logged_out") return toRefusal(response);
        return { status: "logged_out", ...(response.login && { token: secret(formatToken(response.login)) }) };
      }),
  };

  return { client, send, ask };
}

/** The faults that hide what came of a request: the response was lost, or something on the way has responded in place of the relay. */
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
  typeof reply === "object" && reply !== null && "status" in reply && reply.status === "unknown_submit";

/** Reads what a relay says of an approval. */
function toApproval({ status, request, baseUrl, httpStatus }: WireResponse): ApprovalResponse | { status: "waiting" } {
  if (status === "approved" || status === "denied" || status === "expired" || status === "waiting") return { status };
  throw new BankError("response_against_contract", { request, baseUrl, httpStatus, field: "status" });
}

/**
 * A value as one segment of a path. Servers and proxies may decode a path more than once and resolve its dot segments, so a value
 * is refused if it could become more than one segment.
 */
function toSegment(field: string, value: string): string {
  const text = revealText(field, value);
  if (text === "." || /\.\.|[/\\%\p{Cc}]/u.test(text)) {
    throw createInputError(field, "must have no slash, backslash, percent sign, control character or dot segment");
  }
  return encodeURIComponent(text);
}
