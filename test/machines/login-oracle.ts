import { type FailureCode, type LoginSettings, type LoginState, reveal } from "ventanilla";
import type { LostLogin, PausedLogin } from "../../machines/login.types.ts";
import { type LoginCaseName, loginCase, loginCaseNames } from "./login-cases.ts";
import { fails, findRow, leads, type Oracle, toRows } from "./oracle.ts";

// Written by hand from the contract, section 3, and the design of the login, not from the statechart.

type Condition =
  | "key at hand"
  | "no key at hand"
  | "a question was asked"
  | "no question was asked"
  | "below the limit"
  | "at the limit"
  | "clients can be selected"
  | "clients can't be selected"
  | "replaceable";

/** Which field the bank asks for, by what happens. Asked for again right after an answer to it, it is a repeat. */
const askedField: Partial<Record<LoginCaseName, "otp" | "captcha">> = {
  "the bank asks a question": "otp",
  "the bank asks a question without a key": "otp",
  "the bank asks another question": "captcha",
  "a paused question is taken up": "otp",
  "a question paused after a replacement is taken up": "otp",
  "a lost answer is taken up": "otp",
  "a lost answer to a repeat is taken up": "otp",
};

/** The facts about a login that decide what follows. */
export interface LoginFacts {
  readonly state: LoginState;
  /** Its own, or those of the paused login that it resumed. */
  readonly settings: LoginSettings;
  readonly key: string | undefined;
  /** Questions so far. Kept through a replacement, so that a leftover of them would show. */
  readonly interactions: number;
  /** The field of the last one. */
  readonly field: "otp" | "captcha" | undefined;
  /** How often in a row the bank asked for that field again after an answer. */
  readonly answersSent: number;
  /** Whether the replacement of a session was tried. */
  readonly replaced: boolean;
  /** Whether the credentials are those of a relay: the page that had them is lost. */
  readonly isLost: boolean;
  /** Whether the relay is asked how the submit ended. */
  readonly isAskedLater: boolean;
  readonly failure: FailureCode | undefined;
}

/** Whether the other session can be closed: the settings allow it, its key is known, and it was not tried before. */
export function isReplaceable({ settings, failure, key, replaced, isLost }: LoginFacts): boolean {
  const isOther = failure === "max_sessions_reached" && key !== undefined && !replaced;
  // The same login is sent again, with its credentials.
  return settings.sessionReplacement === true && isOther && !isLost;
}

const isBelowLimit = ({ settings, interactions }: LoginFacts): boolean =>
  interactions < (settings.interactionLimit ?? 10);

const holds: Record<Condition, (facts: LoginFacts) => boolean> = {
  "key at hand": ({ key }) => key !== undefined,
  "no key at hand": ({ key }) => key === undefined,
  "a question was asked": ({ interactions }) => interactions > 0,
  "no question was asked": ({ interactions }) => interactions === 0,
  "below the limit": isBelowLimit,
  "at the limit": (facts) => !isBelowLimit(facts),
  "clients can be selected": ({ settings }) => settings.clientSelection === true,
  "clients can't be selected": ({ settings }) => settings.clientSelection !== true,
  replaceable: isReplaceable,
};

/** What is in no row is ignored. */
export const loginRows = toRows<LoginState, LoginCaseName, Condition>({
  idle: {
    "credentials are submitted": "submitting",
    "a paused question is taken up": "awaitingInteraction",
    "a question paused after a replacement is taken up": "awaitingInteraction",
    "a paused choice is taken up": "selectClient.choosing",
    "a lost login is taken up": "submitting",
    "a lost answer is taken up": "submitting",
    "a lost answer to a repeat is taken up": "submitting",
  },
  submitting: {
    "the bank starts a session": "loggedIn",
    "the bank starts a session without a key": [
      leads("loggedIn", "key at hand"),
      fails("response_against_contract", "no key at hand"),
    ],
    "the bank asks a question": [
      leads("awaitingInteraction", "below the limit"),
      fails("too_many_interactions", "at the limit"),
    ],
    "the bank asks another question": [
      leads("awaitingInteraction", "below the limit"),
      fails("too_many_interactions", "at the limit"),
    ],
    "the bank asks a question without a key": [
      leads("awaitingInteraction", "below the limit", "key at hand"),
      fails("response_against_contract", "below the limit", "no key at hand"),
      fails("too_many_interactions", "at the limit"),
    ],
    "the bank wants a client selected": [
      leads("selectClient.resting", "clients can't be selected"),
      leads("selectClient.listing", "clients can be selected"),
    ],
    "the bank wants a client selected without a key": [
      leads("selectClient.resting", "clients can't be selected"),
      leads("selectClient.listing", "clients can be selected", "key at hand"),
      fails("response_against_contract", "clients can be selected", "no key at hand"),
    ],
    "the bank refuses the credentials": fails("wrong_credentials"),
    "the bank counts too many sessions": fails("max_sessions_reached"),
    "the bank counts too many sessions without a key": fails("max_sessions_reached"),
    "the login breaks": fails("network_failed"),
    "the attempt is not known": fails("request_aborted"),
    // The bank still waits for it.
    "the answer has not arrived": [
      leads("awaitingInteraction", "a question was asked"),
      fails("response_against_contract", "no question was asked"),
    ],
    "the login is cancelled": "idle",
  },
  awaitingInteraction: {
    "the question is answered": "submitting",
    "the login is cancelled": "idle",
    "the time to answer runs out": fails("expired"),
  },
  "selectClient.resting": {
    "the login is cancelled": "idle",
  },
  "selectClient.listing": {
    "the clients are listed": "selectClient.choosing",
    "no clients are listed": fails("no_clients"),
    "the list of clients is refused": fails("invalid_key"),
    "the list of clients breaks": fails("network_failed"),
    "the login is cancelled": "idle",
  },
  "selectClient.choosing": {
    "a client is chosen": "selectClient.selecting",
    // Nothing is sent that the bank has not listed.
    "a client that is not listed is chosen": fails("wrong_client"),
    "the time to choose runs out": fails("expired"),
    "the login is cancelled": "idle",
  },
  "selectClient.selecting": {
    "the client is selected": "loggedIn",
    "the client is selected under a new key": "loggedIn",
    "the client is refused": fails("wrong_client"),
    "the selection breaks": fails("network_failed"),
    "the login is cancelled": "idle",
  },
  failed: {
    "credentials are submitted": "submitting",
    "the other session is replaced": leads("replacingSession", "replaceable"),
    "the login is cancelled": "idle",
  },
  replacingSession: {
    "the other session is closed": "submitting",
    "the closing is refused": fails("logout_failed"),
    "the closing meets too many sessions": fails("max_sessions_reached"),
    "the closing breaks": fails("network_failed"),
    "the login is cancelled": "idle",
  },
});

export function loginOracle(settings: LoginSettings): Oracle<LoginFacts, LoginCaseName> {
  return {
    start: {
      state: "idle",
      settings,
      key: undefined,
      interactions: 0,
      field: undefined,
      answersSent: 0,
      replaced: false,
      isLost: false,
      isAskedLater: false,
      failure: undefined,
    },
    names: loginCaseNames,
    next(facts, name) {
      const row = findRow(loginRows, facts.state, name, (condition) => holds[condition](facts));
      if (!row) return "ignored";
      const state = row.to;
      const { paused } = loginCase(name);
      if (paused) return { state, ...toFacts(paused), field: askedField[name], failure: undefined };
      const isAfresh = state === "idle" || name === "credentials are submitted";
      return {
        state,
        settings: facts.settings,
        key: keyAfter(facts, name, row.to, row.because),
        ...questionsAfter(facts, name, state, row.because),
        replaced: !isAfresh && (facts.replaced || name === "the other session is replaced"),
        isLost: !isAfresh && facts.isLost,
        isAskedLater: false,
        failure: row.because,
      };
    },
  };
}

// A login goes on where it was paused, with nothing of the login that resumes it.
function toFacts({ settings, key, interaction, sessionReplaced, ...paused }: PausedLogin | LostLogin) {
  const { number: interactions = 0, answersSent = 0 } = interaction ?? {};
  const isLost = "attemptId" in paused;
  return {
    settings,
    key: key && reveal(key),
    interactions,
    answersSent,
    replaced: sessionReplaced,
    isLost,
    isAskedLater: isLost,
  };
}

function keyAfter({ key }: LoginFacts, name: LoginCaseName, state: LoginState, because: string | undefined) {
  const replied = loginCase(name).key;
  if (state === "idle") return undefined;
  // A first login has no key: the known one belongs to the login before.
  if (state === "submitting") return name === "the question is answered" ? key : undefined;
  // A failure leaves no key, except that of the other session, which only the response itself can name.
  if (state === "failed") return because === "max_sessions_reached" ? replied : undefined;
  return replied ?? key;
}

function questionsAfter(
  { interactions, field, answersSent }: LoginFacts,
  name: LoginCaseName,
  state: LoginState,
  because: string | undefined,
): Pick<LoginFacts, "interactions" | "field" | "answersSent"> {
  if (state === "awaitingInteraction") {
    if (name === "the answer has not arrived") return { interactions, field, answersSent };
    const next = askedField[name];
    return { interactions: interactions + 1, field: next, answersSent: next === field ? answersSent + 1 : 0 };
  }
  const isKept = state === "replacingSession" || because === "max_sessions_reached";
  if (isKept || name === "the question is answered") return { interactions, field, answersSent };
  return { interactions: 0, field: undefined, answersSent: 0 };
}
