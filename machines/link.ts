/**
 * From "which bank?" to a session that lists where it can transfer to, as a statechart (contract, section 1).
 *
 * @packageDocumentation
 */

import { assign, emit, type SnapshotFrom, sendTo, setup } from "xstate";
import { toError, toEvent, toFault, toOutput } from "./event-parameters.ts";
import type { GetProviderOutput, LinkActors, LinkContext, LinkTypes, ListDestinationsOutput, ListProvidersOutput } from "./link.types.ts";
import type { loginMachine } from "./login.ts";
import type { Failure, LoginOutput, ShownStep } from "./login.types.ts";

export type * from "./link.types.ts";

const isCurrent = ({ context, event }: { context: LinkContext; event: ShownStep }): boolean =>
  event.stepNumber === undefined || event.stepNumber === context.stepNumber;

/** From "which bank?" to a session that lists where it can transfer to (contract, section 1). */
export const linkMachine = setup({
  types: {} as LinkTypes,
  actors: {} as LinkActors,
  guards: {
    isRefused: (_, { output }: { output: { status: string } }) => output.status === "refused",
    // Where the service knows of no such session, and where the bank has ended it.
    isExpired: (_, { output }: { output: ListDestinationsOutput }) =>
      output.status === "refused" && ["invalid_key", "provider_session_expired"].includes(output.failure.code),
    isCurrent,
    hasProviders: (scope) => isCurrent(scope) && scope.context.providers.length > 0,
    hasProvider: (scope) => isCurrent(scope) && scope.context.provider !== undefined,
    hasSession: (scope) => isCurrent(scope) && scope.context.key !== undefined,
    isNarrowable: (scope) => isCurrent(scope) && scope.context.settings.dependentChoices === true,
    isCleared: (scope, { value }: { value: string }) => isCurrent(scope) && value === "",
    // Nothing is left to read.
    isComplete: ({ context }) => context.settings.destinations === false,
  },
  actions: {
    storeOutput: assign((_, { output }: { output: ListProvidersOutput | GetProviderOutput | ListDestinationsOutput }) => ({
      ...("providers" in output && { providers: output.providers }),
      ...("detail" in output && { detail: output.detail }),
      ...("destinations" in output && { destinations: output.destinations }),
      ...("failure" in output && { failure: output.failure }),
    })),
    storeProvider: assign((_, { provider }: { provider: string }) => ({ provider, detail: undefined, failure: undefined })),
    storeChoice: assign((_, { field, value }: { field: string; value: string }) => ({
      choice: { field, value },
      narrowed: undefined,
      failure: undefined,
    })),
    storeNarrowed: assign((_, { output }: { output: GetProviderOutput }) =>
      output.status === "success" ? { narrowed: output.detail } : { failure: output.failure },
    ),
    storeLogin: assign(
      ({ context: { login, stepNumber, username } }, { snapshot: { value, context } }: { snapshot: SnapshotFrom<typeof loginMachine> }) => ({
        login: { value, context },
        username: context.credentials?.fields.username ?? username,
        stepNumber: login?.context.stepNumber === context.stepNumber ? stepNumber : (stepNumber ?? 0) + 1,
      }),
    ),
    storeSession: assign((_, { output }: { output: LoginOutput }) => ({ key: output.key })),
    storeFault: assign((_, { error }: { error: unknown }) => ({ failure: toFault(error) })),
    forgetProvider: assign({ provider: undefined, detail: undefined, key: undefined, username: undefined, failure: undefined }),
    forgetSession: assign({ key: undefined }),
    forgetUsername: assign({ username: undefined }),
    forgetLogin: assign({ login: undefined, choice: undefined, narrowed: undefined, failure: undefined }),
    forgetChoice: assign({ choice: undefined, narrowed: undefined, failure: undefined }),
    forgetFailure: assign({ failure: undefined }),
    // The login within counts for itself, and anew for each bank.
    forwardToLogin: sendTo("login", ({ event }) => ({ ...event, stepNumber: undefined })),
    countStep: assign(({ context }) => ({ stepNumber: (context.stepNumber ?? 0) + 1 })),
  },
}).createMachine({
  id: "link",
  context: ({ input }) => ({
    settings: input,
    providers: [],
    provider: input.provider,
    detail: undefined,
    narrowed: undefined,
    choice: undefined,
    login: undefined,
    key: undefined,
    username: undefined,
    destinations: [],
    failure: undefined,
    stepNumber: 0,
  }),
  output: ({ context: { provider, key, destinations } }) =>
    provider !== undefined && key !== undefined ? { status: "linked", provider, key, destinations } : { status: "cancelled" },
  initial: "starting",
  states: {
    starting: { always: [{ guard: "hasProvider", target: "loadingFields" }, { target: "loadingProviders" }] },
    loadingProviders: {
      entry: "countStep",
      tags: "busy",
      invoke: {
        id: "listProviders",
        src: "listProviders",
        input: ({ context }) => context,
        onDone: [
          { guard: { type: "isRefused", params: toOutput }, target: "failed", actions: { type: "storeOutput", params: toOutput } },
          { target: "choosingProvider", actions: { type: "storeOutput", params: toOutput } },
        ],
        onError: { target: "failed", actions: { type: "storeFault", params: toError } },
      },
      on: { "link.cancel": { guard: "isCurrent", target: "cancelled" } },
    },
    choosingProvider: {
      entry: ["countStep", "forgetProvider"],
      on: {
        "provider.choose": { guard: "isCurrent", target: "loadingFields", actions: { type: "storeProvider", params: toEvent } },
        "link.cancel": { guard: "isCurrent", target: "cancelled" },
      },
    },
    loadingFields: {
      entry: "countStep",
      tags: "busy",
      invoke: {
        id: "getProvider",
        src: "getProvider",
        input: ({ context }) => context,
        onDone: [
          { guard: { type: "isRefused", params: toOutput }, target: "failed", actions: { type: "storeOutput", params: toOutput } },
          { target: "loggingIn", actions: { type: "storeOutput", params: toOutput } },
        ],
        onError: { target: "failed", actions: { type: "storeFault", params: toError } },
      },
      on: {
        "provider.change": { guard: "hasProviders", target: "choosingProvider" },
        "link.cancel": { guard: "isCurrent", target: "cancelled" },
      },
    },
    loggingIn: {
      entry: "countStep",
      invoke: {
        id: "login",
        src: "login",
        input: ({ context }) => context.settings,
        onSnapshot: { actions: { type: "storeLogin", params: ({ event }) => event } },
        onDone: [
          { guard: "isComplete", target: "linked", actions: { type: "storeSession", params: toOutput } },
          { target: "loadingDestinations", actions: { type: "storeSession", params: toOutput } },
        ],
        onError: { target: "failed", actions: { type: "storeFault", params: toError } },
      },
      on: {
        "credentials.submit": { guard: "isCurrent", actions: "forwardToLogin" },
        "interaction.answer": { guard: "isCurrent", actions: "forwardToLogin" },
        "client.choose": { guard: "isCurrent", actions: "forwardToLogin" },
        "session.replace": { guard: "isCurrent", actions: "forwardToLogin" },
        "login.cancel": { guard: "isCurrent", actions: "forwardToLogin" },
        "choices.narrow": [
          { guard: { type: "isCleared", params: toEvent }, target: ".active", actions: "forgetChoice" },
          { guard: "isNarrowable", target: ".narrowing", actions: { type: "storeChoice", params: ({ event }) => event } },
        ],
        "provider.change": { guard: "hasProviders", target: "choosingProvider" },
        "link.cancel": { guard: "isCurrent", target: "cancelled" },
      },
      exit: "forgetLogin",
      initial: "active",
      states: {
        active: {},
        // The session that was reached has ended. The same form at the same bank, with the reason, until the person goes on.
        stale: {
          on: {
            "credentials.submit": { guard: "isCurrent", target: "active", actions: "forwardToLogin" },
            "login.cancel": { guard: "isCurrent", target: "active", actions: "forwardToLogin" },
          },
          exit: "forgetFailure",
        },
        // What one choice leaves of the others. Whatever comes of it, the form stays: the bank has the last word on it.
        narrowing: {
          tags: "busy",
          invoke: {
            id: "narrowChoices",
            src: "getProvider",
            input: ({ context }) => context,
            onDone: { target: "active", actions: { type: "storeNarrowed", params: toOutput } },
            onError: { target: "active", actions: { type: "storeFault", params: toError } },
          },
        },
      },
    },
    loadingDestinations: {
      entry: "countStep",
      tags: "busy",
      invoke: {
        id: "listDestinations",
        src: "listDestinations",
        input: ({ context }) => context,
        onDone: [
          {
            guard: { type: "isExpired", params: toOutput },
            target: "loggingIn.stale",
            actions: [{ type: "storeOutput", params: toOutput }, "forgetSession"],
          },
          { guard: { type: "isRefused", params: toOutput }, target: "failed", actions: { type: "storeOutput", params: toOutput } },
          { target: "linked", actions: { type: "storeOutput", params: toOutput } },
        ],
        onError: { target: "failed", actions: { type: "storeFault", params: toError } },
      },
      on: { "link.cancel": { guard: "isCurrent", target: "cancelled" } },
    },
    failed: {
      entry: ["countStep", emit(({ context }) => ({ type: "link.failed", failure: context.failure as Failure }))],
      on: {
        // Takes up what failed; a session that was reached is not lost.
        "link.retry": [
          { guard: "hasSession", target: "loadingDestinations", actions: "forgetFailure" },
          { guard: "hasProvider", target: "loadingFields", actions: "forgetFailure" },
          { guard: "isCurrent", target: "loadingProviders", actions: "forgetFailure" },
        ],
        "provider.change": { guard: "hasProviders", target: "choosingProvider" },
        "link.cancel": { guard: "isCurrent", target: "cancelled" },
      },
    },
    linked: {
      type: "final",
      entry: ["forgetUsername", emit(({ context }) => ({ type: "link.succeeded", provider: context.provider as string }))],
    },
    cancelled: { type: "final", entry: ["forgetProvider", emit({ type: "link.cancelled" })] },
  },
});
