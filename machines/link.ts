import { assign, emit, type SnapshotFrom, sendTo, setup } from "xstate";
import type { Failure } from "../src/api/failures.ts";
import type { ProviderDetail, ProviderEntry, TransferDestination } from "../src/api/schemas.ts";
import type { Secret } from "../src/api/secret.ts";
import type { DestinationsReply, FieldsReply, LinkActors, LinkRequest, ProvidersReply } from "../src/link/requests.ts";
import type { LinkSettings } from "../src/link/settings.ts";
import type { LoginOutput } from "../src/login/requests.ts";
import type { LoginEvent, loginMachine, ShownStep } from "./login.ts";

/** What the flow can be told; the login within takes its own events from here. Without effect where the state has no use for it. */
export type LinkEvent =
  | ((
      | { type: "provider.choose"; provider: string }
      | { type: "provider.change" }
      | { type: "choices.narrow"; field: string; value: string }
      | { type: "link.retry" }
      | { type: "link.cancel" }
    ) &
      ShownStep)
  | LoginEvent;

/** What the flow tells, for `actor.on()`. */
export type LinkEmitted = { type: "link.succeeded"; provider: string } | { type: "link.failed"; failure: Failure } | { type: "link.cancelled" };

/** What the flow knows; every secret in it is opaque. */
export interface LinkContext extends LinkRequest {
  /** The list of banks; empty where the settings name one. */
  readonly providers: readonly ProviderEntry[];
  /** What the chosen bank asks at the login. */
  readonly detail: ProviderDetail | undefined;
  /** The same with the choices that `choice` leaves. */
  readonly narrowed: ProviderDetail | undefined;
  /** How the login within stands. Plain data: a whole snapshot in here could not be persisted. */
  readonly login: Pick<SnapshotFrom<typeof loginMachine>, "value" | "context"> | undefined;
  /** The user name of the last login at this bank: who has to log in there again needs no other. */
  readonly username: Secret | undefined;
  /** Where the session can transfer to (contract, section 2.4). */
  readonly destinations: readonly TransferDestination[];
  /** What failed, until something else is tried. */
  readonly failure: Failure | undefined;
  /** Counts the steps, those of the logins within included. */
  readonly stepNumber: number;
}

/** How the flow ended: with a session, or left by the person. */
export type LinkOutput =
  | {
      readonly status: "linked";
      readonly provider: string;
      readonly key: Secret;
      readonly destinations: readonly TransferDestination[];
    }
  | { readonly status: "cancelled" };

// Errors of durable workers arrive as JSON, so the code counts, not the class.
const isCoded = (error: unknown): error is Failure =>
  typeof error === "object" && error !== null && "code" in error && typeof error.code === "string";

const isCurrent = (context: LinkContext, { stepNumber }: ShownStep): boolean => stepNumber === undefined || stepNumber === context.stepNumber;

const given = <Event>({ event }: { event: Event }) => event;
const replied = <Reply>({ event }: { event: { output: Reply } }) => ({ reply: event.output });

const thrown = ({ event }: { event: { error: unknown } }) => ({ error: event.error });

/** From "which bank?" to a session that lists where it can transfer to (contract, section 1). */
export const linkMachine = setup({
  types: {
    context: {} as LinkContext,
    events: {} as LinkEvent,
    emitted: {} as LinkEmitted,
    input: {} as LinkSettings,
    output: {} as LinkOutput,
    children: {} as { login: "login" },
    tags: {} as "busy",
  },
  actors: {} as LinkActors,
  guards: {
    isRefused: (_, { reply }: { reply: { status: string } }) => reply.status === "refused",
    // Where the service knows of no such session, and where the bank has ended it.
    isSessionEnded: (_, { reply }: { reply: DestinationsReply }) =>
      reply.status === "refused" && ["invalid_key", "provider_session_expired"].includes(reply.failure.code),
    isCurrent: ({ context }, event: ShownStep) => isCurrent(context, event),
    hasProviders: ({ context }, event: ShownStep) => isCurrent(context, event) && context.providers.length > 0,
    hasProvider: ({ context }, event: ShownStep) => isCurrent(context, event) && context.provider !== undefined,
    hasKey: ({ context }, event: ShownStep) => isCurrent(context, event) && context.key !== undefined,
    isNarrowable: ({ context }, event: ShownStep) => isCurrent(context, event) && context.settings.dependentChoices === true,
    isCleared: ({ context }, event: ShownStep & { value: string }) => isCurrent(context, event) && event.value === "",
    isEnough: ({ context }) => context.settings.destinations === false,
  },
  actions: {
    takeReply: assign((_, { reply }: { reply: ProvidersReply | FieldsReply | DestinationsReply }) => ({
      ...("providers" in reply && { providers: reply.providers }),
      ...("detail" in reply && { detail: reply.detail }),
      ...("destinations" in reply && { destinations: reply.destinations }),
      ...("failure" in reply && { failure: reply.failure }),
    })),
    takeProvider: assign((_, { provider }: { provider: string }) => ({ provider, detail: undefined, failure: undefined })),
    takeChoice: assign((_, { field, value }: { field: string; value: string }) => ({
      choice: { field, value },
      narrowed: undefined,
      failure: undefined,
    })),
    takeNarrowed: assign((_, { reply }: { reply: FieldsReply }) =>
      reply.status === "success" ? { narrowed: reply.detail } : { failure: reply.failure },
    ),
    takeLogin: assign(
      ({ context: { login, stepNumber, username } }, { snapshot: { value, context } }: { snapshot: SnapshotFrom<typeof loginMachine> }) => ({
        login: { value, context },
        username: context.credentials?.fields.username ?? username,
        stepNumber: login?.context.stepNumber === context.stepNumber ? stepNumber : (stepNumber ?? 0) + 1,
      }),
    ),
    takeSession: assign((_, { reply }: { reply: LoginOutput }) => ({ key: reply.key })),
    takeFault: assign((_, { error }: { error: unknown }) => {
      if (!isCoded(error)) return { failure: { kind: "fault", code: "unexpected_fault" } };
      const { code, field, request, httpStatus, retryAfter, detail } = error;
      return { failure: { kind: "fault", code, field, request, httpStatus, retryAfter, detail } };
    }),
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
    starting: { always: [{ guard: { type: "hasProvider", params: given }, target: "loadingFields" }, { target: "loadingProviders" }] },
    loadingProviders: {
      entry: "countStep",
      tags: "busy",
      invoke: {
        id: "listProviders",
        src: "listProviders",
        input: ({ context }) => context,
        onDone: [
          { guard: { type: "isRefused", params: replied }, target: "failed", actions: { type: "takeReply", params: replied } },
          { target: "choosingProvider", actions: { type: "takeReply", params: replied } },
        ],
        onError: { target: "failed", actions: { type: "takeFault", params: thrown } },
      },
      on: { "link.cancel": { guard: { type: "isCurrent", params: given }, target: "cancelled" } },
    },
    choosingProvider: {
      entry: ["countStep", "forgetProvider"],
      on: {
        "provider.choose": { guard: { type: "isCurrent", params: given }, target: "loadingFields", actions: { type: "takeProvider", params: given } },
        "link.cancel": { guard: { type: "isCurrent", params: given }, target: "cancelled" },
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
          { guard: { type: "isRefused", params: replied }, target: "failed", actions: { type: "takeReply", params: replied } },
          { target: "loggingIn", actions: { type: "takeReply", params: replied } },
        ],
        onError: { target: "failed", actions: { type: "takeFault", params: thrown } },
      },
      on: {
        "provider.change": { guard: { type: "hasProviders", params: given }, target: "choosingProvider" },
        "link.cancel": { guard: { type: "isCurrent", params: given }, target: "cancelled" },
      },
    },
    loggingIn: {
      entry: "countStep",
      invoke: {
        id: "login",
        src: "login",
        input: ({ context }) => context.settings,
        onSnapshot: { actions: { type: "takeLogin", params: ({ event }) => event } },
        onDone: [
          { guard: "isEnough", target: "linked", actions: { type: "takeSession", params: replied } },
          { target: "loadingDestinations", actions: { type: "takeSession", params: replied } },
        ],
        onError: { target: "failed", actions: { type: "takeFault", params: thrown } },
      },
      on: {
        "credentials.submit": { guard: { type: "isCurrent", params: given }, actions: "forwardToLogin" },
        "interaction.answer": { guard: { type: "isCurrent", params: given }, actions: "forwardToLogin" },
        "client.choose": { guard: { type: "isCurrent", params: given }, actions: "forwardToLogin" },
        "session.replace": { guard: { type: "isCurrent", params: given }, actions: "forwardToLogin" },
        "login.cancel": { guard: { type: "isCurrent", params: given }, actions: "forwardToLogin" },
        "choices.narrow": [
          { guard: { type: "isCleared", params: given }, target: ".asking", actions: "forgetChoice" },
          { guard: { type: "isNarrowable", params: given }, target: ".narrowing", actions: { type: "takeChoice", params: ({ event }) => event } },
        ],
        "provider.change": { guard: { type: "hasProviders", params: given }, target: "choosingProvider" },
        "link.cancel": { guard: { type: "isCurrent", params: given }, target: "cancelled" },
      },
      exit: "forgetLogin",
      initial: "asking",
      states: {
        asking: {},
        // The session that was reached has ended. The same form at the same bank, with the reason, until the person goes on.
        again: {
          on: {
            "credentials.submit": { guard: { type: "isCurrent", params: given }, target: "asking", actions: "forwardToLogin" },
            "login.cancel": { guard: { type: "isCurrent", params: given }, target: "asking", actions: "forwardToLogin" },
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
            onDone: { target: "asking", actions: { type: "takeNarrowed", params: replied } },
            onError: { target: "asking", actions: { type: "takeFault", params: thrown } },
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
            guard: { type: "isSessionEnded", params: replied },
            target: "loggingIn.again",
            actions: [{ type: "takeReply", params: replied }, "forgetSession"],
          },
          { guard: { type: "isRefused", params: replied }, target: "failed", actions: { type: "takeReply", params: replied } },
          { target: "linked", actions: { type: "takeReply", params: replied } },
        ],
        onError: { target: "failed", actions: { type: "takeFault", params: thrown } },
      },
      on: { "link.cancel": { guard: { type: "isCurrent", params: given }, target: "cancelled" } },
    },
    failed: {
      entry: ["countStep", emit(({ context }) => ({ type: "link.failed", failure: context.failure as Failure }))],
      on: {
        // Takes up what failed; a session that was reached is not lost.
        "link.retry": [
          { guard: { type: "hasKey", params: given }, target: "loadingDestinations", actions: "forgetFailure" },
          { guard: { type: "hasProvider", params: given }, target: "loadingFields", actions: "forgetFailure" },
          { guard: { type: "isCurrent", params: given }, target: "loadingProviders", actions: "forgetFailure" },
        ],
        "provider.change": { guard: { type: "hasProviders", params: given }, target: "choosingProvider" },
        "link.cancel": { guard: { type: "isCurrent", params: given }, target: "cancelled" },
      },
    },
    linked: {
      type: "final",
      entry: ["forgetUsername", emit(({ context }) => ({ type: "link.succeeded", provider: context.provider as string }))],
    },
    cancelled: { type: "final", entry: ["forgetProvider", emit({ type: "link.cancelled" })] },
  },
});
