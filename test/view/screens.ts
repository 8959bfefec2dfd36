import {
  createBankClient,
  createLinkMachine,
  createLoginMachine,
  isSecret,
  type LinkSettings,
  type LoginSettings,
  type ProviderDetail,
  reveal,
} from "ventanilla";
import type { LinkEvent } from "ventanilla/machines/link";
import type { LoginEvent, ShownStep } from "ventanilla/machines/login";
import { getNextSnapshot, initialTransition } from "xstate";
import { type LinkCaseName, linkCase } from "../model/link-cases.ts";
import { type LoginCaseName, loginCase } from "../model/login-cases.ts";

// What a screen is drawn from, without anything that runs.

const client = createBankClient({ baseUrl: "http://bank.test", apiKey: "never-sent" });
const loginMachine = createLoginMachine(client);
const linkMachine = createLinkMachine(client);

export type LoginSnapshot = ReturnType<typeof loginMachine.transition>;
export type LinkSnapshot = ReturnType<typeof linkMachine.transition>;

/** A login after all that. */
export const loginAfter = (settings: LoginSettings, ...path: readonly LoginCaseName[]): LoginSnapshot =>
  path.reduce<LoginSnapshot>(
    (snapshot, name) => getNextSnapshot(loginMachine, snapshot, loginCase(name).event as LoginEvent),
    initialTransition(loginMachine, settings)[0],
  );

/** A link after all that. */
export const linkAfter = (settings: LinkSettings, ...path: readonly LinkCaseName[]): LinkSnapshot =>
  path.reduce<LinkSnapshot>(
    (snapshot, name) => linkWith(snapshot, linkCase(name).event),
    initialTransition(linkMachine, settings)[0],
  );

export const linkWith = (snapshot: LinkSnapshot, event: object): LinkSnapshot =>
  getNextSnapshot(linkMachine, snapshot, event as LinkEvent);

/** What the login within tells a link. */
export const showLogin = (snapshot: LoginSnapshot) => ({ type: "xstate.snapshot.login", snapshot });

/** A bank that asks for something of every kind. */
export const detail: ProviderDetail = {
  name: "Banco Ejemplo",
  country: "UY",
  logo: "https://bank.example/logo.png",
  account_type: [],
  auth_fields: [
    {
      name: "username",
      type: "text",
      interactive: false,
      optional: false,
      label_en: "Document",
      label_es: "Documento",
    },
    { name: "password", type: "password", interactive: false, optional: false, label_en: "PIN", label_es: "Clave" },
    {
      name: "type",
      type: "choice",
      interactive: false,
      optional: false,
      label_en: "Account",
      label_es: "Cuenta",
      choices: [
        { name: "pers", label_en: "Personal", label_es: "Personal" },
        { name: "corp", label_en: "Company", label_es: "Empresa" },
      ],
    },
    { name: "company_code", type: "text", interactive: false, optional: true },
    { name: "otp", type: "text", interactive: true, optional: false, label_en: "Code", label_es: "Código" },
  ],
};

/** The names of what can be done. */
export const listVerbs = (view: object): string[] =>
  Object.entries(view)
    .filter(([, member]) => typeof member === "function")
    .map(([name]) => name)
    .sort();

/** A view without what can be done there. */
export function toData(view: unknown): unknown {
  if (typeof view === "function") return "something to do";
  if (typeof view !== "object" || view === null || isSecret(view)) return view;
  if (Array.isArray(view)) return view.map(toData);
  return Object.fromEntries(Object.entries(view).map(([name, member]) => [name, toData(member)]));
}

/** A view as data, without the verbs that are named. */
export const withoutVerbs = (view: object, verbs: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(toData(view) as object).filter(([name]) => !verbs.includes(name)));

/** An event with its secrets opened. */
export function opened(event: unknown): unknown {
  if (isSecret(event)) return { secret: reveal(event) };
  if (typeof event !== "object" || event === null) return event;
  if (Array.isArray(event)) return event.map(opened);
  return Object.fromEntries(Object.entries(event).map(([name, member]) => [name, opened(member)]));
}

/** Nothing that a view is given may change under its hands. */
export function frozen<Snapshot extends LoginSnapshot | LinkSnapshot>(snapshot: Snapshot): Snapshot {
  freezeDeep(snapshot.context);
  return Object.freeze(snapshot);
}

function freezeDeep(value: unknown): void {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return;
  // A statechart is not part of what was said.
  if ("machine" in value) return;
  Object.freeze(value);
  for (const member of Object.values(value)) freezeDeep(member);
}

/** The event that each verb of a view sends. */
export const verbEvents: Readonly<Record<string, string>> = {
  submit: "credentials.submit",
  answer: "interaction.answer",
  choose: "client.choose",
  replaceSession: "session.replace",
  cancel: "login.cancel",
  narrow: "choices.narrow",
  retry: "link.retry",
  changeProvider: "provider.change",
  cancelLink: "link.cancel",
};

/** Does at a view what a person would, with whatever the verb takes. */
export function useVerb(view: object, verb: string): void {
  const values = { username: "ana", password: "word", type: "pers", country_code: "VE" };
  const given: Readonly<Record<string, unknown[]>> = {
    submit: [values],
    answer: ["8888"],
    choose: ["1"],
    narrow: ["type", "pers"],
  };
  (view as Record<string, (...values: unknown[]) => void>)[verb]?.(...(given[verb] ?? []));
}

/** Writes down the events that a view sends, and the steps that they belong to. */
export function outbox<Event extends ShownStep>() {
  const sent: Event[] = [];
  const steps: (number | undefined)[] = [];
  const send = ({ stepNumber, ...event }: Event) => {
    sent.push(event as unknown as Event);
    steps.push(stepNumber);
  };
  return { sent, steps, send };
}
