import type { FailureCode } from "ventanilla";
import { type LinkCaseName, linkCaseNames } from "./link-cases.ts";
import { keys } from "./login-cases.ts";
import { type Oracle, only, type Row } from "./oracle.ts";

// Written by hand from the contract (interface.md, section 1: list, read, log in, use the session) and the design of the
// link; the statechart was not asked.

export type LinkState =
  | "loadingProviders"
  | "choosingProvider"
  | "loadingFields"
  | "loggingIn"
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
  readonly key: string | undefined;
  readonly failure: FailureCode | undefined;
}

type Condition = "session reached" | "no session, bank chosen" | "no bank chosen" | "banks listed";

const holds: Record<Condition, (facts: LinkFacts) => boolean> = {
  "session reached": ({ key }) => key !== undefined,
  "no session, bank chosen": ({ key, provider }) => key === undefined && provider !== undefined,
  "no bank chosen": ({ key, provider }) => key === undefined && provider === undefined,
  "banks listed": ({ isListed }) => isListed,
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

  { in: "loadingFields", when: "the bank's fields are read", to: "loggingIn" },
  { in: "loadingFields", when: "the bank is not known", to: "failed", because: "provider_doesnt_exist" },
  { in: "loadingFields", when: "the reading of the fields breaks", to: "failed", because: "network_failed" },
  { in: "loadingFields", when: "another bank is wanted", to: "choosingProvider" },
  { in: "loadingFields", when: "the link is cancelled", to: "cancelled" },

  { in: "loggingIn", when: "credentials are submitted", to: "loggingIn" },
  { in: "loggingIn", when: "the question is answered", to: "loggingIn" },
  { in: "loggingIn", when: "a client is chosen", to: "loggingIn" },
  { in: "loggingIn", when: "the other session is replaced", to: "loggingIn" },
  { in: "loggingIn", when: "the login is cancelled", to: "loggingIn" },
  { in: "loggingIn", when: "the login succeeds", to: "loadingDestinations" },
  { in: "loggingIn", when: "the login breaks", to: "failed", because: "unexpected_fault" },
  { in: "loggingIn", when: "another bank is wanted", to: "choosingProvider" },
  { in: "loggingIn", when: "the link is cancelled", to: "cancelled" },

  { in: "loadingDestinations", when: "the destinations are listed", to: "linked" },
  { in: "loadingDestinations", when: "the list of destinations is refused", to: "failed", because: "invalid_key" },
  { in: "loadingDestinations", when: "the list of destinations breaks", to: "failed", because: "network_failed" },
  { in: "loadingDestinations", when: "the link is cancelled", to: "cancelled" },

  { in: "failed", when: "what failed is tried again", if: ["session reached"], to: "loadingDestinations" },
  { in: "failed", when: "what failed is tried again", if: ["no session, bank chosen"], to: "loadingFields" },
  { in: "failed", when: "what failed is tried again", if: ["no bank chosen"], to: "loadingProviders" },
  { in: "failed", when: "another bank is wanted", if: ["banks listed"], to: "choosingProvider" },
  { in: "failed", when: "the link is cancelled", to: "cancelled" },
];

export const linkOracle: Oracle<LinkFacts, LinkCaseName> = {
  start: { state: "loadingProviders", isListed: false, provider: undefined, key: undefined, failure: undefined },
  names: linkCaseNames,
  next(facts, name) {
    const rows = linkRows.filter((row) => row.in === facts.state && row.when === name);
    const row = only(rows.filter((candidate) => (candidate.if ?? []).every((condition) => holds[condition](facts))));
    if (!row) return "ignored";
    const isAfresh = row.to === "choosingProvider" || row.to === "cancelled";
    const provider = name === "a bank is chosen" ? "test" : facts.provider;
    const key = name === "the login succeeds" ? keys.session : facts.key;
    return {
      state: row.to,
      isListed: facts.isListed || name === "the banks are listed",
      provider: isAfresh ? undefined : provider,
      key: isAfresh ? undefined : key,
      failure: row.because,
    };
  },
};
