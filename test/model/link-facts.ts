import { reveal } from "ventanilla";
import type { linkMachine } from "ventanilla/machines/link";
import { expect } from "vitest";
import type { SnapshotFrom } from "xstate";
import type { SeenRequest } from "./bank.ts";
import { destinations, detail, providers } from "./link-cases.ts";
import type { LinkFacts } from "./link-oracle.ts";

/** What can be told of a link from outside. */
export interface LinkObservation {
  readonly state: unknown;
  readonly isBusy: boolean;
  readonly status: string;
  readonly providers: readonly unknown[];
  readonly provider: string | undefined;
  /** What the login form is drawn from. */
  readonly detail: unknown;
  readonly key: string | undefined;
  readonly destinations: readonly unknown[];
  readonly failure: string | undefined;
  readonly output: object | undefined;
}

export function observeLink(snapshot: SnapshotFrom<typeof linkMachine>): LinkObservation {
  const { context, output } = snapshot;
  return {
    state: snapshot.value,
    isBusy: snapshot.hasTag("busy"),
    status: snapshot.status,
    providers: context.providers,
    provider: context.provider,
    detail: snapshot.value === "loggingIn" ? context.detail : undefined,
    key: context.key && reveal(context.key),
    destinations: context.destinations,
    failure: context.failure?.code,
    output: output?.status === "linked" ? { ...output, key: reveal(output.key) } : output,
  };
}

/** What should be told of it. */
export function expectedLink({ state, isListed, provider, key, failure }: LinkFacts): LinkObservation {
  const outputs: Partial<Record<LinkFacts["state"], object>> = {
    linked: { status: "linked", provider, key, destinations },
    cancelled: { status: "cancelled" },
  };
  return {
    state,
    isBusy: ["loadingProviders", "loadingFields", "loadingDestinations"].includes(state),
    status: ["linked", "cancelled"].includes(state) ? "done" : "active",
    providers: isListed ? providers : [],
    provider,
    detail: state === "loggingIn" ? detail : undefined,
    key,
    destinations: state === "linked" ? destinations : [],
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

/** The request that a busy state sends (interface.md, section 4). */
export function linkRequestOf({ state, provider, key }: LinkFacts): SeenRequest | undefined {
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
    case "loadingDestinations":
      return get("/transfer/destinations", { key: key ?? "" });
    default:
      return undefined;
  }
}
