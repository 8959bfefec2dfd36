import type { FailureCode, LinkSettings } from "ventanilla";
import { type LinkCaseName, linkCaseNames } from "./link-cases.ts";
import { form, keys } from "./login-cases.ts";
import { type Oracle, only, type Row } from "./oracle.ts";

// Written by hand from the contract, section 1 (list, read, log in, use the session), and the design of the
// link; the statechart was not asked. That one choice narrows others goes beyond the contract (its appendix, "Provider
// detail") and is a setting. The login within tells how it stands, unasked, and passes no judgement on the link.

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

/** Where a link stands, as far as what comes next depends on it. */
export interface LinkFacts {
  readonly state: LinkState;
  /** There is a bank to choose. */
  readonly isListed: boolean;
  readonly provider: string | undefined;
  readonly isChoiceMade: boolean;
  /** The form offers what the choice leaves. */
  readonly isNarrowed: boolean;
  /** How the login within stands, as far as it has told. */
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
  "destinations wanted": (_, { destinations }) => destinations !== false,
  "no destinations wanted": (_, { destinations }) => destinations === false,
  "choices depend on each other": (_, { dependentChoices }) => dependentChoices === true,
};

/** Whatever happens and is in no row is ignored. */
export const linkRows: readonly Row<LinkState, LinkCaseName, Condition, FailureCode>[] = [
  { in: "loadingProviders", when: "the banks are listed", to: "choosingProvider" },
  { in: "loadingProviders", when: "no banks are listed", to: "choosingProvider" },
  { in: "loadingProviders", when: "the list of banks is refused", to: "failed", because: "missing_api_key" },
  { in: "loadingProviders", when: "the list of banks breaks", to: "failed", because: "network_failed" },
  { in: "loadingProviders", when: "the link is cancelled", to: "cancelled" },

  { in: "choosingProvider", when: "a bank is chosen", to: "loadingFields" },
  { in: "choosingProvider", when: "the link is cancelled", to: "cancelled" },

  { in: "loadingFields", when: "the bank's fields are read", to: "loggingIn.active" },
  { in: "loadingFields", when: "the bank is not known", to: "failed", because: "provider_doesnt_exist" },
  { in: "loadingFields", when: "the reading of the fields breaks", to: "failed", because: "network_failed" },
  { in: "loadingFields", when: "another bank is wanted", if: ["banks listed"], to: "choosingProvider" },
  { in: "loadingFields", when: "the link is cancelled", to: "cancelled" },

  // Whatever becomes of a narrowing, the form stays: the bank has the last word on it.
  {
    in: "loggingIn.active",
    when: "a choice is made",
    if: ["choices depend on each other"],
    to: "loggingIn.narrowing",
  },
  { in: "loggingIn.narrowing", when: "a choice is made", to: "loggingIn.narrowing" },
  { in: "loggingIn.active", when: "the choice is taken back", to: "loggingIn.active" },
  { in: "loggingIn.narrowing", when: "the choice is taken back", to: "loggingIn.active" },
  { in: "loggingIn.narrowing", when: "the choices are narrowed", to: "loggingIn.active" },
  {
    in: "loggingIn.narrowing",
    when: "the narrowing is refused",
    to: "loggingIn.active",
    because: "missing_params",
  },
  { in: "loggingIn.narrowing", when: "the narrowing breaks", to: "loggingIn.active", because: "network_failed" },

  // A narrowing under way keeps nobody from logging in or from leaving.
  { in: "loggingIn.active", when: "the login is ready", to: "loggingIn.active" },
  { in: "loggingIn.active", when: "the login is under way", to: "loggingIn.active" },
  { in: "loggingIn.active", when: "credentials are submitted", to: "loggingIn.active" },
  { in: "loggingIn.active", when: "the question is answered", to: "loggingIn.active" },
  { in: "loggingIn.active", when: "a client is chosen", to: "loggingIn.active" },
  { in: "loggingIn.active", when: "the other session is replaced", to: "loggingIn.active" },
  { in: "loggingIn.active", when: "the login is cancelled", to: "loggingIn.active" },
  { in: "loggingIn.active", when: "the login succeeds", if: ["destinations wanted"], to: "loadingDestinations" },
  { in: "loggingIn.active", when: "the login succeeds", if: ["no destinations wanted"], to: "linked" },
  { in: "loggingIn.active", when: "the login breaks", to: "failed", because: "unexpected_fault" },
  { in: "loggingIn.active", when: "another bank is wanted", if: ["banks listed"], to: "choosingProvider" },
  { in: "loggingIn.active", when: "the link is cancelled", to: "cancelled" },

  { in: "loggingIn.narrowing", when: "the login is ready", to: "loggingIn.narrowing" },
  { in: "loggingIn.narrowing", when: "the login is under way", to: "loggingIn.narrowing" },
  { in: "loggingIn.narrowing", when: "credentials are submitted", to: "loggingIn.narrowing" },
  { in: "loggingIn.narrowing", when: "the question is answered", to: "loggingIn.narrowing" },
  { in: "loggingIn.narrowing", when: "a client is chosen", to: "loggingIn.narrowing" },
  { in: "loggingIn.narrowing", when: "the other session is replaced", to: "loggingIn.narrowing" },
  { in: "loggingIn.narrowing", when: "the login is cancelled", to: "loggingIn.narrowing" },
  { in: "loggingIn.narrowing", when: "the login succeeds", if: ["destinations wanted"], to: "loadingDestinations" },
  { in: "loggingIn.narrowing", when: "the login succeeds", if: ["no destinations wanted"], to: "linked" },
  { in: "loggingIn.narrowing", when: "the login breaks", to: "failed", because: "unexpected_fault" },
  { in: "loggingIn.narrowing", when: "another bank is wanted", if: ["banks listed"], to: "choosingProvider" },
  { in: "loggingIn.narrowing", when: "the link is cancelled", to: "cancelled" },

  // Errors for an ended session are not shown in the contract (section 7): its appendix has them. No other login is sent
  // than the person's own, and the reason stands there until the person goes on.
  { in: "loadingDestinations", when: "the session has ended", to: "loggingIn.stale", because: "invalid_key" },
  {
    in: "loadingDestinations",
    when: "the bank has ended the session",
    to: "loggingIn.stale",
    because: "provider_session_expired",
  },
  { in: "loggingIn.stale", when: "the login is ready", to: "loggingIn.stale" },
  { in: "loggingIn.stale", when: "the login is under way", to: "loggingIn.stale" },
  { in: "loggingIn.stale", when: "credentials are submitted", to: "loggingIn.active" },
  { in: "loggingIn.stale", when: "the login is cancelled", to: "loggingIn.active" },
  { in: "loggingIn.stale", when: "the question is answered", to: "loggingIn.stale" },
  { in: "loggingIn.stale", when: "a client is chosen", to: "loggingIn.stale" },
  { in: "loggingIn.stale", when: "the other session is replaced", to: "loggingIn.stale" },
  {
    in: "loggingIn.stale",
    when: "a choice is made",
    if: ["choices depend on each other"],
    to: "loggingIn.narrowing",
  },
  { in: "loggingIn.stale", when: "the choice is taken back", to: "loggingIn.active" },
  { in: "loggingIn.stale", when: "the login succeeds", to: "loadingDestinations" },
  { in: "loggingIn.stale", when: "the login breaks", to: "failed", because: "unexpected_fault" },
  { in: "loggingIn.stale", when: "another bank is wanted", if: ["banks listed"], to: "choosingProvider" },
  { in: "loggingIn.stale", when: "the link is cancelled", to: "cancelled" },

  { in: "loadingDestinations", when: "the destinations are listed", to: "linked" },
  {
    in: "loadingDestinations",
    when: "the list of destinations is refused",
    to: "failed",
    because: "unauthorized_provider",
  },
  { in: "loadingDestinations", when: "the list of destinations breaks", to: "failed", because: "network_failed" },
  { in: "loadingDestinations", when: "the link is cancelled", to: "cancelled" },

  { in: "failed", when: "what failed is tried again", if: ["session reached"], to: "loadingDestinations" },
  { in: "failed", when: "what failed is tried again", if: ["no session, bank chosen"], to: "loadingFields" },
  { in: "failed", when: "what failed is tried again", if: ["no bank chosen"], to: "loadingProviders" },
  { in: "failed", when: "another bank is wanted", if: ["banks listed"], to: "choosingProvider" },
  { in: "failed", when: "the link is cancelled", to: "cancelled" },
];

const isLoggingIn = (state: LinkState): boolean => state.startsWith("loggingIn.");

/** What the login within tells, and what of the form is known, ends with the login. */
const nothing = { isChoiceMade: false, isNarrowed: false, login: undefined } as const;

function formAfter(name: LinkCaseName, facts: LinkFacts): Pick<LinkFacts, "isChoiceMade" | "isNarrowed" | "login"> {
  const { isChoiceMade, isNarrowed, login } = facts;
  switch (name) {
    case "a choice is made":
      // Until the bank has told what is left, everything is offered.
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

// What a narrowing met is told until the next one, or until the login is over; that a session has ended, until the person goes on.
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
    const rows = linkRows.filter((row) => row.in === facts.state && row.when === name);
    const row = only(
      rows.filter((candidate) => (candidate.if ?? []).every((condition) => holds[condition](facts, settings))),
    );
    if (!row) return "ignored";
    const isAfresh = row.to === "choosingProvider" || row.to === "cancelled";
    const provider = name === "a bank is chosen" ? "test" : facts.provider;
    // A session that is gone can't be gone on with.
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
      // Once the bank is linked nothing needs it.
      username: isAfresh || row.to === "linked" ? undefined : username,
      failure: row.because ?? (isOn && isStillShown(name, facts.state, row.to) ? facts.failure : undefined),
    };
  },
});
