import type { FailureCode, LinkSettings } from "ventanilla";
import { type LinkCaseName, linkCaseNames } from "./link-cases.ts";
import { form, keys } from "./login-cases.ts";
import { fails, findRow, leads, type Oracle, toRows } from "./oracle.ts";

// Written by hand from the contract, section 1 (list, read, log in, use the session), and the design of the link, not from
// the statechart. That one choice narrows others goes beyond the contract (its appendix, "Provider detail") and is a setting.
// The login within reports each of its states; that alone never moves the link.

export type LinkState =
  | "loadingProviders"
  | "choosingProvider"
  | "loadingFields"
  | "loggingIn.active"
  | "loggingIn.stale"
  | "loggingIn.narrowing"
  | "loadingDestinations"
  | "failed"
  | "linked"
  | "cancelled";

/** The facts about a link that decide what follows. */
export interface LinkFacts {
  readonly state: LinkState;
  /** There is a bank to choose. */
  readonly isListed: boolean;
  readonly provider: string | undefined;
  readonly isChoiceMade: boolean;
  /** The form offers what the choice leaves. */
  readonly isNarrowed: boolean;
  /** The state of the login within, as far as it has reported it. */
  readonly login: "idle" | "submitting" | undefined;
  readonly key: string | undefined;
  /** Of the last login that was sent to the bank. */
  readonly username: string | undefined;
  readonly failure: FailureCode | undefined;
}

type Condition =
  | "session reached"
  | "no session, bank chosen"
  | "no bank chosen"
  | "banks listed"
  | "choices depend on each other"
  | "destinations wanted"
  | "no destinations wanted";

const holds: Record<Condition, (facts: LinkFacts, settings: LinkSettings) => boolean> = {
  "session reached": ({ key }) => key !== undefined,
  "no session, bank chosen": ({ key, provider }) => key === undefined && provider !== undefined,
  "no bank chosen": ({ key, provider }) => key === undefined && provider === undefined,
  "banks listed": ({ isListed }) => isListed,
  "destinations wanted": (_, { destinations }) => destinations === true,
  "no destinations wanted": (_, { destinations }) => destinations !== true,
  "choices depend on each other": (_, { dependentChoices }) => dependentChoices === true,
};

// During a narrowing a person can still log in or leave.
const whileLoggingIn = <const State extends LinkState>(state: State) =>
  ({
    "the login is ready": state,
    "the login is under way": state,
    "credentials are submitted": state,
    "the question is answered": state,
    "a client is chosen": state,
    "the other session is replaced": state,
    "the login is cancelled": state,
    "the login succeeds": [
      leads("loadingDestinations", "destinations wanted"),
      leads("linked", "no destinations wanted"),
    ],
    "the login breaks": fails("unexpected_fault"),
    "another bank is wanted": leads("choosingProvider", "banks listed"),
    "the link is cancelled": "cancelled",
  }) as const;

/** What is in no row is ignored. */
export const linkRows = toRows<LinkState, LinkCaseName, Condition>({
  loadingProviders: {
    "the banks are listed": "choosingProvider",
    "no banks are listed": "choosingProvider",
    "the list of banks is refused": fails("api_key_refused"),
    "the list of banks breaks": fails("network_failed"),
    "the link is cancelled": "cancelled",
  },
  choosingProvider: {
    "a bank is chosen": "loadingFields",
    "the link is cancelled": "cancelled",
  },
  loadingFields: {
    "the bank's fields are read": "loggingIn.active",
    "the bank is not known": fails("provider_doesnt_exist"),
    "the reading of the fields breaks": fails("network_failed"),
    "another bank is wanted": leads("choosingProvider", "banks listed"),
    "the link is cancelled": "cancelled",
  },
  "loggingIn.active": {
    ...whileLoggingIn("loggingIn.active"),
    // However a narrowing ends, the form stays: the bank checks the form itself.
    "a choice is made": leads("loggingIn.narrowing", "choices depend on each other"),
    "the choice is taken back": "loggingIn.active",
  },
  "loggingIn.narrowing": {
    ...whileLoggingIn("loggingIn.narrowing"),
    "a choice is made": "loggingIn.narrowing",
    "the choice is taken back": "loggingIn.active",
    "the choices are narrowed": "loggingIn.active",
    "the narrowing is refused": { to: "loggingIn.active", because: "missing_params" },
    "the narrowing breaks": { to: "loggingIn.active", because: "network_failed" },
  },
  loadingDestinations: {
    // Errors for an ended session are not shown in the contract (section 7): its appendix has them. No other login is sent
    // than the person's own, and the reason stands there until the person goes on.
    "the session has ended": { to: "loggingIn.stale", because: "invalid_key" },
    "the bank has ended the session": { to: "loggingIn.stale", because: "provider_session_expired" },
    "the destinations are listed": "linked",
    "the list of destinations is refused": fails("unauthorized_provider"),
    "the list of destinations breaks": fails("network_failed"),
    "the link is cancelled": "cancelled",
  },
  "loggingIn.stale": {
    ...whileLoggingIn("loggingIn.stale"),
    "credentials are submitted": "loggingIn.active",
    "the login is cancelled": "loggingIn.active",
    "a choice is made": leads("loggingIn.narrowing", "choices depend on each other"),
    "the choice is taken back": "loggingIn.active",
    "the login succeeds": "loadingDestinations",
  },
  failed: {
    "what failed is tried again": [
      leads("loadingDestinations", "session reached"),
      leads("loadingFields", "no session, bank chosen"),
      leads("loadingProviders", "no bank chosen"),
    ],
    "another bank is wanted": leads("choosingProvider", "banks listed"),
    "the link is cancelled": "cancelled",
  },
});

const isLoggingIn = (state: LinkState): boolean => state.startsWith("loggingIn.");

/** The state of the login within and the choices of its form, before and after the login. */
const nothing = { isChoiceMade: false, isNarrowed: false, login: undefined } as const;

function formAfter(name: LinkCaseName, facts: LinkFacts): Pick<LinkFacts, "isChoiceMade" | "isNarrowed" | "login"> {
  const { isChoiceMade, isNarrowed, login } = facts;
  switch (name) {
    case "a choice is made":
      // Until the bank responds, every choice is offered.
      return { isChoiceMade: true, isNarrowed: false, login };
    case "the choice is taken back":
      return { isChoiceMade: false, isNarrowed: false, login };
    case "the choices are narrowed":
      return { isChoiceMade, isNarrowed: true, login };
    case "the login is ready":
      return { isChoiceMade, isNarrowed, login: "idle" };
    case "the login is under way":
      return { isChoiceMade, isNarrowed, login: "submitting" };
    default:
      return { isChoiceMade, isNarrowed, login };
  }
}

// The failure of a narrowing is shown until the next one or the end of the login; that of an ended session, until the person goes on.
const isStillShown = (name: LinkCaseName, from: LinkState, to: LinkState): boolean =>
  from === "loggingIn.stale" ? to === from : name !== "a choice is made" && name !== "the choice is taken back";

export const linkOracle = (settings: LinkSettings): Oracle<LinkFacts, LinkCaseName> => ({
  start: {
    // A bank that the settings name needs no list.
    state: settings.provider === undefined ? "loadingProviders" : "loadingFields",
    isListed: false,
    provider: settings.provider,
    ...nothing,
    key: undefined,
    username: undefined,
    failure: undefined,
  },
  names: linkCaseNames,
  next(facts, name) {
    const row = findRow(linkRows, facts.state, name, (condition) => holds[condition](facts, settings));
    if (!row) return "ignored";
    const isAfresh = row.to === "choosingProvider" || row.to === "cancelled";
    const provider = name === "a bank is chosen" ? "test" : facts.provider;
    // The key of an ended session is of no use.
    const kept = row.to === "loggingIn.stale" ? undefined : facts.key;
    const key = name === "the login succeeds" ? keys.session : kept;
    const username = name === "the login is under way" ? form.username : facts.username;
    const isOn = isLoggingIn(facts.state) && isLoggingIn(row.to);
    return {
      state: row.to,
      isListed: facts.isListed || name === "the banks are listed",
      provider: isAfresh ? undefined : provider,
      ...(isOn ? formAfter(name, facts) : nothing),
      key: isAfresh ? undefined : key,
      // Not needed once the bank is linked.
      username: isAfresh || row.to === "linked" ? undefined : username,
      failure: row.because ?? (isOn && isStillShown(name, facts.state, row.to) ? facts.failure : undefined),
    };
  },
});
