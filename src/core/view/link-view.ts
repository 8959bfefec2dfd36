import type { SnapshotFrom } from "xstate";
import type { LinkEvent, linkMachine } from "../../../machines/link.ts";
import type { ProviderEntry, TransferDestination } from "../../../machines/provider.types.ts";
import type { StringOrSecret } from "../api/input-checks.ts";
import type { Secret } from "../api/secret.ts";
import { toPrefill } from "../login/credentials.ts";
import { type AccountTypeView, type FieldOptions, labelAccountTypes } from "../login/form-fields.ts";
import { readStep } from "../login/login-state.ts";
import type { LanguageOptions } from "../texts/languages.ts";
import {
  type FailureView,
  failureView,
  type LoginForm,
  type LoginVerb,
  type LoginView,
  loginView,
  type WithVerbs,
} from "./login-view.ts";
import { listCountries, type ProviderSearch, searchProviders } from "./provider-search.ts";

/** A snapshot of a link flow. */
export type LinkSnapshot = SnapshotFrom<typeof linkMachine>;

/** The options of a view. */
export interface LinkViewOptions extends FieldOptions {
  /**
   * The person's user name at the bank, if you know it: the `prefill` of its field, so that the person types only the password. It
   * enters the statechart only with the form. The user name of the last login takes precedence. Default none.
   */
  readonly username?: StringOrSecret | undefined;
}

interface LinkCancellable {
  /** Ends the flow, and aborts its request. */
  cancelLink(): void;
}

interface Bound extends LinkCancellable {
  /** Returns to the list of banks and aborts the request. `undefined` if the settings name the bank. */
  readonly changeProvider: (() => void) | undefined;
}

/** The chosen bank. */
export interface ChosenProvider {
  /** As the provider list gives it. */
  readonly code: string;
  /** The bank's own name. */
  readonly name: string;
  /** As the provider list gives it; empty if the service sends none. */
  readonly country: string;
  /** The address of the logo; not every bank has one. */
  readonly logo: string | undefined;
  /** The kinds of account that the bank operates with; empty if it names none. */
  readonly accountTypes: readonly AccountTypeView[];
  /** What the service says of the bank, such as `under_maintenance`, if not all is well, for the person to read before the form, in your words. */
  readonly state?: string;
}

/** A form whose choices can depend on each other. */
interface Narrowable {
  /** Whether the dependent choices are being read. */
  readonly narrowing: boolean;
  /**
   * Reads which choices remain in the fields that depend on this one: call it when a field with choices changes.
   * An empty value offers every choice again.
   * `undefined` unless `dependentChoices` allows it.
   */
  readonly narrow: ((field: string, value: string) => void) | undefined;
  /** Why the choices could not be narrowed; all choices are offered then. */
  readonly narrowingFailure: FailureView | undefined;
}

type FormState = Extract<LoginView, { form: LoginForm }>;

/** A state of the login within the flow. */
type InnerLogin = (Exclude<LoginView, FormState | { state: "loggedIn" }> | (FormState & Narrowable)) &
  Bound & { readonly bank: ChosenProvider };

/** What to show of a link flow, and what a person can do there: one member per state. A verb that a state has not got is `undefined`. */
export type LinkView = WithVerbs<
  LinkState,
  LoginVerb | "search" | "narrow" | "retry" | "changeProvider" | "cancelLink"
>;

type LinkState =
  | ({ readonly state: "loadingProviders"; readonly busy: true } & LinkCancellable)
  | ({
      readonly state: "choosingProvider";
      readonly busy: false;
      /** The list as the service gives it. */
      readonly providers: readonly ProviderEntry[];
      /** The countries of the list. */
      readonly countries: readonly string[];
      /** The banks that match; the typed words are not stored. */
      search(search: ProviderSearch): readonly ProviderEntry[];
      /** Chooses a bank by its code. */
      choose(provider: string): void;
    } & LinkCancellable)
  | ({
      readonly state: "loadingFields";
      readonly busy: true;
      /** `undefined` if the settings name the bank: its name is not known yet. */
      readonly bank: ChosenProvider | undefined;
      /** Whether a login goes on that a page has left: the person has logged in before. */
      readonly isResuming: boolean;
    } & Bound)
  /**
   * A state of the login within: those of `LoginView` except `loggedIn`, each with `bank`, `changeProvider` and `cancelLink`. Those with
   * a form also have `narrowing`, `narrow` and `narrowingFailure`, for choices that depend on each other.
   */
  | InnerLogin
  | ({ readonly state: "loadingDestinations"; readonly busy: true; readonly bank: ChosenProvider } & LinkCancellable)
  | ({
      /** Reading the list of banks, a bank's fields or the destinations failed. */
      readonly state: "linkFailed";
      readonly busy: false;
      /** `undefined` before a bank is chosen, or before its name is known. */
      readonly bank: ChosenProvider | undefined;
      readonly failure: FailureView;
      /** Repeats what failed. A session that was reached is kept; if it has ended, this leads to the form. */
      retry(): void;
    } & Bound)
  | {
      readonly state: "linked";
      readonly busy: false;
      /** The login's id, as in the relay's log. */
      readonly id: string;
      readonly bank: ChosenProvider;
      readonly provider: string;
      readonly key: Secret;
      readonly destinations: readonly TransferDestination[];
    }
  | { readonly state: "cancelled"; readonly busy: false };

/** What a view's verbs need of a flow: its actor. */
export interface LinkSource {
  getSnapshot(): Pick<LinkSnapshot, "value" | "context" | "children">;
  send(event: LinkEvent): void;
}

/**
 * What to show of a link flow, from the choice of a bank to its destinations, and what the person can do. Pure: the same
 * snapshot gives the same view. The states of the login within are those of `loginView`.
 */
export function linkView(
  snapshot: LinkSnapshot,
  actor: LinkSource,
  { username, locale, texts, savedLogins }: LinkViewOptions = {},
): LinkView {
  const { context, value } = snapshot;
  const language = { locale, texts };
  const step = readLinkStep(snapshot);
  const send = (event: LinkEvent) => {
    if (readLinkStep(actor.getSnapshot()) === step) actor.send(event);
  };
  const isResuming = context.resumed !== undefined;
  const cancelLink = () => send({ type: "link.cancel" });
  const changeProvider = context.providers.length > 0 ? () => send({ type: "provider.change" }) : undefined;

  if (typeof value === "object") {
    const { narrowed, provider = "" } = context;
    const { login } = snapshot.children;
    const detail = narrowed ?? context.detail;
    // In `loggingIn` there is one: the types can't tell.
    if (!login)
      return {
        state: "loadingFields",
        busy: true,
        bank: namedProvider(context, language),
        isResuming,
        changeProvider,
        cancelLink,
      };
    const view = loginView(
      login.getSnapshot(),
      { getSnapshot: () => login.getSnapshot(), send },
      { provider, detail, ...language, savedLogins, username: toPrefill(context.username) ?? username },
    );
    const bank = chosenProvider(context, language);
    if (view.state === "loggedIn") return { state: "loadingDestinations", busy: true, bank, cancelLink };
    const bound = { bank, changeProvider, cancelLink };
    if (!("form" in view)) return { ...view, ...bound };
    const failure = context.failure && failureView(context.failure, language);
    const narrowable: Narrowable = {
      narrowing: value.loggingIn === "narrowing",
      narrow: context.settings.dependentChoices
        ? (field, chosen) => send({ type: "choices.narrow", field, value: chosen })
        : undefined,
      narrowingFailure: failure,
    };
    return { ...view, ...bound, ...narrowable };
  }
  switch (value) {
    // A state that the statechart leaves at once.
    case "starting":
    case "loadingProviders":
      if (isResuming)
        return { state: "loadingFields", busy: true, bank: undefined, isResuming, changeProvider, cancelLink };
      return { state: "loadingProviders", busy: true, cancelLink };
    case "choosingProvider": {
      const { providers } = context;
      return {
        state: "choosingProvider",
        busy: false,
        providers,
        countries: listCountries(providers),
        search: (search) => searchProviders(providers, search),
        choose: (provider) => send({ type: "provider.choose", provider }),
        cancelLink,
      };
    }
    case "loadingFields":
      return {
        state: "loadingFields",
        busy: true,
        bank: namedProvider(context, language),
        isResuming,
        changeProvider,
        cancelLink,
      };
    case "loadingDestinations":
      return { state: "loadingDestinations", busy: true, bank: chosenProvider(context, language), cancelLink };
    case "failed":
      return {
        state: "linkFailed",
        busy: false,
        bank: namedProvider(context, language),
        failure: failureView(context.failure, language),
        retry: () => send({ type: "link.retry" }),
        changeProvider,
        cancelLink,
      };
    case "linked": {
      const { id, provider, key, destinations } = context;
      // Entered with both: see the statechart.
      const bank = chosenProvider(context, language);
      return { state: "linked", busy: false, id, bank, provider: provider as string, key: key as Secret, destinations };
    }
    case "cancelled":
      return { state: "cancelled", busy: false };
  }
}

/** Names the step of a flow: its state and bank, and the step of the login within. */
function readLinkStep({ value, context, children }: ReturnType<LinkSource["getSnapshot"]>): string {
  const state = typeof value === "object" ? "loggingIn" : value;
  return `${state} ${context.provider} ${children.login ? readStep(children.login.getSnapshot()) : ""}`;
}

/** The chosen bank, as soon as more than its code is known. */
function namedProvider(context: LinkSnapshot["context"], language: LanguageOptions): ChosenProvider | undefined {
  const bank = chosenProvider(context, language);
  return bank.name === bank.code ? undefined : bank;
}

/** What a screen says of a bank. */
export function chosenProvider(
  { provider = "", detail, providers }: Pick<LinkSnapshot["context"], "provider" | "detail" | "providers">,
  language: LanguageOptions,
): ChosenProvider {
  const entry = providers.find(({ code }) => code === provider);
  return {
    code: provider,
    name: detail?.name ?? entry?.name ?? provider,
    country: detail?.country || entry?.country || "",
    logo: detail?.logo ?? undefined,
    accountTypes: labelAccountTypes(detail?.account_type ?? [], language),
    ...(typeof detail?.["state"] === "string" && { state: detail["state"] }),
  };
}
