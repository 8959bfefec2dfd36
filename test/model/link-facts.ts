import { type LinkSettings, readState, reveal } from "ventanilla";
import type { linkMachine } from "ventanilla/machines/link";
import { expect } from "vitest";
import type { SnapshotFrom } from "xstate";
import type { SeenRequest } from "../bank/bank.ts";
import { choice, destinations, detail, narrowed, providers } from "./link-cases.ts";
import type { LinkFacts } from "./link-oracle.ts";

/** What can be told of a link from outside. */
export type LinkObservation = ReturnType<typeof observeLink>;

/** The name of the state that a link is in. */
export function formatLinkState({ value }: Pick<SnapshotFrom<typeof linkMachine>, "value">): string {
  return typeof value === "string" ? value : `loggingIn.${value.loggingIn}`;
}

export function observeLink(snapshot: SnapshotFrom<typeof linkMachine>) {
  const { context, output } = snapshot;
  return {
    state: formatLinkState(snapshot),
    isBusy: snapshot.hasTag("busy"),
    status: snapshot.status,
    providers: context.providers,
    provider: context.provider,
    /** What the login form is drawn from, and the same with what one choice leaves of the others. */
    detail: snapshot.matches("loggingIn") ? (context.detail as unknown) : undefined,
    narrowed: context.narrowed as unknown,
    choice: context.choice,
    /** How the login within stands, as far as the link has heard. */
    login: context.login && readState(context.login),
    key: context.key && reveal(context.key),
    username: context.username && reveal(context.username),
    destinations: context.destinations,
    failure: context.failure?.code,
    output: (output?.status === "linked" ? { ...output, key: reveal(output.key) } : output) as object | undefined,
  };
}

/** What should be told of it. */
export function expectedLink(
  { state, isListed, provider, isChoiceMade, isNarrowed, login, key, username, failure }: LinkFacts,
  settings: LinkSettings,
): LinkObservation {
  const reached = settings.destinations === false ? [] : destinations;
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
    failure,
    output: outputs[state],
  };
}

/** What is announced where it gets to. */
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
