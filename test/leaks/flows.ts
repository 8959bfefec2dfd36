import {
  type BankClient,
  createBankClient,
  createCredentials,
  createRelayClient,
  type LoginSettings,
} from "ventanilla";
import type { ClientOptions } from "../../src/core/api/client-options.ts";
import { asks, type Line, loggedIn, type Service, selectClient } from "../bank/service.ts";
import { dataUrl, pngOfBytes } from "../core/api/pictures.ts";
import { holdTimeout } from "../faults/timeouts.ts";
import { type Canary, newCanaries } from "./canaries.ts";

const names = [
  "apiKey",
  "bearerToken",
  "username",
  "password",
  "companyCode",
  "firstAnswer",
  "secondAnswer",
  "firstKey",
  "secondKey",
  "sessionKey",
  "otherKey",
] as const;

export type Name = (typeof names)[number];
export type Canaries = Readonly<Record<Name, Canary>>;

export const flowCanaries = () => newCanaries(names);

/** What is typed in, for `login()`. */
export const toForm = ({ username, password, companyCode }: Canaries) => ({
  provider: "test",
  username: username.value,
  password: password.value,
  fields: { company_code: companyCode.value },
});

/** The event that submits it. */
export const submit = (canaries: Canaries) =>
  ({ type: "credentials.submit", credentials: createCredentials(toForm(canaries)) }) as const;

/** All that the bank received, as one text. */
export const sentTo = ({ requests }: Pick<Service, "requests">): string =>
  requests.map(({ url, body, headers }) => `${url} ${body} ${JSON.stringify(headers)}`).join("\n");

/** One login at a bank with a script. */
export interface Flow {
  readonly name: string;
  readonly script: (canaries: Canaries) => readonly Line[];
  /** Canaries that the bank must have received, beside the four of every login: otherwise the scan proves nothing. */
  readonly used?: readonly Name[];
  readonly settings?: LoginSettings;
  /** Whether the bank repeats in a text for the person what it got. */
  readonly isRepeated?: boolean;
  /** Milliseconds until a request is given up. Default: the client's. */
  readonly timeout?: number;
  /** The last state. */
  readonly ends: "loggedIn" | "failed";
}

const timeout = holdTimeout();
const clients = { json: { status: "success", clients: { 0: "First Client" } } };
const tooMany = ({ otherKey }: Canaries): Line => ({
  http: 403,
  json: { status: "max_sessions_reached", key: otherKey.value },
});
export const answered = ["firstAnswer", "firstKey"] as const;

/** The first question. */
export const first = ({ firstKey }: Canaries) => asks("otp", firstKey.value);
const session = ({ sessionKey }: Canaries) => loggedIn(sessionKey.value);

const flow = (
  name: string,
  ends: Flow["ends"],
  used: readonly Name[],
  script: Flow["script"],
  rest: Pick<Flow, "settings" | "timeout"> = {},
): Flow => ({ name, ends, used, script, ...rest });

const withClients = { settings: { clientSelection: true } };
const withReplacement = { settings: { sessionReplacement: true } };

export const logins: readonly Flow[] = [
  flow("a plain login", "loggedIn", ["sessionKey"], (canaries) => [session(canaries)]),
  flow("a login with an interaction", "loggedIn", [...answered, "sessionKey"], (canaries) => [
    first(canaries),
    session(canaries),
  ]),
  flow("a login with a captcha", "loggedIn", [...answered, "sessionKey"], (canaries) => [
    asks("captcha", canaries.firstKey.value, dataUrl("image/png", pngOfBytes(20_000))),
    session(canaries),
  ]),
  flow("a login whose second answer has no key", "loggedIn", answered, (canaries) => [first(canaries), loggedIn()]),
  flow(
    "two interactions in a row",
    "loggedIn",
    [...answered, "secondAnswer", "secondKey", "sessionKey"],
    (canaries) => [first(canaries), asks("token", canaries.secondKey.value), session(canaries)],
  ),
  flow("a choice of clients that is never made", "failed", ["sessionKey"], ({ sessionKey }) => [
    selectClient(sessionKey.value),
  ]),
  flow(
    "a choice of clients that brings a new key",
    "loggedIn",
    ["firstKey", "sessionKey"],
    ({ firstKey, sessionKey }) => [
      selectClient(firstKey.value),
      clients,
      { json: { status: "success", key: sessionKey.value } },
    ],
    withClients,
  ),
  flow("wrong credentials", "failed", [], () => [{ http: 403, json: { status: "wrong_credentials" } }]),
  flow("too many sessions", "failed", ["otherKey"], (canaries) => [tooMany(canaries)]),
  flow(
    "a session replaced",
    "loggedIn",
    ["otherKey", "sessionKey"],
    (canaries) => [tooMany(canaries), { json: { status: "logged_out" } }, session(canaries)],
    withReplacement,
  ),
  flow("too many interactions", "failed", answered, (canaries) => [first(canaries), first(canaries)], {
    settings: { interactionLimit: 1 },
  }),
  flow(
    "a time-out",
    "failed",
    answered,
    (canaries) => [
      first(canaries),
      () => {
        timeout.runOut();
        return "held";
      },
    ],
    { timeout: timeout.length },
  ),
];

/** Connections that break. */
export const breaking: readonly Flow[] = [
  flow("a break at the first login", "failed", [], () => ["broken"]),
  flow("a break at the second login", "failed", answered, (canaries) => [first(canaries), "broken"]),
  flow(
    "a break at the list of clients",
    "failed",
    ["firstKey"],
    ({ firstKey }) => [selectClient(firstKey.value), "broken"],
    withClients,
  ),
  flow("a break at the logout", "failed", ["otherKey"], (canaries) => [tooMany(canaries), "broken"], withReplacement),
];

/** How a client identifies itself: a server by its API key, an app or a page by a token, which a relay checks. */
export type Proof = Extract<Name, "apiKey" | "bearerToken">;

const provers: Readonly<Record<Proof, (value: string, options: { baseUrl: string } & ClientOptions) => BankClient>> = {
  apiKey: (apiKey, options) => createBankClient({ ...options, apiKey }),
  bearerToken: (token, options) =>
    // Too short for a relay to be asked again how a login has ended.
    createRelayClient({
      timeout: { login: 2_500 },
      ...options,
      headers: async () => ({ authorization: `Bearer ${token}` }),
    }),
};

/** A client of a service with that proof. */
export function createProvingClient(
  { url }: Pick<Service, "url">,
  canaries: Canaries,
  proof: Proof,
  options: ClientOptions = {},
): BankClient {
  return provers[proof](canaries[proof].value, { baseUrl: url, retry: false, ...options });
}
