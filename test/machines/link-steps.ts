import { createBankClient, createLinkMachine, type LinkSettings, reveal } from "ventanilla";
import type { linkMachine } from "ventanilla/machines/link";
import { expect } from "vitest";
import type { SnapshotFrom } from "xstate";
import { failures } from "../../src/core/api/failures.ts";
import type { SeenRequest } from "../bank/holding-bank.ts";
import { choice, destinations, detail, type LinkCaseName, linkCases, narrowed, providers } from "./link-cases.ts";
import { findLinkRow, type LinkState, linkRows } from "./link-table.ts";
import { form, keys } from "./login-cases.ts";
import { toKind } from "./login-steps.ts";
import type { Model } from "./model.ts";
import type { Row } from "./table.ts";

/** The name of the state that a link is in. */
export function formatLinkState({ value }: Pick<SnapshotFrom<typeof linkMachine>, "value">) {
  return typeof value === "string" ? value : (`loggingIn.${value.loggingIn}` as const);
}

/** What can be seen of a link from outside. */
export interface SeenLink {
  readonly state: LinkState;
  readonly status: "active" | "done";
  readonly providers: readonly object[];
  readonly provider: string | undefined;
  /** What the login form is drawn from, and what one choice leaves of the others. */
  readonly detail: object | undefined;
  readonly narrowed: object | undefined;
  readonly choice: object | undefined;
  readonly key: string | undefined;
  /** Of the last login that was sent to the bank. */
  readonly username: string | undefined;
  readonly destinations: readonly object[];
  readonly failure: string | undefined;
  readonly output: object | undefined;
}

const isLoggingIn = (state: LinkState): boolean => state.startsWith("loggingIn.");

export function observeLink(snapshot: SnapshotFrom<typeof linkMachine>): SeenLink {
  const { context, output, status } = snapshot;
  const { providers, provider, detail, narrowed, choice, key, username, destinations, failure } = context;
  const state = formatLinkState(snapshot);
  return {
    state,
    status: status as SeenLink["status"],
    ...{ providers, provider, narrowed, choice, destinations },
    detail: isLoggingIn(state) ? detail : undefined,
    key: key && reveal(key),
    username: username && reveal(username),
    failure: failure && toKind(failure),
    // Each login has another id.
    output: output?.state === "linked" ? { ...output, id: undefined, key: reveal(output.key) } : output,
  };
}

const nothing: Omit<SeenLink, "state" | "providers"> = {
  status: "active",
  provider: undefined,
  detail: undefined,
  narrowed: undefined,
  choice: undefined,
  key: undefined,
  username: undefined,
  destinations: [],
  failure: undefined,
  output: undefined,
};

/** What must be seen after a step, by what was seen before it and the row of the table. */
function expectedAfter(
  before: SeenLink,
  name: LinkCaseName,
  { to: state, because }: Row<LinkState, LinkCaseName>,
  settings: LinkSettings,
): SeenLink {
  const fresh = { ...nothing, state, providers: name === "the banks are listed" ? providers : before.providers };
  if (state === "choosingProvider") return fresh;
  if (state === "cancelled") return { ...fresh, status: "done", output: { state: "cancelled" } };
  const after = {
    ...fresh,
    provider: name === "a bank is chosen" ? "test" : before.provider,
    key: name === "the login succeeds" ? keys.session : before.key,
    username: name === "the login is under way" ? form.username : before.username,
    failure: because && toKind({ kind: failures[because].kind, code: because }),
  };
  if (isLoggingIn(state)) {
    const seen = { ...after, detail };
    return isLoggingIn(before.state) ? { ...seen, ...formAfter(before, name, seen) } : seen;
  }
  // The key of an ended session is of no use.
  if (name === "the session has ended" || name === "the bank has ended the session")
    return { ...after, key: undefined };
  if (state !== "linked") return after;
  const reached = settings.destinations ? destinations : [];
  const output = { state: "linked", provider: after.provider, key: after.key, destinations: reached };
  // The user name is not needed once the bank is linked.
  return { ...after, username: undefined, status: "done", destinations: reached, output };
}

/** The choices of the form, and the failure that is shown beside it. */
function formAfter(before: SeenLink, name: LinkCaseName, { failure }: SeenLink): Partial<SeenLink> {
  switch (name) {
    case "a choice is made":
      // Until the bank responds, every choice is offered.
      return { choice, narrowed: undefined, failure };
    case "the choice is taken back":
      return { choice: undefined, narrowed: undefined, failure };
    default:
      return {
        choice: before.choice,
        narrowed: name === "the choices are narrowed" ? narrowed : before.narrowed,
        // That of a narrowing until the next one.
        failure: failure ?? before.failure,
      };
  }
}

/** The events that it must emit on entering a state. */
function announced({ state, provider, failure = "" }: SeenLink): object[] {
  switch (state) {
    case "failed":
      return [{ type: "link.failed", failure: expect.objectContaining({ code: failure.split(" ")[1] }) }];
    case "linked":
      return [{ type: "link.succeeded", provider }];
    case "cancelled":
      return [{ type: "link.cancelled" }];
    default:
      return [];
  }
}

/** The request that a busy state sends (contract, section 4). */
export function findLinkRequest({ state, provider, key = "" }: SeenLink): SeenRequest | undefined {
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
      return get("/transfer/destinations", { key });
    default:
      return undefined;
  }
}

/** The link, and what must follow from everything that can happen to it. */
export const linkModel: Model<SeenLink, LinkCaseName, LinkSettings> = {
  machine: createLinkMachine(createBankClient({ baseUrl: "http://bank.test", apiKey: "never-sent" })),
  variants: {
    "by the contract": { destinations: true },
    "whose choices depend on each other": { dependentChoices: true, destinations: true },
    "at a bank that is known, for its session alone": { provider: "test", dependentChoices: true },
  },
  cases: linkCases,
  rows: linkRows,
  findRow: findLinkRow,
  observe: observeLink,
  tellApart: (seen, settings) => [seen, settings],
  start: ({ provider }) => ({
    ...nothing,
    providers: [],
    // A bank that the settings name needs no list.
    ...(provider === undefined ? { state: "loadingProviders" } : { state: "loadingFields", provider }),
  }),
  expectedAfter,
  announced,
};
