/**
 * The login of one person at one bank, as a statechart (contract, section 3).
 *
 * @packageDocumentation
 */

import { assertEvent, assign, emit, fromPromise, setup } from "xstate";
import type {
  Failure,
  Interaction,
  ListClientsOutput,
  LoginActors,
  LoginContext,
  LoginTypes,
  Refused,
  RequestOutput,
  Secret,
  SubmitCredentialsOutput,
} from "./login.types.ts";

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

// What a request has ended with. The events of a statechart's own type are those that it is sent.
const outputOf = <Output = RequestOutput>({ event }: { event: object }): Output => (event as { output: Output }).output;

// A fault as plain data: the statechart can be stored, and errors of durable workers arrive as JSON, so the code counts, not the class.
const faultOf = ({ event }: { event: object }): Failure => {
  const { error } = event as { error: unknown };
  if (typeof error !== "object" || error === null || !("code" in error) || typeof error.code !== "string")
    return { kind: "fault", code: "unexpected_fault" };
  const { code, field, request, httpStatus, retryAfter, detail } = error as Failure;
  return { kind: "fault", code, field, request, httpStatus, retryAfter, detail };
};

// A fault that came after the bank had opened a session has its key.
const keyOfFault = ({ event }: { event: object }): Secret | undefined => {
  const { error } = event as { error: { readonly key?: unknown } | null | undefined };
  return typeof error?.key === "object" ? (error.key as Secret) : undefined;
};

// A slot that nobody filled: the login fails with its name, in place of waiting for ever.
const unfilled = <Output, Input>(slot: string) =>
  fromPromise<Output, Input>(() => Promise.reject({ code: "handler_failed", field: slot, detail: "no actor was provided" }));

type Asked = Extract<SubmitCredentialsOutput, { status: "interaction_required" }>;
type Scope = { context: LoginContext; event: object };
// The response to a second login may have no key: the one at hand stays valid.
const keyOf = (scope: Scope): Secret | undefined => outputOf<{ key?: Secret }>(scope).key ?? scope.context.key;
const isAtInteractionLimit = ({ context: { interaction, settings } }: Scope): boolean =>
  (interaction?.number ?? 0) >= (settings.interactionLimit ?? 10);
// The same login is sent again: one that was resumed without its credentials can't be.
const isSessionReplaceable = ({ settings, failure, key, sessionReplaced, credentials }: LoginContext): boolean =>
  settings.sessionReplacement === true &&
  failure?.code === "max_sessions_reached" &&
  key !== undefined &&
  credentials !== undefined &&
  !sessionReplaced;

/** The login of one person at one bank (contract, section 3). */
export const loginMachine = setup({
  types: {} as LoginTypes,
  actors: {
    submitCredentials: unfilled("submitCredentials"),
    listClients: unfilled("listClients"),
    selectClient: unfilled("selectClient"),
    closeSession: unfilled("closeSession"),
    waitUntil: unfilled("waitUntil"),
  } as LoginActors,
  guards: {
    hasSession: (scope) => outputOf(scope).status === "logged_in" && keyOf(scope) !== undefined,
    isInteractionRequired: (scope) => outputOf(scope).status === "interaction_required" && keyOf(scope) !== undefined && !isAtInteractionLimit(scope),
    isOverInteractionLimit: (scope) => outputOf(scope).status === "interaction_required" && isAtInteractionLimit(scope),
    isClientSelectionEnabled: (scope) =>
      outputOf(scope).status === "select_client" && scope.context.settings.clientSelection === true && keyOf(scope) !== undefined,
    isClientSelectionDisabled: (scope) => outputOf(scope).status === "select_client" && scope.context.settings.clientSelection !== true,
    isAnswerNotSent: (scope) => outputOf(scope).status === "not_sent" && scope.context.interaction !== undefined,
    isRefused: (scope) => outputOf(scope).status === "refused",
    hasClients: (scope) => {
      const output = outputOf<ListClientsOutput>(scope);
      return output.status === "success" && output.clients.length > 0;
    },
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
    storeSession: assign((scope) => ({ key: keyOf(scope), answer: undefined, expiresAt: undefined })),
    storeInteraction: assign((scope) => {
      const { field, fields = [field], context, expiresAt, isResumable } = outputOf<Asked>(scope);
      const last = scope.context.interaction;
      // The last one was answered, or the bank would not ask again.
      const answersSent = last?.field === field ? last.answersSent + 1 : 0;
      const number = (last?.number ?? 0) + 1;
      const interaction = { field, fields, context, expiresAt, number, isRepeat: answersSent > 0, answersSent, isResumable };
      return { key: keyOf(scope), interaction, answer: undefined, expiresAt };
    }),
    storeClients: assign((scope) => {
      const { clients, expiresAt } = outputOf<Pick<LoginContext, "clients" | "expiresAt">>(scope);
      return { clients, expiresAt };
    }),
    // A refusal's key is that of another session.
    storeRefusal: assign((scope) => {
      const { failure, key } = outputOf<Refused>(scope);
      return { failure, key, answer: undefined, expiresAt: undefined };
    }),
    storeFault: assign((scope) => ({ failure: faultOf(scope), key: keyOfFault(scope) })),
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
  context: ({ input }) => ({ settings: input, attempts: 0, ...emptyContext }),
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
        input: ({ context }) => context,
        onDone: [
          { guard: "hasSession", target: "loggedIn", actions: "storeSession" },
          { guard: "isInteractionRequired", target: "awaitingInteraction", actions: "storeInteraction" },
          { guard: "isOverInteractionLimit", target: "failed", actions: "failOverLimit" },
          { guard: "isClientSelectionEnabled", target: "selectClient.listing", actions: "storeSession" },
          { guard: "isClientSelectionDisabled", target: "selectClient", actions: "storeSession" },
          { guard: "isAnswerNotSent", target: "awaitingInteraction", actions: "forgetAttempt" },
          { guard: "isRefused", target: "failed", actions: "storeRefusal" },
          { target: "failed", actions: "failWithoutKey" },
        ],
        onError: { target: "failed", actions: "storeFault" },
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
            input: ({ context }) => context,
            onDone: [
              { guard: "hasClients", target: "choosing", actions: "storeClients" },
              { guard: "isRefused", target: "#login.failed", actions: "storeRefusal" },
              { target: "#login.failed", actions: "failWithoutClients" },
            ],
            onError: { target: "#login.failed", actions: "storeFault" },
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
            input: ({ context }) => context,
            onDone: [
              { guard: "isRefused", target: "#login.failed", actions: "storeRefusal" },
              { target: "#login.loggedIn", actions: "storeSession" },
            ],
            onError: { target: "#login.failed", actions: "storeFault" },
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
        input: ({ context }) => context,
        onDone: [
          { guard: "isRefused", target: "failed", actions: "storeRefusal" },
          { target: "submitting", actions: "forgetSession" },
        ],
        onError: { target: "failed", actions: "storeFault" },
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
