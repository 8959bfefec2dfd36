import type { RelayAnswer } from "./answers.ts";
import type { LoginForm } from "./form.ts";
import { logIn } from "./login.ts";
import type { RelaySettings } from "./options.ts";
import { getProvider, listClients, listProviders, listTransferDestinations, logOut, selectClient } from "./requests.ts";

/**
 * A request that the relay serves, named as the contract does.
 *
 * @inline
 */
export type RelayRouteTemplate =
  | "GET /provider/"
  | "GET /provider/{code}/"
  | "POST /login/"
  | "GET /transfer/destinations"
  | "GET /client/"
  | "GET /client/{id}/"
  | "GET /logout/";

/** One request on its way to the service. */
export interface Call {
  readonly settings: RelaySettings;
  readonly template: RelayRouteTemplate;
  readonly request: Request;
  /** Aborted when nobody waits for the response any more. */
  readonly signal: AbortSignal;
  /** Of a request that is sent once. */
  readonly attemptId: string | undefined;
  /** Of a login. */
  readonly form: LoginForm | undefined;
  /** The path's one parameter, decoded; empty where the route has none. */
  readonly parameter: string;
  readonly query: ReadonlyMap<string, string>;
  /** The sealed key, from where it travels. */
  readonly key: string | undefined;
  /** As `callerOf` tells. */
  readonly caller: string | undefined;
}

export interface Route {
  readonly template: RelayRouteTemplate;
  readonly method: "GET" | "POST";
  /** What comes after the prefix, to the letter: a trailing slash more or less is another path. */
  readonly path: RegExp;
  /** Whether a sealed key travels with it. */
  readonly takesKey: boolean;
  /** Whether it changes something at the bank, so that a browser's own repeat must not reach it. */
  readonly isSentOnce: boolean;
  /** Further names that its query may have. */
  readonly query: readonly string[];
  isServed(settings: RelaySettings): boolean;
  answer(call: Call): Promise<RelayAnswer>;
}

const always = () => true;

const routes: readonly Route[] = [
  {
    template: "GET /provider/",
    method: "GET",
    path: /^provider\/$/,
    takesKey: false,
    isSentOnce: false,
    query: [],
    isServed: always,
    answer: listProviders,
  },
  {
    template: "GET /provider/{code}/",
    method: "GET",
    path: /^provider\/([^/]+)\/$/,
    takesKey: false,
    isSentOnce: false,
    query: ["key", "value"],
    isServed: always,
    answer: getProvider,
  },
  {
    template: "POST /login/",
    method: "POST",
    path: /^login\/$/,
    takesKey: true,
    isSentOnce: true,
    query: [],
    isServed: always,
    answer: logIn,
  },
  {
    template: "GET /transfer/destinations",
    method: "GET",
    path: /^transfer\/destinations$/,
    takesKey: true,
    isSentOnce: false,
    query: [],
    isServed: always,
    answer: listTransferDestinations,
  },
  {
    template: "GET /client/",
    method: "GET",
    path: /^client\/$/,
    takesKey: true,
    isSentOnce: false,
    query: [],
    isServed: ({ clientSelection }) => clientSelection,
    answer: listClients,
  },
  {
    template: "GET /client/{id}/",
    method: "GET",
    path: /^client\/([^/]+)\/$/,
    takesKey: true,
    isSentOnce: true,
    query: [],
    isServed: ({ clientSelection }) => clientSelection,
    answer: selectClient,
  },
  {
    template: "GET /logout/",
    method: "GET",
    path: /^logout\/$/,
    takesKey: true,
    isSentOnce: true,
    query: [],
    isServed: ({ logout }) => logout,
    answer: logOut,
  },
];

/** The route of a path after the prefix, with its parameter. */
export function routeOf(path: string, settings: RelaySettings): { route: Route; parameter: string } | undefined {
  for (const route of routes) {
    const match = route.isServed(settings) ? route.path.exec(path) : null;
    if (match) return { route, parameter: decodeURIComponent(match[1] ?? "") };
  }
  return undefined;
}
