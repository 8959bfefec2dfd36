import type { Endpoint } from "../../core/api/bank-request.ts";
import { filterByCountry, isCountries } from "../../core/api/countries.ts";
import { BankError } from "../../core/api/errors.ts";
import { withinTimeOut } from "../../core/api/time-out.ts";
import { isFetchable, toLogoPath } from "./logos.ts";
import { addProvider, type Call, type CallKey, forwardRefusal, isProviderCode } from "./relay-call.ts";
import type { RelaySettings } from "./relay-options.ts";
import {
  invalidKey,
  malformedQuery,
  missingParams,
  notFound,
  providerDoesntExist,
  type RelayResponse,
  respond,
} from "./relay-responses.ts";
import { toClients, toDestination, toProviderDetail, toProviderEntry } from "./response-shapes.ts";

/** `GET /provider/` (contract, section 4.3). The relay has one list of all banks; a page can request those of some countries, beyond the contract. */
async function listProviders(call: Call): Promise<RelayResponse> {
  const countries = call.query.get("countries");
  if (countries !== undefined && !isCountries(countries)) return malformedQuery;
  const response = await call.settings.client.listProviders({ signal: call.request.signal });
  if (response.status !== "success") return forwardRefusal(call, response);
  const providers = filterByCountry(response.providers, countries);
  for (const { code } of providers) addProvider(call, code);
  return respond("success", { providers: providers.map(toProviderEntry) });
}

/** `GET /provider/{code}/` (contract, section 4.2), with the choice that narrows others, if there is one. */
async function getProvider(call: Call): Promise<RelayResponse> {
  const { settings, request, parameter: code, query, maxAge } = call;
  if (!isProviderCode(code)) return providerDoesntExist;
  const [field, value] = [query.get("key"), query.get("value")];
  if ((field === undefined) !== (value === undefined)) return missingParams;
  const response = await settings.client.getProvider(code, {
    signal: request.signal,
    ...(maxAge !== undefined && { maxAge }),
    ...(field && value && { choice: { field, value } }),
  });
  if (response.status !== "success") return forwardRefusal(call, response);
  addProvider(call, code);
  const { provider } = response;
  const logo = isFetchable(provider.logo, settings) ? toLogoPath(code) : undefined;
  return respond(provider.state ?? "success", { provider: toProviderDetail(provider, logo) });
}

/** `GET /transfer/destinations` (contract, section 4.4). */
const listTransferDestinations = withKey("session", async (call, { key }) => {
  const response = await call.settings.client.listTransferDestinations(key, { signal: call.request.signal });
  if (response.status !== "success") return forwardRefusal(call, response);
  return respond("success", { destinations: response.destinations.map(toDestination) });
});

/** `GET /client/`. Beyond the contract. */
const listClients = withKey("clients", async (call, { key }) => {
  const response = await call.settings.client.listClients(key, { signal: call.request.signal });
  if (response.status !== "success") return forwardRefusal(call, response);
  return respond("success", { clients: toClients(response.clients) });
});

/** Milliseconds for which a request waits for an approval: less than proxies do. The page asks again. */
const APPROVAL_WAIT = 20_000;

/** `GET /approval/`. Beyond the contract: whether the person has approved a login in the bank's app. Nothing is sent to the bank. */
const readApproval = withKey("question", async (call, { key }) => {
  const { settings, template, request } = call;
  const { client } = settings;
  const ask = client.awaitApproval?.bind(client);
  if (!ask) return notFound;
  const limits = {
    name: { request: template, baseUrl: client.baseUrl },
    timeout: APPROVAL_WAIT,
    signals: [request.signal],
  };
  try {
    const { status } = await withinTimeOut(limits, (signal) => ask(key, { signal }));
    return respond(status);
  } catch (error) {
    if (error instanceof BankError && error.code === "request_timed_out") return respond("waiting");
    throw error;
  }
});

/** A route that needs a key of one kind. */
function withKey(kind: CallKey["kind"], handle: (call: Call, key: CallKey) => Promise<RelayResponse>): Handler {
  return async (call) => {
    const { key } = call;
    if (!key) return missingParams;
    return key.kind === kind ? handle(call, key) : invalidKey;
  };
}

type Handler = (call: Call) => Promise<RelayResponse>;

/**
 * The kind of a route. `read`: a handler responds. `submit`: it is sent to the bank once. `ask`: returns the result of a submit. `cancel`: the login ends. All except the reads of
 * banks belong to a login.
 */
type Kind = { readonly kind: "read"; readonly handle: Handler } | { readonly kind: "submit" | "ask" | "cancel" };

interface RouteOptions {
  readonly isOfLogin: boolean;
  /** The allowed names in its query. */
  readonly query?: readonly string[];
  /** The option that turns it on. */
  readonly optIn?: "clientSelection" | "logout" | "approval";
}

const read = (handle: Handler, options: Partial<RouteOptions> = {}) =>
  ({ kind: "read", handle, isOfLogin: true, ...options }) as const;
const submit = (options: Partial<RouteOptions> = {}) => ({ kind: "submit", isOfLogin: true, ...options }) as const;

const table = {
  "GET /provider/": read(listProviders, { isOfLogin: false, query: ["countries"] }),
  "GET /provider/{code}/": read(getProvider, { isOfLogin: false, query: ["key", "value"] }),
  "POST /login/": submit(),
  "GET /transfer/destinations": read(listTransferDestinations),
  "GET /client/": read(listClients, { optIn: "clientSelection" }),
  "GET /client/{id}/": submit({ optIn: "clientSelection" }),
  "GET /logout/": submit({ optIn: "logout" }),
  "GET /submit/": { kind: "ask", isOfLogin: true },
  "GET /approval/": read(readApproval, { optIn: "approval" }),
  "POST /cancel/": { kind: "cancel", isOfLogin: true },
} as const satisfies Readonly<Record<Endpoint, Kind & RouteOptions>>;

export type Route = Kind &
  RouteOptions & {
    readonly template: Endpoint;
    readonly method: "GET" | "POST";
    /** With its trailing slash, if it has one. */
    readonly path: RegExp;
  };

const routes: readonly Route[] = Object.entries(table).map(([name, options]) => {
  const template = name as Endpoint;
  const [method, path = ""] = template.split(" ");
  return {
    ...options,
    template,
    method: method as Route["method"],
    path: new RegExp(`^${path.replace(/\{\w+\}/, "([^/]+)")}$`),
  };
});

/** The route of a path, with its parameter. */
export function findRoute(
  path: string,
  settings: Pick<RelaySettings, "prefix" | "clientSelection" | "logout" | "approval">,
): { route: Route; parameter: string } | undefined {
  if (!path.startsWith(settings.prefix)) return undefined;
  const below = path.slice(settings.prefix.length - 1);
  for (const route of routes) {
    const match = route.optIn && !settings[route.optIn] ? null : route.path.exec(below);
    if (match) return { route, parameter: decodeURIComponent(match[1] ?? "") };
  }
  return undefined;
}
