/**
 * The login of one person at one bank, as a statechart (contract, section 3).
 *
 * @packageDocumentation
 */

import { assign, emit, type OutputFrom, setup } from "xstate";
import { toError, toEvent, toFault, toOutput } from "./event-parameters.ts";
import type { Credentials, Failure, Interaction, LoginActors, LoginContext, LoginTypes, PausedLogin, RequestOutput, Secret } from "./login.types.ts";

export type * from "./login.types.ts";

const emptyContext: Omit<LoginContext, "settings" | "stepNumber"> = {
  provider: "",
  credentials: undefined,
  key: undefined,
  interaction: undefined,
  answer: undefined,
  clients: [],
  expiresAt: undefined,
  client: undefined,
  sessionReplaced: false,
  failure: undefined,
};

type NewInteraction = Pick<Interaction, "field" | "context" | "expiresAt">;
type Submitted = { output: OutputFrom<LoginActors["submitCredentials"]> };

const isAtInteractionLimit = ({ interaction, settings }: LoginContext): boolean => (interaction?.number ?? 0) >= (settings.interactionLimit ?? 10);
// The response to a second login may have no key: the one at hand stays valid.
const hasKey = (context: LoginContext, output: { key?: Secret }): boolean => (output.key ?? context.key) !== undefined;
const toInteraction = (last: Interaction | undefined, { field, context, expiresAt }: NewInteraction): Interaction => {
  // The last one was answered, or the bank would not ask again.
  const answersSent = last?.field === field ? last.answersSent + 1 : 0;
  return { field, context, expiresAt, number: (last?.number ?? 0) + 1, isRepeat: answersSent > 0, answersSent };
};
const isSessionReplaceable = ({ settings, failure, key, sessionReplaced }: LoginContext): boolean =>
  settings.sessionReplacement === true && failure?.code === "max_sessions_reached" && key !== undefined && !sessionReplaced;
const isCurrent = ({ context, event }: { context: LoginContext; event: LoginTypes["events"] }): boolean =>
  event.stepNumber === undefined || event.stepNumber === context.stepNumber;

/** The login of one person at one bank (contract, section 3). */
export const loginMachine = setup({
  types: {} as LoginTypes,
  actors: {} as LoginActors,
  guards: {
    hasSession: ({ context }, { output }: Submitted) => output.status === "logged_in" && hasKey(context, output),
    isInteractionRequired: ({ context }, { output }: Submitted) =>
      output.status === "interaction_required" && hasKey(context, output) && !isAtInteractionLimit(context),
    isOverInteractionLimit: ({ context }, { output }: Submitted) => output.status === "interaction_required" && isAtInteractionLimit(context),
    isClientSelectionEnabled: ({ context }, { output }: Submitted) =>
      output.status === "select_client" && context.settings.clientSelection === true && hasKey(context, output),
    isClientSelectionDisabled: ({ context }, { output }: Submitted) => output.status === "select_client" && context.settings.clientSelection !== true,
    isRefused: (_, { output }: { output: { status: string } }) => output.status === "refused",
    hasClients: (_, { output }: { output: OutputFrom<LoginActors["listClients"]> }) => output.status === "success" && output.clients.length > 0,
    isCurrent,
    isSessionReplaceable: (scope) => isCurrent(scope) && isSessionReplaceable(scope.context),
    isListedClient: (scope, { client }: { client: string }) => isCurrent(scope) && scope.context.clients.some(({ id }) => id === client),
    isInteractionPaused: (_, { paused }: { paused: PausedLogin }) => paused.interaction !== undefined,
  },
  actions: {
    storeCredentials: assign((_, { credentials }: { credentials: Credentials }) => ({
      ...emptyContext,
      credentials,
      provider: credentials.provider,
    })),
    storePaused: assign((_, { paused }: { paused: PausedLogin }) => ({ ...emptyContext, ...paused })),
    storeAnswer: assign((_, { answer }: { answer: Secret }) => ({ answer })),
    storeOutput: assign(({ context }, { output }: { output: RequestOutput }) => ({
      // A refusal's key is that of another session.
      key: ("key" in output ? output.key : undefined) ?? ("failure" in output ? undefined : context.key),
      answer: undefined,
      ...("failure" in output && { failure: output.failure }),
      expiresAt: "expiresAt" in output ? output.expiresAt : undefined,
      ...("clients" in output && { clients: output.clients }),
      ...("field" in output && { interaction: toInteraction(context.interaction, output) }),
    })),
    storeClient: assign((_, { client }: { client: string }) => ({ client })),
    storeFailure: assign((_, failure: Failure) => ({ failure })),
    storeFault: assign((_, { error }: { error: unknown }) => ({ failure: toFault(error) })),
    markSessionReplaced: assign({ sessionReplaced: true }),
    forgetSession: assign({ key: undefined, interaction: undefined, failure: undefined }),
    forgetCredentials: assign({ credentials: undefined, answer: undefined }),
    forgetSecrets: assign(({ context }) => ({
      answer: undefined,
      credentials: isSessionReplaceable(context) ? context.credentials : undefined,
      // Whoever has too many sessions needs the key of the one to close.
      key: context.failure?.code === "max_sessions_reached" ? context.key : undefined,
    })),
    forgetAll: assign(emptyContext),
    // A snapshot that an earlier version has stored has no number.
    countStep: assign(({ context }) => ({ stepNumber: (context.stepNumber ?? 0) + 1 })),
    announceCancel: emit({ type: "login.cancelled" }),
  },
}).createMachine({
  id: "login",
  context: ({ input }) => ({ settings: input, stepNumber: 0, ...emptyContext }),
  // `loggedIn` is entered with a key only: see hasSession and isClientSelectionEnabled.
  output: ({ context }) => ({ provider: context.provider, key: context.key as Secret }),
  initial: "idle",
  states: {
    idle: {
      entry: "countStep",
      on: {
        "credentials.submit": { guard: "isCurrent", target: "submitting", actions: { type: "storeCredentials", params: toEvent } },
        "login.resume": [
          {
            guard: { type: "isInteractionPaused", params: toEvent },
            target: "awaitingInteraction",
            actions: { type: "storePaused", params: toEvent },
          },
          { target: "selectClient.choosing", actions: { type: "storePaused", params: toEvent } },
        ],
      },
    },
    submitting: {
      entry: "countStep",
      tags: "busy",
      invoke: {
        id: "submitCredentials",
        src: "submitCredentials",
        input: ({ context }) => context,
        onDone: [
          { guard: { type: "hasSession", params: toOutput }, target: "loggedIn", actions: { type: "storeOutput", params: toOutput } },
          {
            guard: { type: "isInteractionRequired", params: toOutput },
            target: "awaitingInteraction",
            actions: { type: "storeOutput", params: toOutput },
          },
          {
            guard: { type: "isOverInteractionLimit", params: toOutput },
            target: "failed",
            actions: { type: "storeFailure", params: { kind: "outcome", code: "too_many_interactions" } },
          },
          {
            guard: { type: "isClientSelectionEnabled", params: toOutput },
            target: "selectClient.listing",
            actions: { type: "storeOutput", params: toOutput },
          },
          {
            guard: { type: "isClientSelectionDisabled", params: toOutput },
            target: "selectClient",
            actions: { type: "storeOutput", params: toOutput },
          },
          { guard: { type: "isRefused", params: toOutput }, target: "failed", actions: { type: "storeOutput", params: toOutput } },
          { target: "failed", actions: { type: "storeFailure", params: { kind: "fault", code: "response_against_contract", field: "key" } } },
        ],
        onError: { target: "failed", actions: { type: "storeFault", params: toError } },
      },
      on: { "login.cancel": { guard: "isCurrent", target: "idle", actions: ["forgetAll", "announceCancel"] } },
    },
    awaitingInteraction: {
      entry: ["countStep", emit(({ context }) => ({ type: "interaction.required", interaction: context.interaction as Interaction }))],
      invoke: {
        id: "interactionDeadline",
        src: "waitUntil",
        input: ({ context }) => ({ time: context.expiresAt }),
        onDone: { target: "failed", actions: { type: "storeFailure", params: { kind: "outcome", code: "expired" } } },
      },
      on: {
        "interaction.answer": { guard: "isCurrent", target: "submitting", actions: { type: "storeAnswer", params: toEvent } },
        "login.cancel": { guard: "isCurrent", target: "idle", actions: ["forgetAll", "announceCancel"] },
      },
    },
    selectClient: {
      entry: "forgetCredentials",
      initial: "resting",
      states: {
        resting: { entry: "countStep" },
        listing: {
          entry: "countStep",
          tags: "busy",
          invoke: {
            id: "listClients",
            src: "listClients",
            input: ({ context }) => context,
            onDone: [
              { guard: { type: "hasClients", params: toOutput }, target: "choosing", actions: { type: "storeOutput", params: toOutput } },
              { guard: { type: "isRefused", params: toOutput }, target: "#login.failed", actions: { type: "storeOutput", params: toOutput } },
              { target: "#login.failed", actions: { type: "storeFailure", params: { kind: "outcome", code: "no_clients" } } },
            ],
            onError: { target: "#login.failed", actions: { type: "storeFault", params: toError } },
          },
        },
        choosing: {
          entry: ["countStep", emit(({ context }) => ({ type: "client.required", clients: context.clients }))],
          invoke: {
            id: "choiceDeadline",
            src: "waitUntil",
            input: ({ context }) => ({ time: context.expiresAt }),
            onDone: { target: "#login.failed", actions: { type: "storeFailure", params: { kind: "outcome", code: "expired" } } },
          },
          on: {
            "client.choose": [
              { guard: { type: "isListedClient", params: toEvent }, target: "selecting", actions: { type: "storeClient", params: toEvent } },
              {
                guard: "isCurrent",
                target: "#login.failed",
                actions: { type: "storeFailure", params: { kind: "outcome", code: "wrong_client" } },
              },
            ],
          },
        },
        selecting: {
          entry: "countStep",
          tags: "busy",
          invoke: {
            id: "selectClient",
            src: "selectClient",
            input: ({ context }) => context,
            onDone: [
              { guard: { type: "isRefused", params: toOutput }, target: "#login.failed", actions: { type: "storeOutput", params: toOutput } },
              { target: "#login.loggedIn", actions: { type: "storeOutput", params: toOutput } },
            ],
            onError: { target: "#login.failed", actions: { type: "storeFault", params: toError } },
          },
        },
      },
      on: { "login.cancel": { guard: "isCurrent", target: "idle", actions: ["forgetAll", "announceCancel"] } },
    },
    failed: {
      entry: ["countStep", "forgetSecrets", emit(({ context }) => ({ type: "login.failed", failure: context.failure as Failure }))],
      on: {
        "credentials.submit": { guard: "isCurrent", target: "submitting", actions: { type: "storeCredentials", params: toEvent } },
        "session.replace": { guard: "isSessionReplaceable", target: "replacingSession", actions: "markSessionReplaced" },
        "login.cancel": { guard: "isCurrent", target: "idle", actions: ["forgetAll", "announceCancel"] },
      },
    },
    replacingSession: {
      entry: "countStep",
      tags: "busy",
      invoke: {
        id: "closeSession",
        src: "closeSession",
        input: ({ context }) => context,
        onDone: [
          { guard: { type: "isRefused", params: toOutput }, target: "failed", actions: { type: "storeOutput", params: toOutput } },
          { target: "submitting", actions: "forgetSession" },
        ],
        onError: { target: "failed", actions: { type: "storeFault", params: toError } },
      },
      on: { "login.cancel": { guard: "isCurrent", target: "idle", actions: ["forgetAll", "announceCancel"] } },
    },
    loggedIn: {
      type: "final",
      entry: ["forgetCredentials", emit(({ context }) => ({ type: "login.succeeded", provider: context.provider }))],
    },
  },
});
