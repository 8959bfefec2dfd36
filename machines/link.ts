/**
 * From "which bank?" to a session that lists where it can transfer to, as a statechart (contract, section 1).
 *
 * @packageDocumentation
 */

import { assertEvent, assign, type ErrorActorEvent, emit, enqueueActions, sendTo, setup } from "xstate";
import type { GetProviderOutput, LinkActors, LinkContext, LinkTypes, ListDestinationsOutput, ListProvidersOutput } from "./link.types.ts";
import { loginMachine } from "./login.ts";
import type { LoginOutput, Secret } from "./login.types.ts";
import { findPlainSecret } from "./plain-secrets.ts";
import { isSessionGone, missingActor, output, toFault } from "./slots.ts";

export type * from "./link.types.ts";

// What a request has thrown: the parameter of guards and actions.
const error = ({ event }: { event: ErrorActorEvent }): unknown => event.error;

type Reply = ListProvidersOutput | GetProviderOutput | ListDestinationsOutput;

// What each request gets, and nothing else.
const linkRequest = ({ settings, provider, choice, key }: LinkContext) => ({ settings, provider, choice, key });

const types: LinkTypes = {};

const actors: LinkActors = {
  listProviders: missingActor("listProviders"),
  getProvider: missingActor("getProvider"),
  listDestinations: missingActor("listDestinations"),
  login: loginMachine,
};

/** From "which bank?" to a session that lists where it can transfer to (contract, section 1). */
export const linkMachine = setup({
  types,
  actors,
  guards: {
    isPlain: ({ event }) => event.type === "login.resume" && findPlainSecret(event) !== undefined,
    isRefused: (_, { status }: Reply) => status === "refused",
    isSessionGone: (_, reply: Reply) => reply.status === "refused" && isSessionGone(reply.failure.code),
    hasProviders: ({ context }) => context.providers.length > 0,
    hasProvider: ({ context }) => context.provider !== undefined,
    isResumed: ({ context }) => context.resumed !== undefined,
    hasSession: ({ context }) => context.key !== undefined,
    isNarrowable: ({ context }) => context.settings.dependentChoices === true,
    isCleared: ({ event }) => event.type === "choices.narrow" && event.value === "",
    // Nothing is left to read.
    isComplete: ({ context: { settings, detail } }) => settings.destinations !== true || detail?.methods?.transfers === false,
  },
  actions: {
    storeProviders: assign((_, reply: ListProvidersOutput) => (reply.status === "success" ? { providers: reply.providers } : {})),
    storeFields: assign((_, reply: GetProviderOutput) => (reply.status === "success" ? { detail: reply.detail } : {})),
    storeDestinations: assign((_, reply: ListDestinationsOutput) => (reply.status === "success" ? { destinations: reply.destinations } : {})),
    storeRefusal: assign((_, reply: Reply) => (reply.status === "refused" ? { failure: reply.failure } : {})),
    storeFault: assign((_, thrown: unknown) => ({ failure: toFault(thrown) })),
    storeProvider: assign(({ event }) => {
      assertEvent(event, "provider.choose");
      return { provider: event.provider, detail: undefined, failure: undefined };
    }),
    storeResumed: assign(({ event }) => {
      assertEvent(event, "login.resume");
      return { resumed: event.paused };
    }),
    failPlain: assign(({ event }) => {
      assertEvent(event, "login.resume");
      return { failure: findPlainSecret(event) };
    }),
    storeResumedProvider: assign(({ context }) => ({ provider: context.resumed?.provider })),
    storeChoice: assign(({ event }) => {
      assertEvent(event, "choices.narrow");
      return { choice: { field: event.field, value: event.value }, narrowed: undefined, failure: undefined };
    }),
    // Both ways the form stays: a refusal is shown beside it.
    storeNarrowed: assign((_, reply: GetProviderOutput) =>
      reply.status === "success" ? { narrowed: reply.detail, failure: undefined } : { narrowed: undefined, failure: reply.failure },
    ),
    // Whatever the login does, the snapshot of the link is another one then, so that a screen is drawn again.
    storeUsername: assign(({ context }, username: Secret | undefined) => ({ username: username ?? context.username })),
    storeSession: assign((_, { id, key }: LoginOutput) => ({ id, key })),
    forgetProvider: assign({ provider: undefined, detail: undefined, key: undefined, username: undefined, failure: undefined }),
    forgetResumed: assign({ resumed: undefined }),
    forgetSession: assign({ key: undefined }),
    forgetUsername: assign({ username: undefined }),
    forgetChoice: assign({ choice: undefined, narrowed: undefined, failure: undefined }),
    forgetFailure: assign({ failure: undefined }),
    resumeLogin: enqueueActions(({ context: { resumed }, enqueue }) => {
      if (resumed) enqueue.sendTo("login", { type: "login.resume", paused: resumed });
    }),
    forwardToLogin: sendTo("login", ({ event }) => event),
    announceFailure: enqueueActions(({ context: { failure }, enqueue }) => {
      if (failure) enqueue.emit({ type: "link.failed", failure });
    }),
    announceSuccess: enqueueActions(({ context: { provider }, enqueue }) => {
      if (provider !== undefined) enqueue.emit({ type: "link.succeeded", provider });
    }),
    announceCancel: emit({ type: "link.cancelled" }),
  },
}).createMachine({
  id: "link",
  context: ({ input: settings = {} }) => ({
    settings,
    id: "",
    providers: [],
    provider: settings.provider,
    resumed: undefined,
    detail: undefined,
    narrowed: undefined,
    choice: undefined,
    key: undefined,
    username: undefined,
    destinations: [],
    failure: undefined,
  }),
  output: ({ context: { id, provider, key, destinations } }) =>
    provider !== undefined && key !== undefined ? { state: "linked", id, provider, key, destinations } : { state: "cancelled" },
  initial: "starting",
  states: {
    starting: {
      description: "Leads to the bank that the settings name, or to the list of banks.",
      always: [{ guard: "hasProvider", target: "loadingFields" }, { target: "loadingProviders" }],
    },
    loadingProviders: {
      description: "GET /provider/ is under way (contract, section 4.3).",
      tags: "busy",
      invoke: {
        id: "listProviders",
        src: "listProviders",
        input: ({ context }) => linkRequest(context),
        onDone: [
          { guard: { type: "isRefused", params: output }, target: "failed", actions: { type: "storeRefusal", params: output } },
          { target: "choosingProvider", actions: { type: "storeProviders", params: output } },
        ],
        onError: { target: "failed", actions: { type: "storeFault", params: error } },
      },
      on: {
        "login.resume": [{ guard: "isPlain", target: "failed", actions: "failPlain" }, { actions: "storeResumed" }],
        "link.cancel": "cancelled",
      },
    },
    choosingProvider: {
      description: "Waits for the person to choose a bank. A login that goes on has chosen it.",
      entry: "forgetProvider",
      always: { guard: "isResumed", target: "loadingFields", actions: "storeResumedProvider" },
      on: {
        "provider.choose": { target: "loadingFields", actions: "storeProvider" },
        "link.cancel": "cancelled",
      },
    },
    loadingFields: {
      description: "GET /provider/{code}/ is under way (contract, section 4.2).",
      tags: "busy",
      invoke: {
        id: "getProvider",
        src: "getProvider",
        input: ({ context }) => linkRequest(context),
        onDone: [
          { guard: { type: "isRefused", params: output }, target: "failed", actions: { type: "storeRefusal", params: output } },
          { target: "loggingIn", actions: { type: "storeFields", params: output } },
        ],
        onError: { target: "failed", actions: { type: "storeFault", params: error } },
      },
      on: {
        "login.resume": [{ guard: "isPlain", target: "failed", actions: "failPlain" }, { actions: "storeResumed" }],
        "provider.change": { guard: "hasProviders", target: "choosingProvider", actions: "forgetResumed" },
        "link.cancel": "cancelled",
      },
    },
    loggingIn: {
      description: "The login statechart runs within, with the bank's fields.",
      invoke: {
        id: "login",
        src: "login",
        input: ({ context }) => context.settings,
        onSnapshot: { actions: { type: "storeUsername", params: ({ event }) => event.snapshot.context.credentials?.fields.username } },
        onDone: [
          { guard: "isComplete", target: "linked", actions: { type: "storeSession", params: output } },
          { target: "loadingDestinations", actions: { type: "storeSession", params: output } },
        ],
        onError: { target: "failed", actions: { type: "storeFault", params: error } },
      },
      on: {
        "credentials.submit": { actions: "forwardToLogin" },
        "interaction.answer": { actions: "forwardToLogin" },
        "client.choose": { actions: "forwardToLogin" },
        "session.replace": { actions: "forwardToLogin" },
        "login.cancel": { actions: "forwardToLogin" },
        "choices.narrow": [
          { guard: "isCleared", target: ".active", actions: "forgetChoice" },
          { guard: "isNarrowable", target: ".narrowing", actions: "storeChoice" },
        ],
        "provider.change": { guard: "hasProviders", target: "choosingProvider" },
        "link.cancel": "cancelled",
      },
      exit: "forgetChoice",
      initial: "active",
      states: {
        active: {
          description: "The login alone decides what comes next.",
          always: { guard: "isResumed", actions: ["resumeLogin", "forgetResumed"] },
        },
        narrowing: {
          description: "Reads what one choice leaves of the others. The form stays in any case. Beyond the contract.",
          tags: "busy",
          invoke: {
            id: "narrowChoices",
            src: "getProvider",
            input: ({ context }) => linkRequest(context),
            onDone: { target: "active", actions: { type: "storeNarrowed", params: output } },
            onError: { target: "active", actions: { type: "storeFault", params: error } },
          },
        },
      },
    },
    loadingDestinations: {
      description: "GET /transfer/destinations is under way (contract, section 4.4).",
      tags: "busy",
      invoke: {
        id: "listDestinations",
        src: "listDestinations",
        input: ({ context }) => linkRequest(context),
        onDone: [
          {
            guard: { type: "isSessionGone", params: output },
            target: "failed",
            actions: [{ type: "storeRefusal", params: output }, "forgetSession"],
          },
          { guard: { type: "isRefused", params: output }, target: "failed", actions: { type: "storeRefusal", params: output } },
          { target: "linked", actions: { type: "storeDestinations", params: output } },
        ],
        onError: { target: "failed", actions: { type: "storeFault", params: error } },
      },
      on: { "link.cancel": "cancelled" },
    },
    failed: {
      description: "A read has failed. Retrying repeats what failed; if the session has ended, it leads to the form again.",
      entry: "announceFailure",
      on: {
        // Repeats what failed; a session that was reached is not lost.
        "link.retry": [
          { guard: "hasSession", target: "loadingDestinations", actions: "forgetFailure" },
          { guard: "hasProvider", target: "loadingFields", actions: "forgetFailure" },
          { target: "loadingProviders", actions: "forgetFailure" },
        ],
        "provider.change": { guard: "hasProviders", target: "choosingProvider", actions: "forgetResumed" },
        "link.cancel": "cancelled",
      },
    },
    linked: {
      description: "A session has started. It is the output, with its destinations.",
      type: "final",
      entry: ["forgetUsername", "announceSuccess"],
    },
    cancelled: { description: "The person has left the flow.", type: "final", entry: ["forgetProvider", "forgetResumed", "announceCancel"] },
  },
});
