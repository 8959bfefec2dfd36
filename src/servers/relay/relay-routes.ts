import { type Endpoint, endpoints } from "../../core/api/bank-request.ts";
import { filterByCountry, isCountries } from "../../core/api/countries.ts";
import { BankError } from "../../core/api/errors.ts";
import { withinTimeOut } from "../../core/api/time-out.ts";
import { logIn } from "./login-handler.ts";
import {
  type Call,
  claimAttempt,
  claimKey,
  isProviderCode,
  type LoginCall,
  noteProvider,
  passRefusal,
  sealStepKey,
  startSession,
} from "./relay-call.ts";
import type { RelaySettings } from "./relay-options.ts";
import {
  invalidKey,
  malformedQuery,
  missingParams,
  notFound,
  providerDoesntExist,
  type RelayResponse,
  respond,
  wrongClient,
} from "./relay-responses.ts";
import { toClients, toDestination, toProviderDetail, toProviderEntry } from "./response-shapes.ts";
import type { KeyPurpose, UnsealedKey } from "./sealed-keys.ts";
import { readAttempt } from "./shared-responses.ts";

/** `GET /provider/` (contract, section 4.3). The relay has one list of all banks; a page can ask for those of some countries, beyond the contract. */
async function listProviders(call: Call): Promise<RelayResponse> {
  const countries = call.query.get("countries");
  if (countries !== undefined && !isCountries(countries)) return malformedQuery;
  const response = await call.settings.client.listProviders({ signal: call.signal });
  if (response.status !== "success") return passRefusal(call, response, "");
  const providers = filterByCountry(response.providers, countries);
  for (const { code } of providers) noteProvider(call, code);
  return respond("success", { providers: providers.map(toProviderEntry) });
}

/** `GET /provider/{code}/` (contract, section 4.2), with the choice that narrows others, if there is one. */
async function getProvider(call: Call): Promise<RelayResponse> {
  const { settings, signal, parameter: code, query, maxAge } = call;
  if (!isProviderCode(code)) return providerDoesntExist;
  const [field, value] = [query.get("key"), query.get("value")];
  if ((field === undefined) !== (value === undefined)) return missingParams;
  const response = await settings.client.getProvider(code, {
    signal,
    ...(maxAge !== undefined && { maxAge }),
    ...(field && value && { choice: { field, value } }),
  });
  if (response.status !== "success") return passRefusal(call, response, code);
  noteProvider(call, code);
  return respond(response.provider.state ?? "success", { provider: toProviderDetail(response.provider) });
}

/** `GET /transfer/destinations` (contract, section 4.4). */
const listTransferDestinations = withKey(["session"], async (call, { key, provider }) => {
  const response = await call.settings.client.listTransferDestinations(key, { signal: call.signal });
  if (response.status !== "success") return passRefusal(call, response, provider);
  return respond("success", { destinations: response.destinations.map(toDestination) });
});

/** `GET /client/`. Beyond the contract. */
const listClients = withKey(["selection"], async (call, { key, provider }) => {
  const response = await call.settings.client.listClients(key, { signal: call.signal });
  if (response.status !== "success") return passRefusal(call, response, provider);
  return respond("success", { clients: toClients(response.clients) });
});

/**
 * `GET /client/{id}/`. Beyond the contract. Only a client that the bank lists for this key is sent. The key is claimed before, so that
 * the choice can't change afterwards. If the bank says that it knows no such client, the refusal has another key.
 */
const selectClient = withKey(["selection"], async (call, unsealed) => {
  const { settings, signal, parameter: id } = call;
  const { key, provider } = unsealed;
  const repeated = await claimAttempt(call);
  if (repeated) return repeated;
  const listed = await settings.client.listClients(key, { signal });
  if (listed.status !== "success") return passRefusal(call, listed, provider);
  if (!listed.clients.some((client) => client.id === id)) return wrongClient;
  const spent = await claimKey(call, unsealed);
  if (spent) return spent;
  const response = await settings.client.selectClient(key, id, { signal });
  if (response.status === "wrong_client") {
    const fresh = await sealStepKey(call, "selection", { provider, key });
    return { ...wrongClient, body: { ...wrongClient.body, key: fresh } };
  }
  if (response.status !== "success") return passRefusal(call, response, provider);
  return respond("success", { key: await startSession(call, provider, response.key ?? key) });
});

/** `GET /logout/`. Beyond the contract. */
const logOut = withKey(["session", "selection", "blocking"], async (call, { key, provider }) => {
  const repeated = await claimAttempt(call);
  if (repeated) return repeated;
  const response = await call.settings.client.logout(key, { signal: call.signal });
  if (response.status !== "logged_out") return passRefusal(call, response, provider);
  return respond("logged_out");
});

/** Milliseconds for which a request waits for an approval: less than proxies do. The page asks again. */
const APPROVAL_WAIT = 20_000;

/** `GET /approval/`. Beyond the contract: whether the person has approved a login in the bank's app. Nothing is sent to the bank. */
const readApproval = withKey(["interaction"], async (call, { key }) => {
  const { settings, template: request, signal } = call;
  const { client } = settings;
  const ask = client.awaitApproval?.bind(client);
  if (!ask) return notFound;
  const limits = { name: { request, baseUrl: client.baseUrl }, timeout: APPROVAL_WAIT, signals: [signal] };
  try {
    const { status } = await withinTimeOut(limits, (signal) => ask(key, { signal }));
    return respond(status);
  } catch (error) {
    if (error instanceof BankError && error.code === "request_timed_out") return respond("waiting");
    throw error;
  }
});

/** A route that needs a key, which must be good for one of these purposes. */
function withKey(
  purposes: readonly KeyPurpose[],
  handle: (call: Call, unsealed: UnsealedKey) => Promise<RelayResponse>,
): (call: Call) => Promise<RelayResponse> {
  return async (call) => {
    const { key: unsealed } = call;
    if (!unsealed) return missingParams;
    if (!purposes.includes(unsealed.purpose)) return invalidKey;
    if (!(await unsealed.belongsTo(call))) return invalidKey;
    return handle(call, unsealed);
  };
}

type Handler = (call: Call) => Promise<RelayResponse>;

/** How a route is served, beside its method and path. */
interface RouteOptions {
  /** Whether a sealed key travels with it. */
  readonly takesKey?: boolean;
  /** Whether it is for a user whom `readUser` names. Default: if it takes a key. */
  readonly takesUser?: boolean;
  /** The names that its query may have. */
  readonly query?: readonly string[];
  /** The option that turns it on. */
  readonly optIn?: "clientSelection" | "logout" | "readUser" | "approval";
}

type FormHandler = (call: LoginCall) => Promise<RelayResponse>;
type FormEndpoint = Extract<Endpoint, `POST ${string}`>;

const reads: Readonly<Record<Exclude<Endpoint, FormEndpoint>, readonly [handle: Handler, options?: RouteOptions]>> = {
  "GET /provider/": [listProviders, { query: ["countries"] }],
  "GET /provider/{code}/": [getProvider, { query: ["key", "value"] }],
  "GET /transfer/destinations": [listTransferDestinations, { takesKey: true }],
  "GET /client/": [listClients, { takesKey: true, optIn: "clientSelection" }],
  "GET /client/{id}/": [selectClient, { takesKey: true, optIn: "clientSelection" }],
  "GET /logout/": [logOut, { takesKey: true, optIn: "logout" }],
  "GET /attempt/{id}/": [readAttempt, { takesUser: true, optIn: "readUser" }],
  "GET /approval/": [readApproval, { takesKey: true, optIn: "approval" }],
};

/** What is sent with a form. */
const forms: Readonly<Record<FormEndpoint, readonly [handle: FormHandler, options?: RouteOptions]>> = {
  "POST /login/": [logIn, { takesKey: true }],
};

interface RouteBase extends RouteOptions {
  readonly template: Endpoint;
  /** Whether it changes something at the bank, so that a browser's own repeat must not reach it. */
  readonly isSentOnce: boolean;
  /** With its trailing slash, if it has one. */
  readonly path: RegExp;
}

export type Route =
  | (RouteBase & { readonly method: "GET"; readonly handle: Handler })
  | (RouteBase & { readonly method: "POST"; readonly handle: FormHandler });

const createRoute = (template: Endpoint, options: RouteOptions = {}): RouteBase => ({
  template,
  isSentOnce: endpoints[template] === "once",
  path: new RegExp(`^${template.replace(/^\w+ /, "").replace(/\{\w+\}/, "([^/]+)")}$`),
  takesUser: options.takesKey ?? false,
  ...options,
});

const routes: readonly Route[] = [
  ...Object.entries(reads).map(
    ([template, [handle, options]]) =>
      ({ ...createRoute(template as Endpoint, options), method: "GET", handle }) as const,
  ),
  ...Object.entries(forms).map(
    ([template, [handle, options]]) =>
      ({ ...createRoute(template as Endpoint, options), method: "POST", handle }) as const,
  ),
];

/** The route of a path, with its parameter. */
export function findRoute(
  path: string,
  settings: Pick<RelaySettings, "prefix" | "clientSelection" | "logout" | "readUser" | "approval">,
): { route: Route; parameter: string } | undefined {
  if (!path.startsWith(settings.prefix)) return undefined;
  const below = path.slice(settings.prefix.length - 1);
  for (const route of routes) {
    const match = route.optIn && !settings[route.optIn] ? null : route.path.exec(below);
    if (match) return { route, parameter: decodeURIComponent(match[1] ?? "") };
  }
  return undefined;
}
