import type { LoginCaseName } from "./login-cases.ts";
import type { SeenLogin } from "./login-steps.ts";
import type { Position } from "./position.ts";
import { fails, findRow, leads, toRows } from "./table.ts";

// Section 3 of the contract and the design of the login as a table, written by hand and not from the statechart.

type Condition =
  | "key at hand"
  | "no key at hand"
  | "below the limit"
  | "at the limit"
  | "clients can be selected"
  | "clients can't be selected"
  | "replaceable";

/** Whether the other session can be closed: the settings allow it, its key is known, and the same login can be sent once more. */
export const isReplaceable = ({ settings, failure, key, isReplaced, hasCredentials }: SeenLogin): boolean =>
  settings.sessionReplacement === true &&
  failure === "outcome max_sessions_reached" &&
  key !== undefined &&
  !isReplaced &&
  hasCredentials;

/** Whether the bank asks for what was just confirmed: it has no approval yet. */
export const isTooEarly = ({ answerKind, question }: SeenLogin, name: LoginCaseName): boolean =>
  (answerKind === "confirmation" || answerKind === "approval") &&
  question?.field === (name === "the bank asks another question" ? "captcha" : "otp");

/** Whether it was the person who has confirmed too early. What the login answers by itself counts in the limit. */
export const isPersonTooEarly = (seen: SeenLogin, name: LoginCaseName): boolean =>
  isTooEarly(seen, name) && seen.answerKind === "confirmation";

/** The questions so far that the limit counts. */
const countQuestions = (seen: SeenLogin, name: LoginCaseName): number => {
  const { number = 0, confirmationsSent = 0 } = seen.question ?? {};
  return number - confirmationsSent - (isPersonTooEarly(seen, name) ? 1 : 0);
};

/** Whether the bank asks once more for what was answered five times in a row, in words or by a code. */
const isOverRepeated = ({ answerKind, question }: SeenLogin, name: LoginCaseName): boolean =>
  answerKind === "text" &&
  question?.field === (name === "the bank asks another question" ? "captcha" : "otp") &&
  question.answersSent + 1 >= 5;

const isBelowLimit = (seen: SeenLogin, name: LoginCaseName): boolean =>
  !isOverRepeated(seen, name) && countQuestions(seen, name) < (seen.settings.interactionLimit ?? 10);

const holds: Record<Condition, (seen: SeenLogin, name: LoginCaseName) => boolean> = {
  "key at hand": ({ key }) => key !== undefined,
  "no key at hand": ({ key }) => key === undefined,
  "below the limit": isBelowLimit,
  "at the limit": (seen, name) => !isBelowLimit(seen, name),
  "clients can be selected": ({ settings }) => settings.clientSelection === true,
  "clients can't be selected": ({ settings }) => settings.clientSelection !== true,
  replaceable: isReplaceable,
};

export const loginRows = toRows<Position, LoginCaseName, Condition>({
  idle: {
    "credentials are submitted": "submitting",
    // What is no secret is not kept (rule 1 of docs/security.md).
    "plain credentials are submitted": fails("invalid_input"),
    "a plain question is taken up": fails("invalid_input"),
    "a paused question is taken up": "awaitingInteraction",
    "a question paused after a replacement is taken up": "awaitingInteraction",
    "a paused choice is taken up": "selectClient.choosing",
    "a kept login is taken up": "submitting",
  },
  submitting: {
    "the fields are right": "submitting",
    "the bank is not known": fails("provider_doesnt_exist"),
    "the check of the fields breaks": "submitting",
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
    "the submit is not known": fails("network_failed"),
    // The bank still waits for it.
    "the answer has not arrived": "awaitingInteraction",
    "the login is cancelled": "idle",
  },
  awaitingInteraction: {
    "the question is answered": "submitting",
    "the question is answered in plain text": fails("invalid_input"),
    "the question is confirmed": "submitting",
    // As if the person had said so.
    "the bank's app approves": "submitting",
    "the bank's app denies": fails("approval_denied"),
    "the approval expires": fails("expired"),
    // The person can still say so.
    "the wait for the bank's app breaks": "awaitingInteraction",
    "the login is cancelled": "idle",
    "the time to answer runs out": fails("expired"),
  },
  "selectClient.resting": {
    "credentials are submitted": "submitting",
    "plain credentials are submitted": fails("invalid_input"),
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
    "the choice has not arrived": "selectClient.choosing",
    "the login is cancelled": "idle",
  },
  failed: {
    "credentials are submitted": "submitting",
    "plain credentials are submitted": fails("invalid_input"),
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

/** What follows by the table. */
export const findLoginRow = (seen: SeenLogin, name: LoginCaseName) =>
  findRow(loginRows, seen.state, name, (condition) => holds[condition](seen, name));
