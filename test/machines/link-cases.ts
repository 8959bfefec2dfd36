import { createBankClient, createLoginMachine } from "ventanilla";
import type { LinkEvent } from "ventanilla/machines/link";
import { getNextSnapshot, initialTransition } from "xstate";
import { bankWith, field } from "../bank/service.ts";
import { broken, type Case, refused, replied } from "./cases.ts";
import { answer, chosen, credentials, form, keys, loginCases } from "./login-cases.ts";

export const providers = [
  { code: "test", country: "UY", name: "Test Bank" },
  { code: "other", country: "MX", name: "Other Bank" },
];

export const detail = {
  ...bankWith(
    field({ name: "username", label_en: "User", label_es: "Usuario" }),
    field({
      ...{ name: "country_code", type: "choice", label_en: "Country", label_es: "País" },
      choices: [{ name: "CO" }, { name: "VE" }],
    }),
    field({
      ...{ name: "type", type: "choice", label_en: "Document", label_es: "Documento" },
      choices: [{ name: "cc" }, { name: "ci" }, { name: "pp" }],
    }),
    field({ name: "otp", interactive: true, label_en: "Code", label_es: "Código" }),
  ),
  name: "Test Bank",
  account_type: [{ name: "pers", label_en: "Personal", label_es: "Personal" }],
};

/** The choice that is made, and what the bank leaves of the other one. What forms must encode stands in it. */
export const choice = { field: "country_code", value: "CO & é=<ñ" };
export const narrowed = {
  ...detail,
  auth_fields: detail.auth_fields.map((listed) =>
    listed.name === "type" ? { ...listed, choices: [{ name: "cc" }, { name: "pp" }] } : listed,
  ),
};

export const destinations = [
  { id: 7, name: "First Institution" },
  { id: 12, name: "Second Institution" },
];

/** The invocations: each sends a request or is a login. */
export type LinkSlot = "listProviders" | "getProvider" | "narrowChoices" | "login" | "listDestinations";

export type LinkCase = Case<LinkEvent, LinkSlot>;

// The login within is the real one; nothing runs.
const login = createLoginMachine(createBankClient({ baseUrl: "http://bank.test", apiKey: "never-sent" }));
const [idle] = initialTransition(login, {});
const submitting = getNextSnapshot(login, idle, { type: "credentials.submit", credentials });

const shown = (snapshot: typeof idle): LinkCase => ({
  slot: "login",
  event: { type: "xstate.snapshot.login", snapshot },
});

const listed = (list: typeof providers): LinkCase => replied("listProviders", { status: "success", providers: list });
const read = (slot: LinkSlot, found: typeof detail): LinkCase =>
  replied(slot, { status: "success", detail: found }, { json: { status: "success", provider: found } });

const byPerson = {
  "a bank is chosen": { event: { type: "provider.choose", provider: "test" } },
  "another bank is wanted": { event: { type: "provider.change" } },
  "what failed is tried again": { event: { type: "link.retry" } },
  "the link is cancelled": { event: { type: "link.cancel" } },
  "the choice is taken back": { event: { type: "choices.narrow", field: choice.field, value: "" } },
  "a choice is made": { event: { type: "choices.narrow", ...choice } },
  "a plain login is taken up": { event: loginCases["a plain question is taken up"].event },
  "credentials are submitted": { event: { type: "credentials.submit", credentials }, isForwarded: true },
  "the question is answered": {
    event: { type: "interaction.answer", answer },
    isForwarded: true,
  },
  "a client is chosen": { event: { type: "client.choose", client: chosen }, isForwarded: true },
  "the other session is replaced": { event: { type: "session.replace" }, isForwarded: true },
  "the login is cancelled": { event: { type: "login.cancel" }, isForwarded: true },
} satisfies Record<string, LinkCase>;

/** Everything that can happen, by the name that the tests use. */
export const linkCases = {
  ...byPerson,

  "the banks are listed": listed(providers),
  "no banks are listed": listed([]),
  "the list of banks is refused": refused("listProviders", "api_key_refused", {
    http: 401,
    json: { status: "error", message: "Missing API key" },
  }),
  "the list of banks breaks": broken("listProviders"),

  "the bank's fields are read": read("getProvider", detail),
  "the bank is not known": refused("getProvider", "provider_doesnt_exist", { http: 404 }),
  "the reading of the fields breaks": broken("getProvider"),

  "the choices are narrowed": read("narrowChoices", narrowed),
  "the narrowing is refused": refused("narrowChoices", "missing_params", { http: 400 }),
  "the narrowing breaks": broken("narrowChoices"),

  "the login is ready": shown(idle),
  "the login is under way": shown(submitting),
  "the login succeeds": replied(
    "login",
    { id: "login-1", provider: form.provider },
    { json: { status: "logged_in" }, key: keys.session },
  ),
  "the login breaks": broken("login", new TypeError("a fault of the login itself")),

  "the destinations are listed": replied("listDestinations", { status: "success", destinations }),
  "the session has ended": refused("listDestinations", "invalid_key", {
    json: { status: "error", message: "Invalid key" },
  }),
  "the bank has ended the session": refused("listDestinations", "provider_session_expired", {
    json: { status: "error", code: "B1006" },
  }),
  "the list of destinations is refused": refused("listDestinations", "unauthorized_provider", {
    http: 403,
    json: { status: "error", message: "Unauthorized provider" },
  }),
  "the list of destinations breaks": broken("listDestinations"),
} satisfies Record<string, LinkCase>;

export type LinkCaseName = keyof typeof linkCases;
export const linkCaseNames = Object.keys(linkCases) as LinkCaseName[];
export const linkCase = (name: LinkCaseName): LinkCase => linkCases[name];
