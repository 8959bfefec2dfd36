/**
 * The login of one person at one bank, as a statechart (contract, section 3).
 *
 * @packageDocumentation
 */

import { assertEvent, assign, type DoneActorEvent, type DoneStateEvent, type ErrorActorEvent, emit, setup } from "xstate";
import type {
  ApprovalOutput,
  CloseSessionOutput,
  Failure,
  ListClientsOutput,
  LoginActors,
  LoginContext,
  LoginTypes,
  RequestOutput,
  Secret,
  SubmitOutput,
} from "./login.types.ts";
import { isOverLimit, nextInteraction } from "./next-interaction.ts";
import { findPlainSecret } from "./plain-secrets.ts";
import { assertPresent, isUnreceived, keyOfFault, missingActor, never, output, toFault, waitUntil } from "./slots.ts";

export type * from "./login.types.ts";

const emptyContext: Omit<LoginContext, "settings" | "attempts"> = {
  id: "",
  provider: "",
  token: undefined,
  credentials: undefined,
  key: undefined,
  loggedInAt: undefined,
  interaction: undefined,
  answer: undefined,
  answerKind: undefined,
  answersInVain: undefined,
  clients: [],
  expiresAt: undefined,
  client: undefined,
  sessionReplaced: false,
  failure: undefined,
};

type Scope = { readonly context: LoginContext };
type Keyed = { readonly status: string; readonly key?: Secret | undefined; readonly loggedInAt?: number };

// What each request gets, and nothing else.
const fieldsRequest = ({ context: { settings, credentials } }: Scope) => ({ settings, credentials });
const credentialsRequest = ({ context: { settings, id, token, credentials } }: Scope) => ({ settings, id, token, credentials });
const answerRequest = ({ context }: Scope) => {
  const { settings, provider, credentials, key, interaction, answer, answerKind } = context;
  return { settings, provider, credentials, key, interaction, answer, answerKind };
};
const resumeRequest = ({ context: { settings, provider, id, token } }: Scope) => ({ settings, provider, id, token });
const approvalRequest = ({ context: { settings, provider, key, interaction } }: Scope) => ({ settings, provider, key, interaction });
const sessionRequest = ({ context: { settings, key, client } }: Scope) => ({ settings, key, client });
const deadline = ({ context }: Scope) => ({ time: context.expiresAt });

// The parameters of guards and actions: what a request has thrown, and the response of a login request. XState does not type the output of a final state.
const error = ({ event }: { event: ErrorActorEvent }): unknown => event.error;
const response = ({ event }: { event: DoneStateEvent }) => output({ event: event.output as DoneActorEvent<SubmitOutput> });

// Transitions that several states have. Plain constants: with `as const` Stately's importer loses a transition in silence.
type Way<Actions> = { target: string; actions: Actions };
const broken: Way<{ type: "storeFault"; params: typeof error }> = { target: "#login.failed", actions: { type: "storeFault", params: error } };
const expired: Way<{ type: "fail"; params: Failure }> = {
  target: "#login.failed",
  actions: { type: "fail", params: { kind: "outcome", code: "expired" } },
};
const cancelled: Way<("forgetAll" | "announceCancel")[]> = { target: "#login.idle", actions: ["forgetAll", "announceCancel"] };

// The response to a second login may have no key: the one at hand stays valid.
const hasKey = ({ key }: LoginContext, response: SubmitOutput): boolean => (response.key ?? key) !== undefined;
// The same login is sent again. A login that was resumed without its credentials can't be.
const isSessionReplaceable = ({ settings, failure, key, sessionReplaced, credentials }: LoginContext): boolean =>
  settings.sessionReplacement === true &&
  failure?.code === "max_sessions_reached" &&
  key !== undefined &&
  credentials !== undefined &&
  !sessionReplaced;

const types: LoginTypes = {};

const actors: LoginActors = {
  checkFields: missingActor("checkFields"),
  submitCredentials: missingActor("submitCredentials"),
  submitAnswer: missingActor("submitAnswer"),
  resume: missingActor("resume"),
  listClients: missingActor("listClients"),
  selectClient: missingActor("selectClient"),
  closeSession: missingActor("closeSession"),
  awaitApproval: never(),
  waitUntil,
};

/** The login of one person at one bank (contract, section 3). */
export const loginMachine = setup({
  types,
  actors,
  guards: {
    isPlain: ({ event }) => findPlainSecret(event) !== undefined,
    isUnchecked: ({ context: { settings } }) => settings.validate === false,
    hasSession: ({ context }, response: SubmitOutput) => response.status === "logged_in" && hasKey(context, response),
    hasInteraction: ({ context }, response: SubmitOutput) => response.status === "interaction_required" && hasKey(context, response),
    isOverLimit: ({ context }, response: SubmitOutput) => response.status === "interaction_required" && isOverLimit(context, response),
    isSelectionOn: ({ context }, response: SubmitOutput) =>
      response.status === "select_client" && context.settings.clientSelection === true && hasKey(context, response),
    isSelectionOff: ({ context }, response: SubmitOutput) => response.status === "select_client" && context.settings.clientSelection !== true,
    isRefused: (_, reply: RequestOutput) => reply.status === "refused",
    hasClients: (_, reply: ListClientsOutput) => reply.status === "success" && reply.clients.length > 0,
    isSessionReplaceable: ({ context }) => isSessionReplaceable(context),
    isApproved: (_, { status }: ApprovalOutput) => status === "approved",
    isDenied: (_, { status }: ApprovalOutput) => status === "denied",
    isListedClient: ({ context, event }) => event.type === "client.choose" && context.clients.some(({ id }) => id === event.client),
    isUnsent: (_, reply: RequestOutput) => reply.status === "refused" && isUnreceived(reply.failure),
    isKept: ({ event }) => event.type === "login.resume" && "token" in event.paused,
    isInteractionPaused: ({ event }) => event.type === "login.resume" && "interaction" in event.paused && event.paused.interaction !== undefined,
  },
  actions: {
    storeCredentials: assign(({ context, event }) => {
      assertEvent(event, "credentials.submit");
      const { id, token, provider } = event.credentials;
      return { ...emptyContext, id, token, provider, credentials: event.credentials, attempts: context.attempts + 1 };
    }),
    storePaused: assign(({ event }) => {
      assertEvent(event, "login.resume");
      return { ...emptyContext, ...event.paused };
    }),
    storeAnswer: assign(({ event }) => {
      assertEvent(event, "interaction.answer");
      return {
        answer: event.answer,
        answerKind: event.isConfirmation ? "confirmation" : event.isListed ? "listed" : "text",
        failure: undefined,
      };
    }),
    // As if the person had confirmed.
    storeApproval: assign((_, reply: ApprovalOutput) =>
      reply.status === "approved" ? { answer: reply.answer, answerKind: "approval", failure: undefined } : {},
    ),
    storeClient: assign(({ event }) => {
      assertEvent(event, "client.choose");
      return { client: event.client, failure: undefined };
    }),
    storeSession: assign(({ context }, reply: Keyed) => ({
      key: reply.key ?? context.key,
      // A slot that a program has filled may not say it.
      loggedInAt: reply.status === "select_client" ? undefined : (reply.loggedInAt ?? Date.now()),
      answer: undefined,
      answersInVain: undefined,
      expiresAt: undefined,
    })),
    storeInteraction: assign(({ context }, response: SubmitOutput) => {
      const { key, interaction: last, answerKind, answer, answersInVain = [] } = context;
      if (response.status !== "interaction_required") return {};
      const interaction = nextInteraction(last, answerKind, response);
      const isSame = interaction.isRepeat && last?.context === interaction.context && answer !== undefined;
      return {
        key: response.key ?? key,
        interaction,
        answersInVain: isSame ? [...answersInVain, answer] : undefined,
        answer: undefined,
        expiresAt: interaction.expiresAt,
      };
    }),
    storeClients: assign((_, reply: ListClientsOutput) => (reply.status === "success" ? { clients: reply.clients, expiresAt: reply.expiresAt } : {})),
    // A refusal's key is that of another session.
    storeRefusal: assign((_, reply: RequestOutput) =>
      reply.status === "refused" ? { failure: reply.failure, key: reply.key, answer: undefined, expiresAt: undefined } : {},
    ),
    storeFault: assign((_, thrown: unknown) => ({ failure: toFault(thrown), key: keyOfFault(thrown) })),
    // The question, or the choice, is still open: what was sent can be sent again.
    storeUnsent: assign(({ context }, reply: RequestOutput) =>
      reply.status === "refused" ? { failure: reply.failure, key: reply.key ?? context.key, answer: undefined } : {},
    ),
    failPlain: assign(({ event }) => ({ ...emptyContext, failure: findPlainSecret(event) })),
    fail: assign((_, failure: Failure) => ({ failure })),
    markSessionReplaced: assign({ sessionReplaced: true }),
    // With another session out of the way the same login is sent again.
    forgetSession: assign(({ context }, reply: CloseSessionOutput) => ({
      token: ("token" in reply && reply.token) || context.token,
      key: undefined,
      interaction: undefined,
      answerKind: undefined,
      failure: undefined,
    })),
    forgetCredentials: assign({ credentials: undefined, answer: undefined }),
    forgetSecrets: assign(({ context }) => ({
      answer: undefined,
      answersInVain: undefined,
      credentials: isSessionReplaceable(context) ? context.credentials : undefined,
      // With too many sessions, the person needs the key of the session to close. A fault has only a key of its own.
      key: context.failure?.code === "max_sessions_reached" || context.failure?.kind === "fault" ? context.key : undefined,
    })),
    forgetAll: assign(emptyContext),
    // Cancelling hangs up, and takes nothing back.
    forgetAllButSent: assign({ ...emptyContext, failure: { kind: "outcome", code: "cancelled", request: "POST /login/" } }),
    announceUnchecked: emit((_, thrown: unknown) => ({ type: "fields.unchecked" as const, failure: toFault(thrown) })),
    announceUnknownApproval: emit((_, thrown: unknown) => ({ type: "approval.unknown" as const, failure: toFault(thrown) })),
    announceInteraction: emit(({ context: { interaction } }) => ({
      type: "interaction.required" as const,
      interaction: assertPresent("interaction", interaction),
    })),
    announceClients: emit(({ context }) => ({ type: "client.required" as const, clients: context.clients })),
    announceFailure: emit(({ context: { failure } }) => ({ type: "login.failed" as const, failure: assertPresent("failure", failure) })),
    announceSuccess: emit(({ context }) => ({ type: "login.succeeded" as const, provider: context.provider })),
    announceCancel: emit({ type: "login.cancelled" }),
  },
}).createMachine({
  id: "login",
  context: ({ input: settings = {} }) => ({ settings, attempts: 0, ...emptyContext }),
  // `loggedIn` is entered with a key only: see hasSession and isSelectionOn.
  output: ({ context: { id, provider, key, loggedInAt } }) => ({
    id,
    provider,
    key: assertPresent("key", key),
    loggedInAt: assertPresent("loggedInAt", loggedInAt),
  }),
  initial: "idle",
  states: {
    idle: {
      description: "Waits for the credentials, or for a login that was paused elsewhere or left.",
      on: {
        "credentials.submit": [
          { guard: "isPlain", target: "failed", actions: "failPlain" },
          { target: "submitting", actions: "storeCredentials" },
        ],
        "login.resume": [
          { guard: "isPlain", target: "failed", actions: "failPlain" },
          { guard: "isKept", target: "submitting.resuming", actions: "storePaused" },
          { guard: "isInteractionPaused", target: "awaitingInteraction", actions: "storePaused" },
          { target: "selectClient.choosing", actions: "storePaused" },
        ],
      },
    },
    submitting: {
      description: "A login is under way (contract, section 3): one state for each request.",
      tags: "busy",
      initial: "routing",
      states: {
        routing: {
          description: "Decides whether the form is checked first, and is left at once.",
          always: [{ guard: "isUnchecked", target: "sendingCredentials" }, { target: "checkingFields" }],
        },
        checkingFields: {
          description: "GET /provider/{code}/: the form must have the bank's fields before anything is sent (contract, section 4.1).",
          invoke: {
            id: "checkFields",
            src: "checkFields",
            input: fieldsRequest,
            onDone: [
              { guard: { type: "isRefused", params: output }, target: "#login.failed", actions: { type: "storeRefusal", params: output } },
              { target: "sendingCredentials" },
            ],
            // A read that breaks says nothing of the form: the bank itself will.
            onError: { target: "sendingCredentials", actions: { type: "announceUnchecked", params: error } },
          },
          on: { "login.cancel": cancelled },
        },
        sendingCredentials: {
          description: "The first POST /login/, with the fields that are not interactive (contract, section 3).",
          invoke: { id: "submitCredentials", src: "submitCredentials", input: credentialsRequest, onDone: "responded", onError: broken },
        },
        sendingAnswer: {
          description: "The second POST /login/, with its key: the same login with the interactive fields (contract, section 4.1).",
          invoke: {
            id: "submitAnswer",
            src: "submitAnswer",
            input: answerRequest,
            // What has not arrived can be sent again.
            onDone: [
              {
                guard: { type: "isUnsent", params: output },
                target: "#login.awaitingInteraction",
                actions: { type: "storeUnsent", params: output },
              },
              { target: "responded" },
            ],
            onError: broken,
          },
        },
        resuming: {
          description: "A page was left while a relay kept its login: the relay says where the login is. Nothing is sent. Beyond the contract.",
          invoke: { id: "resume", src: "resume", input: resumeRequest, onDone: "responded", onError: broken },
        },
        responded: {
          description: "The service has responded: what follows is decided by the status (contract, section 3).",
          type: "final",
          output: ({ event }) => event,
        },
      },
      onDone: [
        { guard: { type: "hasSession", params: response }, target: "loggedIn", actions: { type: "storeSession", params: response } },
        {
          guard: { type: "isOverLimit", params: response },
          target: "failed",
          actions: { type: "fail", params: { kind: "outcome", code: "too_many_interactions" } },
        },
        {
          guard: { type: "hasInteraction", params: response },
          target: "awaitingInteraction",
          actions: { type: "storeInteraction", params: response },
        },
        {
          guard: { type: "isSelectionOn", params: response },
          target: "selectClient.listing",
          actions: { type: "storeSession", params: response },
        },
        {
          guard: { type: "isSelectionOff", params: response },
          target: "selectClient",
          actions: { type: "storeSession", params: response },
        },
        { guard: { type: "isRefused", params: response }, target: "failed", actions: { type: "storeRefusal", params: response } },
        { target: "failed", actions: { type: "fail", params: { kind: "fault", code: "response_against_contract", field: "key" } } },
      ],
      on: { "login.cancel": { target: "idle", actions: ["forgetAllButSent", "announceCancel"] } },
    },
    awaitingInteraction: {
      description:
        "The bank asks for one more field, or several (contract, section 2.3). Waits for the person's answer, or for the approval in the bank's app, until its deadline.",
      tags: "open",
      entry: "announceInteraction",
      invoke: [
        { id: "interactionDeadline", src: "waitUntil", input: deadline, onDone: expired, onError: broken },
        {
          id: "awaitApproval",
          src: "awaitApproval",
          input: approvalRequest,
          onDone: [
            {
              guard: { type: "isApproved", params: output },
              target: "submitting.sendingAnswer",
              actions: { type: "storeApproval", params: output },
            },
            {
              guard: { type: "isDenied", params: output },
              target: "failed",
              actions: { type: "fail", params: { kind: "outcome", code: "approval_denied" } },
            },
            expired,
          ],
          // The person can still say so.
          onError: { actions: { type: "announceUnknownApproval", params: error } },
        },
      ],
      on: {
        "interaction.answer": [
          { guard: "isPlain", target: "failed", actions: "failPlain" },
          { target: "submitting.sendingAnswer", actions: "storeAnswer" },
        ],
        "login.cancel": cancelled,
      },
    },
    failed: {
      description: "The failure is in the context. A new submit begins again; open sessions may be closed for it, where the settings allow it.",
      tags: "over",
      entry: ["forgetSecrets", "announceFailure"],
      on: {
        "credentials.submit": [
          { guard: "isPlain", actions: ["failPlain", "announceFailure"] },
          { target: "submitting", actions: "storeCredentials" },
        ],
        "session.replace": { guard: "isSessionReplaceable", target: "replacingSession", actions: "markSessionReplaced" },
        "login.cancel": cancelled,
      },
    },
    loggedIn: {
      description: "A session has started, and its key is the output (contract, section 3).",
      type: "final",
      tags: "over",
      entry: ["forgetCredentials", "announceSuccess"],
    },
    // Client selection and session replacement: beyond the contract, and off unless the settings turn them on.
    selectClient: {
      description: "A client must be selected (contract, section 3). The contract ends here; the rest is opt-in.",
      entry: "forgetCredentials",
      initial: "resting",
      states: {
        resting: {
          description: "Client selection is off: the login is over, with its key. A new submit begins again.",
          tags: "over",
          on: {
            "credentials.submit": [
              { guard: "isPlain", target: "#login.failed", actions: "failPlain" },
              { target: "#login.submitting", actions: "storeCredentials" },
            ],
          },
        },
        listing: {
          description: "GET /client/ is under way. Beyond the contract.",
          tags: "busy",
          invoke: {
            id: "listClients",
            src: "listClients",
            input: sessionRequest,
            onDone: [
              { guard: { type: "hasClients", params: output }, target: "choosing", actions: { type: "storeClients", params: output } },
              { guard: { type: "isRefused", params: output }, target: "#login.failed", actions: { type: "storeRefusal", params: output } },
              { target: "#login.failed", actions: { type: "fail", params: { kind: "outcome", code: "no_clients" } } },
            ],
            onError: broken,
          },
        },
        choosing: {
          description: "Waits for the person's choice, until its deadline.",
          tags: "open",
          entry: "announceClients",
          invoke: { id: "choiceDeadline", src: "waitUntil", input: deadline, onDone: expired, onError: broken },
          on: {
            "client.choose": [
              { guard: "isListedClient", target: "selecting", actions: "storeClient" },
              { target: "#login.failed", actions: { type: "fail", params: { kind: "outcome", code: "wrong_client" } } },
            ],
          },
        },
        selecting: {
          description: "GET /client/{id}/ is under way. Beyond the contract.",
          tags: "busy",
          invoke: {
            id: "selectClient",
            src: "selectClient",
            input: sessionRequest,
            onDone: [
              { guard: { type: "isUnsent", params: output }, target: "choosing", actions: { type: "storeUnsent", params: output } },
              { guard: { type: "isRefused", params: output }, target: "#login.failed", actions: { type: "storeRefusal", params: output } },
              { target: "#login.loggedIn", actions: { type: "storeSession", params: output } },
            ],
            onError: broken,
          },
        },
      },
      on: { "login.cancel": cancelled },
    },
    replacingSession: {
      description: "GET /logout/ closes the sessions that are open, perhaps all, before the same login is sent again. Beyond the contract.",
      tags: "busy",
      invoke: {
        id: "closeSession",
        src: "closeSession",
        input: sessionRequest,
        onDone: [
          { guard: { type: "isRefused", params: output }, target: "failed", actions: { type: "storeRefusal", params: output } },
          { target: "submitting.sendingCredentials", actions: { type: "forgetSession", params: output } },
        ],
        onError: broken,
      },
      on: { "login.cancel": cancelled },
    },
  },
});
