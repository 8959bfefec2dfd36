/**
 * The login of one person at one bank, as a statechart (contract, section 3).
 *
 * @packageDocumentation
 */

import { assertEvent, assign, type DoneActorEvent, type ErrorActorEvent, emit, setup } from "xstate";
import type {
  Failure,
  Interaction,
  ListClientsOutput,
  LoginActors,
  LoginContext,
  LoginTypes,
  RequestOutput,
  Secret,
  SubmitCredentialsOutput,
} from "./login.types.ts";
import { keyOfFault, toFault, unfilled, waitUntil } from "./slots.ts";

export type * from "./login.types.ts";

const emptyContext: Omit<LoginContext, "settings" | "attempts"> = {
  id: "",
  provider: "",
  attemptId: undefined,
  isResponseLost: false,
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

// What a request has ended with, and what it has thrown: the parameters of guards and actions.
const output = <Output>({ event }: { event: DoneActorEvent<Output> }): Output => event.output;
const error = ({ event }: { event: ErrorActorEvent }): unknown => event.error;

type Keyed = { readonly status: string; readonly key?: Secret };
type Scope = { context: LoginContext };
// The response to a second login may have no key: the one at hand stays valid.
const hasKey = ({ context }: Scope, { key }: Keyed): boolean => (key ?? context.key) !== undefined;
const isAtInteractionLimit = ({ context: { interaction, settings } }: Scope): boolean =>
  (interaction?.number ?? 0) >= (settings.interactionLimit ?? 10);
// The same login is sent again: one that was resumed without its credentials can't be.
const isSessionReplaceable = ({ settings, failure, key, sessionReplaced, credentials }: LoginContext): boolean =>
  settings.sessionReplacement === true &&
  failure?.code === "max_sessions_reached" &&
  key !== undefined &&
  credentials !== undefined &&
  !sessionReplaced;

// What each request gets, and nothing else: a list of clients needs no password.
const loginRequest = ({ settings, provider, attemptId, isResponseLost, credentials, key, interaction, answer, sessionReplaced }: LoginContext) => ({
  settings,
  provider,
  attemptId,
  isResponseLost,
  credentials,
  key,
  interaction,
  answer,
  sessionReplaced,
});
const sessionRequest = ({ settings, key, client }: LoginContext) => ({ settings, key, client });

const types: LoginTypes = {};

const actors: LoginActors = {
  submitCredentials: unfilled("submitCredentials"),
  listClients: unfilled("listClients"),
  selectClient: unfilled("selectClient"),
  closeSession: unfilled("closeSession"),
  waitUntil,
};

/** The login of one person at one bank (contract, section 3). */
export const loginMachine = setup({
  types,
  actors,
  guards: {
    hasSession: (scope, reply: SubmitCredentialsOutput) => reply.status === "logged_in" && hasKey(scope, reply),
    isInteractionRequired: (scope, reply: SubmitCredentialsOutput) =>
      reply.status === "interaction_required" && hasKey(scope, reply) && !isAtInteractionLimit(scope),
    isOverInteractionLimit: (scope, reply: SubmitCredentialsOutput) => reply.status === "interaction_required" && isAtInteractionLimit(scope),
    isClientSelectionEnabled: (scope, reply: SubmitCredentialsOutput) =>
      reply.status === "select_client" && scope.context.settings.clientSelection === true && hasKey(scope, reply),
    isClientSelectionDisabled: ({ context }, { status }: SubmitCredentialsOutput) =>
      status === "select_client" && context.settings.clientSelection !== true,
    isAnswerNotSent: ({ context }, { status }: SubmitCredentialsOutput) => status === "not_sent" && context.interaction !== undefined,
    isRefused: (_, { status }: RequestOutput) => status === "refused",
    hasClients: (_, reply: ListClientsOutput) => reply.status === "success" && reply.clients.length > 0,
    isSessionReplaceable: ({ context }) => isSessionReplaceable(context),
    isListedClient: ({ context, event }) => event.type === "client.choose" && context.clients.some(({ id }) => id === event.client),
    isResponseLost: ({ event }) => event.type === "login.resume" && "attemptId" in event.paused,
    isInteractionPaused: ({ event }) => event.type === "login.resume" && event.paused.interaction !== undefined,
  },
  actions: {
    storeCredentials: assign(({ context, event }) => {
      assertEvent(event, "credentials.submit");
      const { id, provider } = event.credentials;
      return { ...emptyContext, id, provider, attemptId: id, credentials: event.credentials, attempts: context.attempts + 1 };
    }),
    storePaused: assign(({ event }) => {
      assertEvent(event, "login.resume");
      return { ...emptyContext, ...event.paused, isResponseLost: "attemptId" in event.paused };
    }),
    storeAnswer: assign(({ event }) => {
      assertEvent(event, "interaction.answer");
      return { answer: event.answer, attemptId: event.attemptId, isResponseLost: false };
    }),
    storeClient: assign(({ event }) => {
      assertEvent(event, "client.choose");
      return { client: event.client };
    }),
    storeSession: assign(({ context }, { key = context.key }: Keyed) => ({ key, answer: undefined, expiresAt: undefined })),
    storeInteraction: assign(({ context: { key: keyAtHand, interaction: last } }, reply: SubmitCredentialsOutput) => {
      if (reply.status !== "interaction_required") return {};
      const { field, fields = [field], context, expiresAt, isResumable, key = keyAtHand } = reply;
      // The last one was answered, or the bank would not ask again.
      const answersSent = last?.field === field ? last.answersSent + 1 : 0;
      const number = (last?.number ?? 0) + 1;
      const interaction = { field, fields, context, expiresAt, number, isRepeat: answersSent > 0, answersSent, isResumable };
      return { key, interaction, answer: undefined, expiresAt };
    }),
    storeClients: assign((_, reply: ListClientsOutput) => (reply.status === "success" ? { clients: reply.clients, expiresAt: reply.expiresAt } : {})),
    // A refusal's key is that of another session.
    storeRefusal: assign((_, reply: RequestOutput) =>
      reply.status === "refused" ? { failure: reply.failure, key: reply.key, answer: undefined, expiresAt: undefined } : {},
    ),
    storeFault: assign((_, thrown: unknown) => ({ failure: toFault(thrown), key: keyOfFault(thrown) })),
    failWithoutKey: assign({ failure: { kind: "fault", code: "response_against_contract", field: "key" } }),
    failOverLimit: assign({ failure: { kind: "outcome", code: "too_many_interactions" } }),
    failWithoutClients: assign({ failure: { kind: "outcome", code: "no_clients" } }),
    failUnlisted: assign({ failure: { kind: "outcome", code: "wrong_client" } }),
    failExpired: assign({ failure: { kind: "outcome", code: "expired" } }),
    // A relay takes each attempt id once. With another session out of the way the same login is sent again.
    markSessionReplaced: assign(({ context }) => ({ sessionReplaced: true, attemptId: `${context.id}.2` })),
    forgetAttempt: assign({ attemptId: undefined, isResponseLost: false, answer: undefined }),
    forgetSession: assign({ key: undefined, interaction: undefined, failure: undefined }),
    forgetCredentials: assign({ credentials: undefined, answer: undefined }),
    forgetSecrets: assign(({ context }) => ({
      answer: undefined,
      credentials: isSessionReplaceable(context) ? context.credentials : undefined,
      // Whoever has too many sessions needs the key of the one to close. A fault has only a key of its own.
      key: context.failure?.code === "max_sessions_reached" || context.failure?.kind === "fault" ? context.key : undefined,
    })),
    forgetAll: assign(emptyContext),
    announceInteraction: emit(({ context }) => ({ type: "interaction.required" as const, interaction: context.interaction as Interaction })),
    announceClients: emit(({ context }) => ({ type: "client.required" as const, clients: context.clients })),
    announceFailure: emit(({ context }) => ({ type: "login.failed" as const, failure: context.failure as Failure })),
    announceSuccess: emit(({ context }) => ({ type: "login.succeeded" as const, provider: context.provider })),
    announceCancel: emit({ type: "login.cancelled" }),
  },
}).createMachine({
  id: "login",
  context: ({ input: settings = {} }) => ({ settings, attempts: 0, ...emptyContext }),
  // `loggedIn` is entered with a key only: see hasSession and isClientSelectionEnabled.
  output: ({ context }) => ({ id: context.id, provider: context.provider, key: context.key as Secret }),
  initial: "idle",
  states: {
    idle: {
      description: "Waits for the credentials, or for a login that was paused elsewhere.",
      on: {
        "credentials.submit": { target: "submitting", actions: "storeCredentials" },
        "login.resume": [
          { guard: "isResponseLost", target: "submitting", actions: "storePaused" },
          { guard: "isInteractionPaused", target: "awaitingInteraction", actions: "storePaused" },
          { target: "selectClient.choosing", actions: "storePaused" },
        ],
      },
    },
    submitting: {
      description:
        "POST /login/ is under way: the first one, or with a key the second one (contract, section 4.1). If its page was reloaded, a relay is asked how it ended.",
      tags: "busy",
      invoke: {
        id: "submitCredentials",
        src: "submitCredentials",
        input: ({ context }) => loginRequest(context),
        onDone: [
          { guard: { type: "hasSession", params: output }, target: "loggedIn", actions: { type: "storeSession", params: output } },
          {
            guard: { type: "isInteractionRequired", params: output },
            target: "awaitingInteraction",
            actions: { type: "storeInteraction", params: output },
          },
          { guard: { type: "isOverInteractionLimit", params: output }, target: "failed", actions: "failOverLimit" },
          {
            guard: { type: "isClientSelectionEnabled", params: output },
            target: "selectClient.listing",
            actions: { type: "storeSession", params: output },
          },
          { guard: { type: "isClientSelectionDisabled", params: output }, target: "selectClient", actions: { type: "storeSession", params: output } },
          { guard: { type: "isAnswerNotSent", params: output }, target: "awaitingInteraction", actions: "forgetAttempt" },
          { guard: { type: "isRefused", params: output }, target: "failed", actions: { type: "storeRefusal", params: output } },
          { target: "failed", actions: "failWithoutKey" },
        ],
        onError: { target: "failed", actions: { type: "storeFault", params: error } },
      },
      on: { "login.cancel": { target: "idle", actions: ["forgetAll", "announceCancel"] } },
    },
    awaitingInteraction: {
      description: "The bank asks for one more field, or several (contract, section 2.3). Waits for the person's answer, until its deadline.",
      tags: "open",
      entry: "announceInteraction",
      invoke: {
        id: "interactionDeadline",
        src: "waitUntil",
        input: ({ context }) => ({ time: context.expiresAt }),
        onDone: { target: "failed", actions: "failExpired" },
        onError: { target: "failed", actions: { type: "storeFault", params: error } },
      },
      on: {
        "interaction.answer": { target: "submitting", actions: "storeAnswer" },
        "login.cancel": { target: "idle", actions: ["forgetAll", "announceCancel"] },
      },
    },
    selectClient: {
      description: "A client must be selected (contract, section 3). The contract ends here; the rest is opt-in.",
      entry: "forgetCredentials",
      initial: "resting",
      states: {
        resting: { description: "Client selection is off: the login is over, with its key.", tags: "over" },
        listing: {
          description: "GET /client/ is under way. Beyond the contract.",
          tags: "busy",
          invoke: {
            id: "listClients",
            src: "listClients",
            input: ({ context }) => sessionRequest(context),
            onDone: [
              { guard: { type: "hasClients", params: output }, target: "choosing", actions: { type: "storeClients", params: output } },
              { guard: { type: "isRefused", params: output }, target: "#login.failed", actions: { type: "storeRefusal", params: output } },
              { target: "#login.failed", actions: "failWithoutClients" },
            ],
            onError: { target: "#login.failed", actions: { type: "storeFault", params: error } },
          },
        },
        choosing: {
          description: "Waits for the person's choice, until its deadline.",
          tags: "open",
          entry: "announceClients",
          invoke: {
            id: "choiceDeadline",
            src: "waitUntil",
            input: ({ context }) => ({ time: context.expiresAt }),
            onDone: { target: "#login.failed", actions: "failExpired" },
            onError: { target: "#login.failed", actions: { type: "storeFault", params: error } },
          },
          on: {
            "client.choose": [
              { guard: "isListedClient", target: "selecting", actions: "storeClient" },
              { target: "#login.failed", actions: "failUnlisted" },
            ],
          },
        },
        selecting: {
          description: "GET /client/{id}/ is under way. Beyond the contract.",
          tags: "busy",
          invoke: {
            id: "selectClient",
            src: "selectClient",
            input: ({ context }) => sessionRequest(context),
            onDone: [
              { guard: { type: "isRefused", params: output }, target: "#login.failed", actions: { type: "storeRefusal", params: output } },
              { target: "#login.loggedIn", actions: { type: "storeSession", params: output } },
            ],
            onError: { target: "#login.failed", actions: { type: "storeFault", params: error } },
          },
        },
      },
      on: { "login.cancel": { target: "idle", actions: ["forgetAll", "announceCancel"] } },
    },
    failed: {
      description: "The failure is in the context. A new submit begins again; another session may be replaced, where the settings allow it.",
      tags: "over",
      entry: ["forgetSecrets", "announceFailure"],
      on: {
        "credentials.submit": { target: "submitting", actions: "storeCredentials" },
        "session.replace": { guard: "isSessionReplaceable", target: "replacingSession", actions: "markSessionReplaced" },
        "login.cancel": { target: "idle", actions: ["forgetAll", "announceCancel"] },
      },
    },
    replacingSession: {
      description: "GET /logout/ closes the other session before the same login is sent again. Beyond the contract.",
      tags: "busy",
      invoke: {
        id: "closeSession",
        src: "closeSession",
        input: ({ context }) => sessionRequest(context),
        onDone: [
          { guard: { type: "isRefused", params: output }, target: "failed", actions: { type: "storeRefusal", params: output } },
          { target: "submitting", actions: "forgetSession" },
        ],
        onError: { target: "failed", actions: { type: "storeFault", params: error } },
      },
      on: { "login.cancel": { target: "idle", actions: ["forgetAll", "announceCancel"] } },
    },
    loggedIn: {
      description: "A session has started, and its key is the output (contract, section 3).",
      type: "final",
      tags: "over",
      entry: ["forgetCredentials", "announceSuccess"],
    },
  },
});
