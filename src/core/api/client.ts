import { type BankRequest, type Endpoint, endpoints } from "./bank-request.ts";
import { toAbsoluteUrl } from "./base-url.ts";
import {
  type BankClientOptions,
  type CallOptions,
  type ClientKind,
  type ClientSettings,
  parseBankClientOptions,
} from "./client-options.ts";
import { filterByCountry } from "./countries.ts";
import { createDirectory } from "./directory.ts";
import { createExchange } from "./exchange.ts";
import {
  checkFieldNames,
  createInputError,
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
import { formatToken, type LoginName } from "./relay-login.ts";
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
import type { WireResponse } from "./wire-response.ts";

/** The result of an approval in the bank's app. */
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
   * @throws {BankError} a fault. `outcome_unknown`: the relay has no such login, or does not know how it has ended.
   */
  readLogin?(login: LoginName, options?: CallOptions): Promise<LoginResponse | UnknownSubmit>;

  /**
   * `POST /cancel/` of a relay: ends a login that has not ended, by its name only. Beyond the contract. A request that is with the bank is not aborted, and its
   * result is dropped. Only the client of a relay has it.
   *
   * @throws {BankError} a fault.
   */
  cancelLogin?(login: LoginName, options?: CallOptions): Promise<void>;

  /** Whether a relay knows who sends a request; `undefined` before its first response. */
  knowsUsers?(): boolean | undefined;

  /**
   * Waits until the person has approved or denied the login in the bank's app, and sends nothing to the bank: for a service that can be
   * asked. The login then continues automatically: after `approved` with `login` and the `key`, as if the person had confirmed. It is called for each
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
  return createClient(parseBankClientOptions(options));
}

/** The client of a relay. */
export interface RelayClient extends BankClient {
  readonly kind: "relay";
  readonly readLogin: NonNullable<BankClient["readLogin"]>;
  readonly cancelLogin: NonNullable<BankClient["cancelLogin"]>;
  readonly awaitApproval: NonNullable<BankClient["awaitApproval"]>;
  readonly knowsUsers: NonNullable<BankClient["knowsUsers"]>;
}

/** Whether the client is that of a relay, which keeps logins for its pages. The one place that tells. */
export const isRelayClient = (client: BankClient): client is RelayClient => client.kind === "relay";

/** Each member of a client, those that it may not have too: a client that wraps another one and forgets a member does not compile. */
export type EveryMember<Client> = { readonly [Name in keyof Required<Client>]: Client[Name] };

/** A client made member by member, without those that are not there. */
export function defineClient<Client extends BankClient>(members: EveryMember<Client>): Client {
  return Object.fromEntries(Object.entries(members).filter(([, member]) => member !== undefined)) as unknown as Client;
}

/** What a request consists of, beside what each has. */
export interface RequestParts
  extends Partial<Pick<BankRequest, "path" | "key" | "query" | "form" | "maxAge" | "login" | "onRelay">> {
  /** The name of a login that begins. */
  readonly loginName?: LoginName | undefined;
}

/** Sends one request. */
export type Send = <Reply>(
  request: Endpoint,
  call: CallOptions | undefined,
  parts: RequestParts,
  read: (response: WireResponse) => Reply,
) => Promise<Reply>;

/** The limits of one call. */
export function toLimits(settings: ClientSettings, request: Endpoint, call: CallOptions) {
  const kind = request === "POST /login/" || request === "GET /submit/" ? "login" : "read";
  return {
    name: { request, baseUrl: toAbsoluteUrl(settings.baseUrl) },
    timeout: parseMilliseconds("timeout", call.timeout ?? settings.timeout[kind]),
    deadline: parseTime("deadline", call.deadline),
    signals: [settings.signal, call.signal].filter((signal) => signal !== undefined),
    onResponse: call.onResponse,
  };
}

/** What sends the requests of a client to the service itself. */
export function createSend(settings: ClientSettings): Send {
  const exchange = createExchange(settings.retry);
  return (request, call = {}, { loginName: _, ...parts }, read) => {
    const [method, path] = request.split(" ") as [BankRequest["method"], string];
    const isOnce = endpoints[request] === "once";
    return exchange({ settings, method, path, isOnce, ...parts, ...toLimits(settings, request, call) }, read);
  };
}

/** A client by what sends its requests. */
export function createClient(settings: ClientSettings, send: Send = createSend(settings)): BankClient {
  const { baseUrl } = settings;
  const directory = settings.directory && createDirectory(settings.directory, settings.apiKey);

  const readKept = <Reply extends ProvidersResponse | ProviderResponse>(
    request: Endpoint,
    path: string,
    call: CallOptions & { readonly maxAge?: number } = {},
    read: (response: WireResponse) => Reply,
    query?: Readonly<Record<string, string>>,
  ): Promise<Reply> => {
    const maxAge = call.maxAge === undefined ? undefined : parseWholeNumber("maxAge", call.maxAge);
    if (!directory) return send(request, call, { path, query, maxAge }, read);
    const limits = toLimits(settings, request, call);
    const { timeout, deadline } = limits;
    // How old a response was when a relay gave it is not known here.
    const oldest = maxAge !== undefined && settings.kind === "relay" ? 0 : maxAge;
    const address = `${limits.name.baseUrl}${path}${query ? `?${new URLSearchParams(query)}` : ""}`;
    return directory.get(address, { ...limits, maxAge: oldest }, (signal) =>
      send(request, { timeout, deadline, signal, onResponse: call.onResponse }, { path, query, maxAge }, read),
    );
  };

  return {
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
      checkFieldNames(parseObject("fields", fields));
      const form = Object.fromEntries(Object.entries(fields).map(([name, text]) => [name, revealText(name, text)]));
      // An `undefined` key would begin a new login in place of the second one.
      const key = call && "key" in call ? revealText("key", call.key) : undefined;
      return send("POST /login/", call, { form, key, loginName: call?.login }, toLoginResponse);
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
}

/**
 * A value as one segment of a path. Servers and proxies may decode a path more than once and resolve its dot segments, so a value
 * is refused if it could become more than one segment.
 */
function toSegment(field: string, value: string): string {
  const text = revealText(field, value);
  if (text === "." || /\.\.|[/\\%\p{Cc}]/u.test(text)) {
    throw createInputError(field, "must have no slash, backslash, percent or control character or dot segment");
  }
  return encodeURIComponent(text);
}
