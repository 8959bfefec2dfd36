import type { LoginState } from "ventanilla";
import type { LoginCaseName } from "./login-cases.ts";
import { fails, leads, toRows } from "./oracle.ts";

// Written by hand from the contract, section 3, and the design of the login; the statechart was not asked.

/** What a step can depend on. */
export type LoginCondition =
  | "key at hand"
  | "no key at hand"
  | "below the limit"
  | "at the limit"
  | "clients can be selected"
  | "clients can't be selected"
  | "replaceable";

/** Which field the bank asks for, by what happens. Asked for again right after an answer to it, it is a repeat. */
export const askedField: Partial<Record<LoginCaseName, "otp" | "captcha">> = {
  "the bank asks a question": "otp",
  "the bank asks a question without a key": "otp",
  "the bank asks another question": "captcha",
  "a paused question is taken up": "otp",
  "a question paused after a replacement is taken up": "otp",
};

/** Whatever happens and is in no row is ignored. */
export const loginRows = toRows<LoginState, LoginCaseName, LoginCondition>({
  idle: {
    "credentials are submitted": "submitting",
    "a paused question is taken up": "awaitingInteraction",
    "a question paused after a replacement is taken up": "awaitingInteraction",
    "a paused choice is taken up": "selectClient.choosing",
  },
  submitting: {
    "the login is cancelled": "idle",
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
