import { createBankClient, createLinkMachine, type LinkSettings, readState, reveal } from "ventanilla";
import type { linkMachine } from "ventanilla/machines/link";
import { expect } from "vitest";
import type { SnapshotFrom } from "xstate";
import { failures } from "../../src/core/api/failures.ts";
import type { SeenRequest } from "../bank/holding-bank.ts";
import { choice, destinations, detail, type LinkCaseName, linkCases, narrowed, providers } from "./link-cases.ts";
import { type LinkFacts, linkOracle, linkRows } from "./link-oracle.ts";
import { toKind } from "./login-facts.ts";
import type { Model } from "./model.ts";

/** The name of the state that a link is in. */
export function formatLinkState({ value }: Pick<SnapshotFrom<typeof linkMachine>, "value">): string {
  return typeof value === "string" ? value : `loggingIn.${value.loggingIn}`;
}

/** What can be seen of a link from outside. */
export function observeLink(snapshot: SnapshotFrom<typeof linkMachine>) {
  const { context, output } = snapshot;
  return {
    state: formatLinkState(snapshot),
    isBusy: snapshot.hasTag("busy"),
    status: snapshot.status,
    providers: context.providers,
    provider: context.provider,
    // What the login form is drawn from, and what one choice leaves of the others.
    detail: snapshot.matches("loggingIn") ? (context.detail as unknown) : undefined,
    narrowed: context.narrowed as unknown,
    choice: context.choice,
    // The state of the login within, as far as it has reported it.
    login: context.login && readState(context.login),
    key: context.key && reveal(context.key),
    username: context.username && reveal(context.username),
    destinations: context.destinations,
    failure: context.failure && toKind(context.failure),
    // Each login has another id.
    output: (output?.status === "linked" ? { ...output, id: undefined, key: reveal(output.key) } : output) as
      | object
      | undefined,
  };
}

/** What should be seen of it. */
export function expectedLink(
  { state, isListed, provider, isChoiceMade, isNarrowed, login, key, username, failure }: LinkFacts,
  settings: LinkSettings,
): ReturnType<typeof observeLink> {
  const reached = settings.destinations ? destinations : [];
  const outputs: Partial<Record<LinkFacts["state"], object>> = {
    linked: { status: "linked", provider, key, destinations: reached },
    cancelled: { status: "cancelled" },
  };
  return {
    state,
    isBusy: ["loadingProviders", "loadingFields", "loggingIn.narrowing", "loadingDestinations"].includes(state),
    status: ["linked", "cancelled"].includes(state) ? "done" : "active",
    providers: isListed ? providers : [],
    provider,
    detail: state.startsWith("loggingIn.") ? detail : undefined,
    narrowed: isNarrowed ? narrowed : undefined,
    choice: isChoiceMade ? choice : undefined,
    login,
    key,
    username,
    destinations: state === "linked" ? reached : [],
    failure: failure && toKind({ kind: failures[failure].kind, code: failure }),
    output: outputs[state],
  };
}

/** The events that it should emit on entering a state. */
export function announcedByLink({ state, provider, failure }: LinkFacts): object[] {
  switch (state) {
    case "failed":
      return [{ type: "link.failed", failure: expect.objectContaining({ code: failure }) }];
    case "linked":
      return [{ type: "link.succeeded", provider }];
    case "cancelled":
      return [{ type: "link.cancelled" }];
    default:
      return [];
  }
}

/** The request that a busy state sends (contract, section 4). */
export function findLinkRequest({ state, provider, key }: LinkFacts): SeenRequest | undefined {
  const get = (path: string, query: Record<string, string> = {}): SeenRequest => ({
    method: "GET",
    path,
    query,
    form: {},
  });
  switch (state) {
    case "loadingProviders":
      return get("/provider/");
    case "loadingFields":
      return get(`/provider/${provider}/`);
    case "loggingIn.narrowing":
      // Beyond the contract: its appendix, "Provider detail".
      return get(`/provider/${provider}/`, { key: choice.field, value: choice.value });
    case "loadingDestinations":
      return get("/transfer/destinations", { key: key ?? "" });
    default:
      return undefined;
  }
}

/** The link with its oracle. */
export const linkModel: Model<LinkFacts, LinkCaseName, LinkSettings> = {
  machine: createLinkMachine(createBankClient({ baseUrl: "http://bank.test", apiKey: "never-sent" })),
  variants: {
    "by the contract": { destinations: true },
    "whose choices depend on each other": { dependentChoices: true, destinations: true },
    "at a bank that is known, for its session alone": { provider: "test", dependentChoices: true },
  },
  cases: linkCases,
  rows: linkRows,
  oracle: linkOracle,
  observe: observeLink,
  expected: expectedLink,
  announced: (_, facts) => announcedByLink(facts),
  running: {
    loadingProviders: ["listProviders"],
    loadingFields: ["getProvider"],
    "loggingIn.active": ["login"],
    "loggingIn.stale": ["login"],
    "loggingIn.narrowing": ["login", "narrowChoices"],
    loadingDestinations: ["listDestinations"],
  },
  restarted: { "a choice is made": "narrowChoices" },
};
