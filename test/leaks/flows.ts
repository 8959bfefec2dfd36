import { type BankClient, type BankClientOptions, createBankClient, type LoginSettings } from "ventanilla";
import { dataUrl, pngOfBytes } from "../api/pictures.ts";
import { asks, type Line, loggedIn, type Service, selectClient } from "../bank/service.ts";
import { holdTimeout } from "../faults/timeouts.ts";
import { type Canary, newCanaries } from "./canaries.ts";

const names = [
  "apiKey",
  "appToken",
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

/** One login against a service that may do its worst. */
export interface Flow {
  readonly name: string;
  readonly script: (canaries: Canaries) => readonly Line[];
  /** Canaries that must have come in requests beside the four of every login, or the hunt is void. */
  readonly used?: readonly Name[];
  readonly settings?: LoginSettings;
  /** Milliseconds until a request is given up. Default: the client's. */
  readonly timeout?: number;
  /** Where it ends. */
  readonly ends: "loggedIn" | "selectClient.resting" | "failed";
}

const timeout = holdTimeout();
const clients = { json: { status: "success", clients: { 0: "First Client" } } };
export const answered = ["firstAnswer", "firstKey"] as const;

/** The first question. */
export const first = ({ firstKey }: Canaries) => asks("otp", firstKey.value);

export const logins: readonly Flow[] = [
  {
    name: "a plain login",
    script: ({ sessionKey }) => [loggedIn(sessionKey.value)],
    used: ["sessionKey"],
    ends: "loggedIn",
  },
  {
    name: "a login with an interaction",
    script: (canaries) => [first(canaries), loggedIn(canaries.sessionKey.value)],
    used: [...answered, "sessionKey"],
    ends: "loggedIn",
  },
  {
    name: "a login with a captcha",
    script: ({ firstKey, sessionKey }) => [
      asks("captcha", firstKey.value, dataUrl("image/png", pngOfBytes(20_000))),
      loggedIn(sessionKey.value),
    ],
    used: [...answered, "sessionKey"],
    ends: "loggedIn",
  },
  {
    name: "a login whose second answer has no key",
    script: (canaries) => [first(canaries), loggedIn()],
    used: answered,
    ends: "loggedIn",
  },
  {
    name: "two interactions in a row",
    script: (canaries) => [
      first(canaries),
      asks("token", canaries.secondKey.value),
      loggedIn(canaries.sessionKey.value),
    ],
    used: [...answered, "secondAnswer", "secondKey", "sessionKey"],
    ends: "loggedIn",
  },
  {
    name: "a choice of clients that nobody makes",
    script: ({ sessionKey }) => [selectClient(sessionKey.value)],
    used: ["sessionKey"],
    ends: "selectClient.resting",
  },
  {
    name: "a choice of clients that brings a new key",
    script: ({ firstKey, sessionKey }) => [
      selectClient(firstKey.value),
      clients,
      { json: { status: "success", key: sessionKey.value } },
    ],
    used: ["firstKey", "sessionKey"],
    settings: { clientSelection: true },
    ends: "loggedIn",
  },
  {
    name: "wrong credentials",
    script: () => [{ http: 403, json: { status: "wrong_credentials" } }],
    ends: "failed",
  },
  {
    name: "too many sessions",
    script: ({ otherKey }) => [{ http: 403, json: { status: "max_sessions_reached", key: otherKey.value } }],
    used: ["otherKey"],
    ends: "failed",
  },
  {
    name: "a session replaced",
    script: ({ otherKey, sessionKey }) => [
      { http: 403, json: { status: "max_sessions_reached", key: otherKey.value } },
      { json: { status: "logged_out" } },
      loggedIn(sessionKey.value),
    ],
    used: ["otherKey", "sessionKey"],
    settings: { sessionReplacement: true },
    ends: "loggedIn",
  },
  {
    name: "too many interactions",
    script: (canaries) => [first(canaries), first(canaries)],
    used: answered,
    settings: { interactionLimit: 1 },
    ends: "failed",
  },
  {
    name: "a time-out",
    script: (canaries) => [
      first(canaries),
      () => {
        timeout.runOut();
        return "held";
      },
    ],
    used: answered,
    timeout: timeout.length,
    ends: "failed",
  },
];

/** Connections that break. */
export const breaking: readonly Flow[] = [
  { name: "a connection that breaks at the first login", script: () => ["broken"], ends: "failed" },
  {
    name: "a connection that breaks at the second login",
    script: (canaries) => [first(canaries), "broken"],
    used: answered,
    ends: "failed",
  },
  {
    name: "a connection that breaks at the list of clients",
    script: ({ firstKey }) => [selectClient(firstKey.value), "broken"],
    used: ["firstKey"],
    settings: { clientSelection: true },
    ends: "failed",
  },
  {
    name: "a connection that breaks at the logout",
    script: ({ otherKey }) => [{ json: { status: "max_sessions_reached", key: otherKey.value } }, "broken"],
    used: ["otherKey"],
    settings: { sessionReplacement: true },
    ends: "failed",
  },
];

/** What a client shows to the service: a server its API key, an app its token, which a relay checks. */
export type Proof = Extract<Name, "apiKey" | "appToken">;

/** A client of a service that shows that proof. */
export function createProvingClient(
  { url }: Pick<Service, "url">,
  canaries: Canaries,
  proof: Proof,
  options: Partial<BankClientOptions> = {},
): BankClient {
  const { value } = canaries[proof];
  const shown = proof === "apiKey" ? { apiKey: value } : { appToken: async () => value };
  return createBankClient({ baseUrl: url, retry: false, ...shown, ...options });
}

/** What must have come in requests for the hunt to count. */
export const usedIn = ({ used = [] }: Flow, proof: Proof): readonly Name[] => [
  proof,
  "username",
  "password",
  "companyCode",
  ...used,
];
