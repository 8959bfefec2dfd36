import {
  type AuthField,
  createBankClient,
  createLinkMachine,
  createLoginMachine,
  type Interaction,
  type LinkSettings,
  type Locale,
  type LoginSettings,
  loginView,
  type ProviderDetail,
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

/** A field as a bank lists it. */
export const field = (members: Partial<AuthField> & { name: string }): AuthField => ({
  type: "text",
  interactive: false,
  optional: false,
  ...members,
});

export const bankWith = (...auth_fields: AuthField[]): ProviderDetail => ({
  name: "Banco Ejemplo",
  country: "UY",
  logo: "https://bank.example/logo.png",
  account_type: [],
  auth_fields,
});

/** A bank that asks for something of every kind. */
export const detail = bankWith(
  field({ name: "username", label_en: "Document", label_es: "Documento" }),
  field({ name: "password", type: "password", label_en: "PIN", label_es: "Clave" }),
  field({
    name: "type",
    type: "choice",
    label_en: "Account",
    label_es: "Cuenta",
    choices: [
      { name: "pers", label_en: "Personal", label_es: "Personal" },
      { name: "corp", label_en: "Company", label_es: "Empresa" },
    ],
  }),
  field({ name: "company_code", optional: true }),
  field({ name: "otp", interactive: true, label_en: "Code", label_es: "Código" }),
);

/** The view, which has to be at a step. */
export function on<View extends { readonly step: string }, Step extends View["step"]>(view: View, step: Step) {
  if (view.step !== step) throw new Error(`It is ${view.step}, not ${step}.`);
  return view as Extract<View, { step: Step }>;
}

/** The form of a bank's first login. */
export const showForm = (
  bank?: ProviderDetail,
  locale: Locale = "en",
  username?: Parameters<typeof loginView>[2]["username"],
) =>
  on(
    loginView(loginAfter({}), () => {}, { provider: "test", detail: bank, locale, username }),
    "enteringCredentials",
  ).form;

/** An open question, as it is shown. */
export function showQuestion(interaction: Partial<Interaction>, bank?: ProviderDetail, locale: Locale = "en") {
  const { machine, context } = loginAfter({});
  const value = { ...context, interaction: { field: "otp", context: "?", number: 1, ...interaction } as Interaction };
  const snapshot = machine.resolveState({ value: "awaitingInteraction", context: value });
  return on(
    loginView(snapshot, () => {}, { provider: "test", detail: bank, locale }),
    "answering",
  ).question;
}

const isVerb = ([, member]: [string, unknown]) => typeof member === "function";

/** The names of what can be done. */
export const listVerbs = (view: object): string[] =>
  Object.entries(view)
    .filter(isVerb)
    .map(([name]) => name)
    .sort();

/** What is shown, without what can be done. */
export const withoutVerbs = (view: object): object =>
  Object.fromEntries(Object.entries(view).filter((member) => !isVerb(member)));

/** Nothing that a view is given may change under its hands. */
export function frozen<Snapshot extends LoginSnapshot | LinkSnapshot>(snapshot: Snapshot): Snapshot {
  freezeDeep(snapshot.context);
  return Object.freeze(snapshot);
}

function freezeDeep(value: unknown): void {
  // A statechart is not part of what was said.
  if (typeof value !== "object" || value === null || Object.isFrozen(value) || "machine" in value) return;
  Object.freeze(value);
  for (const member of Object.values(value)) freezeDeep(member);
}

/** The event that each verb of a view sends, as `useVerb` uses it. */
export const verbEvents: Readonly<Record<string, object>> = {
  submit: { type: "credentials.submit" },
  answer: { type: "interaction.answer" },
  choose: { type: "client.choose", client: "1" },
  replaceSession: { type: "session.replace" },
  cancel: { type: "login.cancel" },
  narrow: { type: "choices.narrow", field: "type", value: "pers" },
  retry: { type: "link.retry" },
  changeProvider: { type: "provider.change" },
  cancelLink: { type: "link.cancel" },
};

/** Does at a view what a person would, with whatever the verb takes. */
export function useVerb(view: object, verb: string): void {
  const values = { username: "ana", password: "word", type: "pers", country_code: "VE" };
  const given = { submit: [values], answer: ["8888"], choose: ["1"], narrow: ["type", "pers"] }[verb] ?? [];
  (view as Record<string, (...values: unknown[]) => void>)[verb]?.(...given);
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
