import { createBankClient, createLoginMachine, NetworkError, type OutcomeCode, secret } from "ventanilla";
import type { LinkEvent } from "ventanilla/machines/link";
import { getNextSnapshot, initialTransition } from "xstate";
import type { GetProviderOutput, ListDestinationsOutput, ListProvidersOutput } from "../../machines/link.types.ts";
import type { Reply } from "../bank/service.ts";
import { chosen, credentials, form, keys, pausedChoice, pausedQuestion, question } from "./login-cases.ts";

export const providers = [
  { code: "test", country: "UY", name: "Test Bank" },
  { code: "other", country: "MX", name: "Other Bank" },
];

export const detail = {
  name: "Test Bank",
  country: "UY",
  auth_fields: [
    { name: "username", type: "text", interactive: false, optional: false, label_en: "User", label_es: "Usuario" },
    {
      name: "country_code",
      type: "choice",
      interactive: false,
      optional: false,
      label_en: "Country",
      label_es: "País",
      choices: [{ name: "CO" }, { name: "VE" }],
    },
    {
      name: "type",
      type: "choice",
      interactive: false,
      optional: false,
      label_en: "Document",
      label_es: "Documento",
      choices: [{ name: "cc" }, { name: "ci" }, { name: "pp" }],
    },
    { name: "otp", type: "text", interactive: true, optional: false, label_en: "Code", label_es: "Código" },
  ],
  account_type: [{ name: "pers", label_en: "Personal", label_es: "Personal" }],
  logo: "https://bank.example/logo.png",
};

/** The choice that is made, and what the bank leaves of the other one. What forms must encode stands in it. */
export const choice = { field: "country_code", value: "CO & é=<ñ" };
export const narrowed = {
  ...detail,
  auth_fields: detail.auth_fields.map((field) =>
    field.name === "type" ? { ...field, choices: [{ name: "cc" }, { name: "pp" }] } : field,
  ),
};

export const destinations = [
  { id: 7, name: "First Institution" },
  { id: 12, name: "Second Institution" },
];

/** What sends a request or is a login: the id of the invocation whose end the case is. */
export type LinkSlot = "listProviders" | "getProvider" | "narrowChoices" | "login" | "listDestinations";

/** One thing that can happen on the way to a linked bank: as the statechart hears of it, and what the bank does. */
export interface LinkCase {
  readonly event:
    | LinkEvent
    | { readonly type: string; readonly output?: unknown; readonly error?: unknown; readonly snapshot?: unknown };
  readonly slot?: LinkSlot;
  readonly wire?: Reply;
  readonly isFault?: true;
  /** Meant for the login within. */
  readonly isForwarded?: true;
}

const person = (event: LinkEvent): LinkCase => ({ event });
// A held verb of a view: no step has the number nought.
const late = (event: LinkEvent): LinkCase => ({ event: { ...event, stepNumber: 0 } });
const forwarded = (event: LinkEvent): LinkCase => ({ event, isForwarded: true });

const replied = <Output extends object>(slot: LinkSlot, output: Output, wire: Reply): LinkCase => ({
  slot,
  event: { type: `xstate.done.actor.${slot}`, output },
  wire,
});

const refused = (code: OutcomeCode): { status: "refused"; failure: { kind: "outcome"; code: OutcomeCode } } => ({
  status: "refused",
  failure: { kind: "outcome", code },
});

const broken = (slot: LinkSlot, error: unknown): LinkCase => ({
  slot,
  isFault: true,
  event: { type: `xstate.error.actor.${slot}`, error },
  wire: "broken",
});

// The login within is the real one; nothing runs.
const login = createLoginMachine(createBankClient({ baseUrl: "http://bank.test", apiKey: "never-sent" }));
const [idle] = initialTransition(login, {});
const submitting = getNextSnapshot(login, idle, { type: "credentials.submit", credentials });

const shown = (snapshot: typeof idle): LinkCase => ({
  slot: "login",
  event: { type: "xstate.snapshot.login", snapshot },
});

const listed = (list: typeof providers): LinkCase =>
  replied<ListProvidersOutput>(
    "listProviders",
    { status: "success", providers: list },
    { json: { status: "success", providers: list } },
  );

/** Everything that can happen, by the name that the tests tell it under. */
export const linkCases = {
  "a bank is chosen": person({ type: "provider.choose", provider: "test" }),
  "another bank is wanted": person({ type: "provider.change" }),
  "what failed is tried again": person({ type: "link.retry" }),
  "the link is cancelled": person({ type: "link.cancel" }),

  "the choice is taken back": person({ type: "choices.narrow", field: choice.field, value: "" }),
  "a choice is made": person({ type: "choices.narrow", ...choice }),

  "credentials are submitted": forwarded({ type: "credentials.submit", credentials }),
  "the question is answered": forwarded({ type: "interaction.answer", answer: secret(question.answer) }),
  "a client is chosen": forwarded({ type: "client.choose", client: chosen }),
  "the other session is replaced": forwarded({ type: "session.replace" }),
  "the login is cancelled": forwarded({ type: "login.cancel" }),

  "an old view chooses a bank": late({ type: "provider.choose", provider: "test" }),
  "an old view wants another bank": late({ type: "provider.change" }),
  "an old view tries again": late({ type: "link.retry" }),
  "an old view cancels the link": late({ type: "link.cancel" }),
  "an old view takes the choice back": late({ type: "choices.narrow", field: choice.field, value: "" }),
  "an old view makes a choice": late({ type: "choices.narrow", ...choice }),
  "an old view submits credentials": late({ type: "credentials.submit", credentials }),
  "an old view answers": late({ type: "interaction.answer", answer: secret(question.answer) }),
  "an old view chooses a client": late({ type: "client.choose", client: chosen }),
  "an old view replaces the other session": late({ type: "session.replace" }),
  "an old view cancels the login": late({ type: "login.cancel" }),

  // Of no account to a link: what is taken up elsewhere is a login, and the link that it belonged to is gone.
  "a paused question is taken up": person({ type: "login.resume", paused: pausedQuestion }),
  "a paused choice is taken up": person({ type: "login.resume", paused: pausedChoice }),

  "the banks are listed": listed(providers),
  "no banks are listed": listed([]),
  "the list of banks is refused": replied<ListProvidersOutput>("listProviders", refused("missing_api_key"), {
    http: 401,
    json: { status: "error", message: "Missing API key" },
  }),
  "the list of banks breaks": broken("listProviders", new NetworkError("network_failed")),

  "the bank's fields are read": replied<GetProviderOutput>(
    "getProvider",
    { status: "success", detail },
    { json: { status: "success", provider: detail } },
  ),
  "the bank is not known": replied<GetProviderOutput>("getProvider", refused("provider_doesnt_exist"), {
    http: 404,
    json: { status: "provider_doesnt_exist" },
  }),
  "the reading of the fields breaks": broken("getProvider", new NetworkError("network_failed")),

  "the choices are narrowed": replied<GetProviderOutput>(
    "narrowChoices",
    { status: "success", detail: narrowed },
    { json: { status: "success", provider: narrowed } },
  ),
  "the narrowing is refused": replied<GetProviderOutput>("narrowChoices", refused("missing_params"), {
    http: 400,
    json: { status: "missing_params" },
  }),
  "the narrowing breaks": broken("narrowChoices", new NetworkError("network_failed")),

  "the login is ready": shown(idle),
  "the login is under way": shown(submitting),
  "the login succeeds": replied(
    "login",
    { provider: form.provider, key: secret(keys.session) },
    { json: { status: "logged_in", key: keys.session } },
  ),
  "the login breaks": broken("login", new TypeError("a fault of the login itself")),

  "the destinations are listed": replied<ListDestinationsOutput>(
    "listDestinations",
    { status: "success", destinations },
    { json: { status: "success", destinations } },
  ),
  "the session has ended": replied<ListDestinationsOutput>("listDestinations", refused("invalid_key"), {
    json: { status: "error", message: "Invalid key" },
  }),
  "the bank has ended the session": replied<ListDestinationsOutput>(
    "listDestinations",
    refused("provider_session_expired"),
    {
      json: { status: "error", code: "B1006" },
    },
  ),
  "the list of destinations is refused": replied<ListDestinationsOutput>(
    "listDestinations",
    refused("unauthorized_provider"),
    { http: 403, json: { status: "error", message: "Unauthorized provider" } },
  ),
  "the list of destinations breaks": broken("listDestinations", new NetworkError("network_failed")),
} satisfies Record<string, LinkCase>;

export type LinkCaseName = keyof typeof linkCases;
export const linkCaseNames = Object.keys(linkCases) as LinkCaseName[];
export const linkCase = (name: LinkCaseName): LinkCase => linkCases[name];
