import type { LinkSettings } from "ventanilla";
import type { LinkCaseName } from "./link-cases.ts";
import type { formatLinkState, SeenLink } from "./link-steps.ts";
import { fails, findRow, leads, toRows } from "./table.ts";

// Section 1 of the contract (list, read, log in, use the session) and the design of the link as a table, written by hand and not from
// the statechart. That one choice narrows others goes beyond the contract (its appendix, "Provider detail") and is a setting.
// The login within reports each of its states; that alone never moves the link.

/** The states of a link. */
export type LinkState = ReturnType<typeof formatLinkState>;

type Condition =
  | "session reached"
  | "no session, bank chosen"
  | "no bank chosen"
  | "banks listed"
  | "choices depend on each other"
  | "destinations wanted"
  | "no destinations wanted";

const holds: Record<Condition, (seen: SeenLink, settings: LinkSettings) => boolean> = {
  "session reached": ({ key }) => key !== undefined,
  "no session, bank chosen": ({ key, provider }) => key === undefined && provider !== undefined,
  "no bank chosen": ({ key, provider }) => key === undefined && provider === undefined,
  "banks listed": ({ providers }) => providers.length > 0,
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

export const linkRows = toRows<LinkState, LinkCaseName, Condition>({
  loadingProviders: {
    "a plain login is taken up": fails("invalid_input"),
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
    "a plain login is taken up": fails("invalid_input"),
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
    // Errors for an ended session are not shown in the contract (section 7): its appendix has them.
    "the session has ended": fails("invalid_key"),
    "the bank has ended the session": fails("provider_session_expired"),
    "the destinations are listed": "linked",
    "the list of destinations is refused": fails("unauthorized_provider"),
    "the list of destinations breaks": fails("network_failed"),
    "the link is cancelled": "cancelled",
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

/** What follows by the table. */
export const findLinkRow = (seen: SeenLink, name: LinkCaseName, settings: LinkSettings) =>
  findRow(linkRows, seen.state, name, (condition) => holds[condition](seen, settings));
