import type { FailureCode, LoginState } from "ventanilla";
import type { LoginCaseName } from "./login-cases.ts";
import type { Row } from "./oracle.ts";

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
export const loginRows: readonly Row<LoginState, LoginCaseName, LoginCondition, FailureCode>[] = [
  { in: "idle", when: "credentials are submitted", to: "submitting" },
  { in: "idle", when: "a paused question is taken up", to: "awaitingInteraction" },
  { in: "idle", when: "a question paused after a replacement is taken up", to: "awaitingInteraction" },
  { in: "idle", when: "a paused choice is taken up", to: "selectClient.choosing" },

  { in: "submitting", when: "the login is cancelled", to: "idle" },
  { in: "submitting", when: "the bank starts a session", to: "loggedIn" },
  { in: "submitting", when: "the bank starts a session without a key", if: ["key at hand"], to: "loggedIn" },
  {
    in: "submitting",
    when: "the bank starts a session without a key",
    if: ["no key at hand"],
    to: "failed",
    because: "response_against_contract",
  },
  { in: "submitting", when: "the bank asks a question", if: ["below the limit"], to: "awaitingInteraction" },
  {
    in: "submitting",
    when: "the bank asks a question",
    if: ["at the limit"],
    to: "failed",
    because: "too_many_interactions",
  },
  { in: "submitting", when: "the bank asks another question", if: ["below the limit"], to: "awaitingInteraction" },
  {
    in: "submitting",
    when: "the bank asks another question",
    if: ["at the limit"],
    to: "failed",
    because: "too_many_interactions",
  },
  {
    in: "submitting",
    when: "the bank asks a question without a key",
    if: ["below the limit", "key at hand"],
    to: "awaitingInteraction",
  },
  {
    in: "submitting",
    when: "the bank asks a question without a key",
    if: ["below the limit", "no key at hand"],
    to: "failed",
    because: "response_against_contract",
  },
  {
    in: "submitting",
    when: "the bank asks a question without a key",
    if: ["at the limit"],
    to: "failed",
    because: "too_many_interactions",
  },
  {
    in: "submitting",
    when: "the bank wants a client selected",
    if: ["clients can't be selected"],
    to: "selectClient.resting",
  },
  {
    in: "submitting",
    when: "the bank wants a client selected without a key",
    if: ["clients can't be selected"],
    to: "selectClient.resting",
  },
  {
    in: "submitting",
    when: "the bank wants a client selected",
    if: ["clients can be selected"],
    to: "selectClient.listing",
  },
  {
    in: "submitting",
    when: "the bank wants a client selected without a key",
    if: ["clients can be selected", "key at hand"],
    to: "selectClient.listing",
  },
  {
    in: "submitting",
    when: "the bank wants a client selected without a key",
    if: ["clients can be selected", "no key at hand"],
    to: "failed",
    because: "response_against_contract",
  },
  { in: "submitting", when: "the bank refuses the credentials", to: "failed", because: "wrong_credentials" },
  { in: "submitting", when: "the bank counts too many sessions", to: "failed", because: "max_sessions_reached" },
  {
    in: "submitting",
    when: "the bank counts too many sessions without a key",
    to: "failed",
    because: "max_sessions_reached",
  },
  { in: "submitting", when: "the login breaks", to: "failed", because: "network_failed" },

  { in: "awaitingInteraction", when: "the question is answered", to: "submitting" },
  { in: "awaitingInteraction", when: "the login is cancelled", to: "idle" },
  { in: "awaitingInteraction", when: "the time to answer runs out", to: "failed", because: "expired" },

  { in: "selectClient.resting", when: "the login is cancelled", to: "idle" },

  { in: "selectClient.listing", when: "the clients are listed", to: "selectClient.choosing" },
  { in: "selectClient.listing", when: "no clients are listed", to: "failed", because: "no_clients" },
  { in: "selectClient.listing", when: "the list of clients is refused", to: "failed", because: "invalid_key" },
  { in: "selectClient.listing", when: "the list of clients breaks", to: "failed", because: "network_failed" },
  { in: "selectClient.listing", when: "the login is cancelled", to: "idle" },

  { in: "selectClient.choosing", when: "a client is chosen", to: "selectClient.selecting" },
  // Nothing is sent that the bank has not listed.
  {
    in: "selectClient.choosing",
    when: "a client that is not listed is chosen",
    to: "failed",
    because: "wrong_client",
  },
  { in: "selectClient.choosing", when: "the time to choose runs out", to: "failed", because: "expired" },
  { in: "selectClient.choosing", when: "the login is cancelled", to: "idle" },

  { in: "selectClient.selecting", when: "the client is selected", to: "loggedIn" },
  { in: "selectClient.selecting", when: "the client is selected under a new key", to: "loggedIn" },
  { in: "selectClient.selecting", when: "the client is refused", to: "failed", because: "wrong_client" },
  { in: "selectClient.selecting", when: "the selection breaks", to: "failed", because: "network_failed" },
  { in: "selectClient.selecting", when: "the login is cancelled", to: "idle" },

  { in: "failed", when: "credentials are submitted", to: "submitting" },
  { in: "failed", when: "the other session is replaced", if: ["replaceable"], to: "replacingSession" },
  { in: "failed", when: "the login is cancelled", to: "idle" },

  { in: "replacingSession", when: "the other session is closed", to: "submitting" },
  { in: "replacingSession", when: "the closing is refused", to: "failed", because: "logout_failed" },
  {
    in: "replacingSession",
    when: "the closing meets too many sessions",
    to: "failed",
    because: "max_sessions_reached",
  },
  { in: "replacingSession", when: "the closing breaks", to: "failed", because: "network_failed" },
  { in: "replacingSession", when: "the login is cancelled", to: "idle" },
];
