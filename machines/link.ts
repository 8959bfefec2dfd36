/**
 * From "which bank?" to a session that lists where it can transfer to, as a statechart (contract, section 1).
 *
 * @packageDocumentation
 */

import { assertEvent, assign, emit, fromPromise, type SnapshotFrom, sendTo, setup } from "xstate";
import type { LinkActors, LinkContext, LinkTypes, ResumableLogin } from "./link.types.ts";
import type { loginMachine } from "./login.ts";
import type { Failure, LoginOutput, Refused } from "./login.types.ts";

export type * from "./link.types.ts";

// What a request has ended with. The events of a statechart's own type are those that it is sent.
const outputOf = <Output>({ event }: { event: object }): Output => (event as { output: Output }).output;

// As in the login: a fault as plain data. Each statechart's file stands alone.
const faultOf = ({ event }: { event: object }): Failure => {
  const { error } = event as { error: unknown };
  if (typeof error !== "object" || error === null || !("code" in error) || typeof error.code !== "string")
    return { kind: "fault", code: "unexpected_fault" };
  const { code, field, request, httpStatus, retryAfter, detail } = error as Failure;
  return { kind: "fault", code, field, request, httpStatus, retryAfter, detail };
};

// A slot that nobody filled: the flow fails with its name, in place of waiting for ever.
const unfilled = <Output, Input>(slot: string) =>
  fromPromise<Output, Input>(() => Promise.reject({ code: "handler_failed", field: slot, detail: "no actor was provided" }));

/** From "which bank?" to a session that lists where it can transfer to (contract, section 1). */
export const linkMachine = setup({
  types: {} as LinkTypes,
  actors: {
    listProviders: unfilled("listProviders"),
    getProvider: unfilled("getProvider"),
    listDestinations: unfilled("listDestinations"),
    login: unfilled("login") as unknown as LinkActors["login"],
  } as LinkActors,
  guards: {
    isRefused: (scope) => outputOf<{ status: string }>(scope).status === "refused",
    // Where the service knows of no such session, and where the bank has ended it.
    isExpired: (scope) => {
      const output = outputOf<Refused | { status: "success" }>(scope);
      return output.status === "refused" && ["invalid_key", "provider_session_expired"].includes(output.failure.code);
    },
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
    storeProviders: assign((scope) => ({ providers: outputOf<LinkContext>(scope).providers })),
    storeFields: assign((scope) => ({ detail: outputOf<LinkContext>(scope).detail })),
    storeDestinations: assign((scope) => ({ destinations: outputOf<LinkContext>(scope).destinations })),
    storeRefusal: assign((scope) => ({ failure: outputOf<Refused>(scope).failure })),
    storeFault: assign((scope) => ({ failure: faultOf(scope) })),
    storeProvider: assign(({ event }) => {
      assertEvent(event, "provider.choose");
      return { provider: event.provider, detail: undefined, failure: undefined };
    }),
    storeResumed: assign(({ event }) => {
      assertEvent(event, "login.resume");
      return { resumed: event.paused };
    }),
    storeResumedProvider: assign(({ context }) => ({ provider: context.resumed?.provider })),
    storeChoice: assign(({ event }) => {
      assertEvent(event, "choices.narrow");
      return { choice: { field: event.field, value: event.value }, narrowed: undefined, failure: undefined };
    }),
    // Both ways the form stays: a refusal is shown beside it.
    storeNarrowed: assign((scope) => {
      const { detail, failure } = outputOf<Partial<LinkContext>>(scope);
      return { narrowed: detail, failure };
    }),
    // Plain data: a whole snapshot in the context could not be stored.
    storeLogin: assign(({ context: { username }, event }) => {
      const { value, context } = (event as unknown as { snapshot: SnapshotFrom<typeof loginMachine> }).snapshot;
      return { login: { value, context }, username: context.credentials?.fields.username ?? username };
    }),
    storeSession: assign((scope) => {
      const { id, key } = outputOf<LoginOutput>(scope);
      return { id, key };
    }),
    forgetProvider: assign({ provider: undefined, detail: undefined, key: undefined, username: undefined, failure: undefined }),
    forgetResumed: assign({ resumed: undefined }),
    forgetSession: assign({ key: undefined }),
    forgetUsername: assign({ username: undefined }),
    forgetLogin: assign({ login: undefined, choice: undefined, narrowed: undefined, failure: undefined }),
    forgetChoice: assign({ choice: undefined, narrowed: undefined, failure: undefined }),
    forgetFailure: assign({ failure: undefined }),
    resumeLogin: sendTo("login", ({ context }) => ({ type: "login.resume" as const, paused: context.resumed as ResumableLogin })),
    forwardToLogin: sendTo("login", ({ event }) => event),
    announceFailure: emit(({ context }) => ({ type: "link.failed" as const, failure: context.failure as Failure })),
    announceSuccess: emit(({ context }) => ({ type: "link.succeeded" as const, provider: context.provider as string })),
    announceCancel: emit({ type: "link.cancelled" }),
  },
}).createMachine({
  id: "link",
  context: ({ input }) => ({
    settings: input,
    id: "",
    providers: [],
    provider: input.provider,
    resumed: undefined,
    detail: undefined,
    narrowed: undefined,
    choice: undefined,
    login: undefined,
    key: undefined,
    username: undefined,
    destinations: [],
    failure: undefined,
  }),
  output: ({ context: { id, provider, key, destinations } }) =>
    provider !== undefined && key !== undefined ? { status: "linked", id, provider, key, destinations } : { status: "cancelled" },
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
        input: ({ context }) => context,
        onDone: [
          { guard: "isRefused", target: "failed", actions: "storeRefusal" },
          { target: "choosingProvider", actions: "storeProviders" },
        ],
        onError: { target: "failed", actions: "storeFault" },
      },
      on: {
        "login.resume": { actions: "storeResumed" },
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
        input: ({ context }) => context,
        onDone: [
          { guard: "isRefused", target: "failed", actions: "storeRefusal" },
          { target: "loggingIn", actions: "storeFields" },
        ],
        onError: { target: "failed", actions: "storeFault" },
      },
      on: {
        "login.resume": { actions: "storeResumed" },
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
        onSnapshot: { actions: "storeLogin" },
        onDone: [
          { guard: "isComplete", target: "linked", actions: "storeSession" },
          { target: "loadingDestinations", actions: "storeSession" },
        ],
        onError: { target: "failed", actions: "storeFault" },
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
      exit: "forgetLogin",
      initial: "active",
      states: {
        active: {
          description: "The login alone decides what comes next.",
          always: { guard: "isResumed", actions: ["resumeLogin", "forgetResumed"] },
        },
        stale: {
          description: "The session that was reached has ended: the same form at the same bank, with the reason, until the person goes on.",
          on: {
            "credentials.submit": { target: "active", actions: "forwardToLogin" },
            "login.cancel": { target: "active", actions: "forwardToLogin" },
          },
          exit: "forgetFailure",
        },
        narrowing: {
          description: "Reads what one choice leaves of the others. Whatever comes of it, the form stays. Beyond the contract.",
          tags: "busy",
          invoke: {
            id: "narrowChoices",
            src: "getProvider",
            input: ({ context }) => context,
            onDone: { target: "active", actions: "storeNarrowed" },
            onError: { target: "active", actions: "storeFault" },
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
        input: ({ context }) => context,
        onDone: [
          { guard: "isExpired", target: "loggingIn.stale", actions: ["storeRefusal", "forgetSession"] },
          { guard: "isRefused", target: "failed", actions: "storeRefusal" },
          { target: "linked", actions: "storeDestinations" },
        ],
        onError: { target: "failed", actions: "storeFault" },
      },
      on: { "link.cancel": "cancelled" },
    },
    failed: {
      description: "A read has failed. Retrying repeats what failed.",
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
