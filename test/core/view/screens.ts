import {
  createBankClient,
  createLinkMachine,
  createLoginMachine,
  type InteractionPrompt,
  type LinkSettings,
  type LinkView,
  type Locale,
  type LoginForm,
  type LoginSettings,
  type LoginView,
  loginView,
  type ProviderDetail,
} from "ventanilla";
import type { LinkEvent } from "ventanilla/machines/link";
import type { LoginEvent } from "ventanilla/machines/login";
import { expect, onTestFinished, test, vi } from "vitest";
import { getNextSnapshot, initialTransition } from "xstate";
import { bankWith, field } from "../../bank/service.ts";
import { toEvent } from "../../machines/cases.ts";
import { type LinkCaseName, linkCase } from "../../machines/link-cases.ts";
import { type LoginCaseName, loginCase } from "../../machines/login-cases.ts";

// Snapshots for views. No actor runs.

export const client = createBankClient({ baseUrl: "http://bank.test", apiKey: "never-sent" });
export const loginMachine = createLoginMachine(client);
const linkMachine = createLinkMachine(client);

export type LoginSnapshot = ReturnType<typeof loginMachine.transition>;
export type LinkSnapshot = ReturnType<typeof linkMachine.transition>;

/** A login after these cases. */
export const loginAfter = (settings: LoginSettings, ...path: readonly LoginCaseName[]): LoginSnapshot =>
  path.reduce<LoginSnapshot>(
    (snapshot, name) =>
      getNextSnapshot(loginMachine, snapshot, toEvent(loginCase(name), snapshot.children) as LoginEvent),
    initialTransition(loginMachine, { validate: false, ...settings })[0],
  );

/** A link after these cases. */
export const linkAfter = (settings: LinkSettings, ...path: readonly LinkCaseName[]): LinkSnapshot =>
  path.reduce<LinkSnapshot>(
    (snapshot, name) => linkWith(snapshot, linkCase(name).event),
    initialTransition(linkMachine, settings)[0],
  );

/** A link after one more event. Its login does not run: it is where it has told that it is. */
export function linkWith(snapshot: LinkSnapshot, event: object): LinkSnapshot {
  const next = getNextSnapshot(linkMachine, snapshot, event as LinkEvent);
  const { login } = next.children;
  if (login && "snapshot" in event) Object.assign(login, { getSnapshot: () => event.snapshot });
  return next;
}

/** The event by which a link gets the snapshot of its login. */
export const showLogin = (snapshot: LoginSnapshot) => ({ type: "xstate.snapshot.login", snapshot });

/** For a view whose verbs are not used. */
export const unused = { getSnapshot: () => loginAfter({}), send: () => {} };

/** A bank with a field of every kind. */
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

/** Narrows a view to a step, at which it has to be. */
export function on<View extends { readonly state: string }, State extends View["state"]>(view: View, state: State) {
  if (view.state !== state) throw new Error(`The view is at ${view.state}, not at ${state}.`);
  return view as Extract<View, { state: State }>;
}

/** The form of a bank's first login. */
export const showForm = (
  bank?: ProviderDetail,
  locale: Locale = "en",
  more: Pick<Parameters<typeof loginView>[2], "username" | "savedLogins"> = {},
) => on(loginView(loginAfter({}), unused, { provider: "test", detail: bank, locale, ...more }), "idle").form;

/** The view of an open question. */
export function showQuestion(
  interaction: Partial<InteractionPrompt>,
  bank?: ProviderDetail,
  locale: Locale = "en",
  settings: LoginSettings = {},
) {
  const { machine, context } = loginAfter(settings);
  const value = {
    ...context,
    provider: "test",
    interaction: { field: "otp", context: "?", number: 1, ...interaction } as InteractionPrompt,
  };
  const snapshot = machine.resolveState({ value: "awaitingInteraction", context: value });
  return on(loginView(snapshot, unused, { provider: "test", detail: bank, locale }), "awaitingInteraction").question;
}

/** Freezes a snapshot: a view must not change it. */
export function frozen<Snapshot extends LoginSnapshot | LinkSnapshot>(snapshot: Snapshot): Snapshot {
  freezeDeep(snapshot.context);
  return Object.freeze(snapshot);
}

function freezeDeep(value: unknown): void {
  // The statechart itself is not frozen.
  if (typeof value !== "object" || value === null || Object.isFrozen(value) || "machine" in value) return;
  Object.freeze(value);
  for (const member of Object.values(value)) freezeDeep(member);
}

/** The event of each verb, and the arguments that the tests call it with. */
const verbs: Readonly<Record<string, readonly [event: object, ...values: unknown[]]>> = {
  submit: [{ type: "credentials.submit" }],
  answer: [{ type: "interaction.answer" }, "8888"],
  choose: [{ type: "client.choose", client: "1" }, "1"],
  replaceSession: [{ type: "session.replace" }],
  cancel: [{ type: "login.cancel" }],
  narrow: [{ type: "choices.narrow", field: "type", value: "pers" }, "type", "pers"],
  retry: [{ type: "link.retry" }],
  changeProvider: [{ type: "provider.change" }],
  cancelLink: [{ type: "link.cancel" }],
};

const fillIn = ({ fields }: LoginForm) =>
  Object.fromEntries(fields.map(({ name, choices }) => [name, choices[0]?.value ?? "word"]));

/** What a view shows at a step, and which verbs there are. */
interface Screen {
  readonly when: string;
  readonly state: string;
  readonly isBusy: boolean;
  readonly shows: object;
  readonly verbs: readonly string[];
}

interface Drawing {
  readonly view: LoginView | LinkView;
  /** Creates the view once more. */
  readonly look: () => object;
  readonly sent: readonly object[];
  /** Leads the flow to another step. */
  readonly goOn: () => void;
}

/** Tests the views of these screens, and each of their verbs. */
export function testScreens<Row extends Screen>(screens: readonly Row[], draw: (screen: Row) => Drawing): void {
  test.each(screens)("when $when, the view is at $state, with all it has", (screen) => {
    const { view, look, sent } = draw(screen);
    const isVerb = ([, member]: [string, unknown]) => typeof member === "function";
    const entries = Object.entries(view);
    const found = entries.filter(isVerb).map(([name]) => name);
    expect(found.sort()).toEqual(screen.verbs);
    const members = entries.filter((entry) => !isVerb(entry));
    expect(Object.fromEntries(members)).toEqual({ state: screen.state, busy: screen.isBusy, ...screen.shows });
    // Pure: the same each time, and it sends nothing by itself.
    expect(JSON.stringify(look())).toBe(JSON.stringify(view));
    expect(sent).toEqual([]);
  });

  const pairs = screens.flatMap((screen) =>
    screen.verbs
      .filter((verb) => !["search", "readPaste"].includes(verb))
      .map((verb) => ({ screen, verb, when: screen.when })),
  );

  test.each(pairs)("$verb when $when sends one event, for that step alone", ({ verb, screen }) => {
    const { view, sent, goOn } = draw(screen);
    const [event, ...given] = verbs[verb] ?? [];
    const values = "form" in view && verb === "submit" ? [fillIn(view.form)] : given;
    const use = () => (view as unknown as Record<string, (...values: unknown[]) => void>)[verb]?.(...values);
    use();
    const isBank = view.state === "choosingProvider" && verb === "choose";
    expect(sent).toMatchObject([isBank ? { type: "provider.choose", provider: "1" } : event]);
    goOn();
    use();
    expect(sent).toHaveLength(1);
  });

  // What goes to the bank, and must arrive once.
  const submits = pairs.filter(
    ({ verb, screen }) =>
      ["submit", "answer", "replaceSession"].includes(verb) || (verb === "choose" && screen.state === "selectClient"),
  );

  test.each(submits)("offline, $verb when $when sends nothing and says so", ({ verb, screen }) => {
    const { view, sent } = draw(screen);
    const [, ...given] = verbs[verb] ?? [];
    const values = "form" in view && verb === "submit" ? [fillIn(view.form)] : given;
    const use = () =>
      (view as unknown as Record<string, (...values: unknown[]) => object | undefined>)[verb]?.(...values);
    onTestFinished(() => void vi.unstubAllGlobals());
    vi.stubGlobal("navigator", { onLine: false });
    expect(use()).toEqual({ "": "You are offline, so nothing was sent. Continue when the connection is back." });
    expect(sent).toEqual([]);
    // React Native has no `onLine`: what is not known stops nothing.
    vi.stubGlobal("navigator", {});
    expect(use()).toBeUndefined();
    expect(sent).toHaveLength(1);
  });
}

/** Stands in for an actor: it records the events that a view sends, and is at another step as soon as the test says so. */
export function outbox<Snapshot extends LoginSnapshot | LinkSnapshot, Event>(shown: Snapshot) {
  const sent: Event[] = [];
  let snapshot = shown;
  const actor = { getSnapshot: () => snapshot, send: (event: Event) => void sent.push(event) };
  // Another bank for a link, another attempt for a login.
  const later = { ...shown.context, provider: "another", attempts: Number.POSITIVE_INFINITY };
  const goOn = () => {
    snapshot = { ...shown, context: later };
  };
  return { sent, actor, goOn };
}
