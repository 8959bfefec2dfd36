import { assign, emit, setup } from "xstate";
import type { Failure } from "../src/api/failures.ts";
import type { Secret } from "../src/api/secret.ts";
import type {
  ClientsReply,
  Credentials,
  Interaction,
  LoginActors,
  LoginOutput,
  LoginReply,
  LoginRequest,
  PausedLogin,
  Reply,
  SessionRequest,
} from "../src/login/requests.ts";
import type { LoginSettings } from "../src/login/settings.ts";

/** What the login can be told. Without effect where the state has no use for it. */
export type LoginEvent = (
  | { type: "credentials.submit"; credentials: Credentials }
  | { type: "interaction.answer"; answer: Secret }
  | { type: "client.choose"; client: string }
  | { type: "session.replace" }
  | { type: "login.resume"; paused: PausedLogin }
  | { type: "login.cancel" }
) &
  ShownStep;

/** An event of a screen. */
export interface ShownStep {
  /** The step that the screen shows: after that step the event has no effect. Default: it belongs to the step under way. */
  readonly stepNumber?: number | undefined;
}

/** What the login tells, for `actor.on()`. */
export type LoginEmitted =
  | { type: "interaction.required"; interaction: Interaction }
  | { type: "client.required"; clients: PausedLogin["clients"] }
  | { type: "login.succeeded"; provider: string }
  | { type: "login.failed"; failure: Failure }
  | { type: "login.cancelled" };

/** What the login knows; every secret in it is opaque. */
export interface LoginContext extends LoginRequest, SessionRequest, Pick<PausedLogin, "provider" | "clients" | "expiresAt" | "sessionReplaced"> {
  readonly failure: Failure | undefined;
  /** Counts the steps, of all attempts. */
  readonly stepNumber: number;
}

const nothing: Omit<LoginContext, "settings" | "stepNumber"> = {
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

const asked = ({ interaction }: LoginContext): number => interaction?.number ?? 0;
// The interaction at hand was answered, or there would be no reply.
const isAskedAgain = ({ interaction }: LoginContext, reply: { field: string }): boolean => interaction?.field === reply.field;
const isLimit = (context: LoginContext): boolean => asked(context) >= (context.settings.interactionLimit ?? 10);
// A second login may answer without a key: the one at hand stays valid.
const hasKey = (context: LoginContext, reply: { key?: Secret }): boolean => (reply.key ?? context.key) !== undefined;
const isReplaceable = ({ settings, failure, key, sessionReplaced }: LoginContext): boolean =>
  settings.sessionReplacement === true && failure?.code === "max_sessions_reached" && key !== undefined && !sessionReplaced;
const isCurrent = (context: LoginContext, { stepNumber }: ShownStep): boolean => stepNumber === undefined || stepNumber === context.stepNumber;
// Errors of durable workers arrive as JSON, so the code counts, not the class.
const isCoded = (error: unknown): error is Failure =>
  typeof error === "object" && error !== null && "code" in error && typeof error.code === "string";

const given = <Event>({ event }: { event: Event }) => event;
const replied = <Output>({ event }: { event: { output: Output } }) => ({ reply: event.output });
const thrown = ({ event }: { event: { error: unknown } }) => ({ error: event.error });

/** The login of one person at one bank (contract, section 3). */
export const loginMachine = setup({
  types: {
    context: {} as LoginContext,
    events: {} as LoginEvent,
    emitted: {} as LoginEmitted,
    input: {} as LoginSettings,
    output: {} as LoginOutput,
    tags: {} as "busy",
  },
  actors: {} as LoginActors,
  guards: {
    isStarted: ({ context }, { reply }: { reply: LoginReply }) => reply.status === "logged_in" && hasKey(context, reply),
    isInteraction: ({ context }, { reply }: { reply: LoginReply }) =>
      reply.status === "interaction_required" && hasKey(context, reply) && !isLimit(context),
    isOneTooMany: ({ context }, { reply }: { reply: LoginReply }) => reply.status === "interaction_required" && isLimit(context),
    isSelectable: ({ context }, { reply }: { reply: LoginReply }) =>
      reply.status === "select_client" && context.settings.clientSelection === true && hasKey(context, reply),
    isResting: ({ context }, { reply }: { reply: LoginReply }) => reply.status === "select_client" && context.settings.clientSelection !== true,
    isRefused: (_, { reply }: { reply: { status: string } }) => reply.status === "refused",
    hasClients: (_, { reply }: { reply: ClientsReply }) => reply.status === "success" && reply.clients.length > 0,
    isReplaceable: ({ context }, event: ShownStep) => isCurrent(context, event) && isReplaceable(context),
    isCurrent: ({ context }, event: ShownStep) => isCurrent(context, event),
    isListed: ({ context }, event: ShownStep & { client: string }) =>
      isCurrent(context, event) && context.clients.some(({ id }) => id === event.client),
    isInteractionPaused: (_, { paused }: { paused: PausedLogin }) => paused.interaction !== undefined,
  },
  actions: {
    takeCredentials: assign((_, { credentials }: { credentials: Credentials }) => ({ ...nothing, credentials, provider: credentials.provider })),
    takePaused: assign((_, { paused }: { paused: PausedLogin }) => ({ ...nothing, ...paused })),
    takeAnswer: assign((_, { answer }: { answer: Secret }) => ({ answer })),
    takeReply: assign(({ context }, { reply }: { reply: Reply }) => ({
      // A refusal's key is that of another session.
      key: ("key" in reply ? reply.key : undefined) ?? ("failure" in reply ? undefined : context.key),
      answer: undefined,
      ...("failure" in reply && { failure: reply.failure }),
      expiresAt: "expiresAt" in reply ? reply.expiresAt : undefined,
      ...("clients" in reply && { clients: reply.clients }),
      ...("field" in reply && {
        interaction: {
          field: reply.field,
          context: reply.context,
          expiresAt: reply.expiresAt,
          number: asked(context) + 1,
          isRepeat: isAskedAgain(context, reply),
          answersSent: isAskedAgain(context, reply) ? (context.interaction?.answersSent ?? 0) + 1 : 0,
        },
      }),
    })),
    takeClient: assign((_, { client }: { client: string }) => ({ client })),
    takeFailure: assign((_, failure: Failure) => ({ failure })),
    takeFault: assign((_, { error }: { error: unknown }) => {
      if (!isCoded(error)) return { failure: { kind: "fault", code: "unexpected_fault" } };
      const { code, field, request, httpStatus, retryAfter, detail } = error;
      return { failure: { kind: "fault", code, field, request, httpStatus, retryAfter, detail } };
    }),
    markReplaced: assign({ sessionReplaced: true }),
    startAgain: assign({ key: undefined, interaction: undefined, failure: undefined }),
    forgetCredentials: assign({ credentials: undefined, answer: undefined }),
    forgetSecrets: assign(({ context }) => ({
      answer: undefined,
      credentials: isReplaceable(context) ? context.credentials : undefined,
      // Whoever has too many sessions needs the key of the one to close.
      key: context.failure?.code === "max_sessions_reached" ? context.key : undefined,
    })),
    forgetAll: assign(nothing),
    // A snapshot that an earlier version has stored has no number.
    countStep: assign(({ context }) => ({ stepNumber: (context.stepNumber ?? 0) + 1 })),
    announceCancel: emit({ type: "login.cancelled" }),
  },
}).createMachine({
  id: "login",
  context: ({ input }) => ({ settings: input, stepNumber: 0, ...nothing }),
  // `loggedIn` is entered with a key only: see isStarted and isSelectable.
  output: ({ context }) => ({ provider: context.provider, key: context.key as Secret }),
  initial: "idle",
  states: {
    idle: {
      entry: "countStep",
      on: {
        "credentials.submit": {
          guard: { type: "isCurrent", params: given },
          target: "submitting",
          actions: { type: "takeCredentials", params: given },
        },
        "login.resume": [
          { guard: { type: "isInteractionPaused", params: given }, target: "awaitingInteraction", actions: { type: "takePaused", params: given } },
          { target: "selectClient.choosing", actions: { type: "takePaused", params: given } },
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
          { guard: { type: "isStarted", params: replied }, target: "loggedIn", actions: { type: "takeReply", params: replied } },
          { guard: { type: "isInteraction", params: replied }, target: "awaitingInteraction", actions: { type: "takeReply", params: replied } },
          {
            guard: { type: "isOneTooMany", params: replied },
            target: "failed",
            actions: { type: "takeFailure", params: { kind: "outcome", code: "too_many_interactions" } },
          },
          { guard: { type: "isSelectable", params: replied }, target: "selectClient.listing", actions: { type: "takeReply", params: replied } },
          { guard: { type: "isResting", params: replied }, target: "selectClient", actions: { type: "takeReply", params: replied } },
          { guard: { type: "isRefused", params: replied }, target: "failed", actions: { type: "takeReply", params: replied } },
          { target: "failed", actions: { type: "takeFailure", params: { kind: "fault", code: "response_against_contract", field: "key" } } },
        ],
        onError: { target: "failed", actions: { type: "takeFault", params: thrown } },
      },
      on: { "login.cancel": { guard: { type: "isCurrent", params: given }, target: "idle", actions: ["forgetAll", "announceCancel"] } },
    },
    awaitingInteraction: {
      entry: ["countStep", emit(({ context }) => ({ type: "interaction.required", interaction: context.interaction as Interaction }))],
      invoke: {
        id: "interactionDeadline",
        src: "waitUntil",
        input: ({ context }) => ({ time: context.expiresAt }),
        onDone: { target: "failed", actions: { type: "takeFailure", params: { kind: "outcome", code: "expired" } } },
      },
      on: {
        "interaction.answer": { guard: { type: "isCurrent", params: given }, target: "submitting", actions: { type: "takeAnswer", params: given } },
        "login.cancel": { guard: { type: "isCurrent", params: given }, target: "idle", actions: ["forgetAll", "announceCancel"] },
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
              { guard: { type: "hasClients", params: replied }, target: "choosing", actions: { type: "takeReply", params: replied } },
              { guard: { type: "isRefused", params: replied }, target: "#login.failed", actions: { type: "takeReply", params: replied } },
              { target: "#login.failed", actions: { type: "takeFailure", params: { kind: "outcome", code: "no_clients" } } },
            ],
            onError: { target: "#login.failed", actions: { type: "takeFault", params: thrown } },
          },
        },
        choosing: {
          entry: ["countStep", emit(({ context }) => ({ type: "client.required", clients: context.clients }))],
          invoke: {
            id: "choiceDeadline",
            src: "waitUntil",
            input: ({ context }) => ({ time: context.expiresAt }),
            onDone: { target: "#login.failed", actions: { type: "takeFailure", params: { kind: "outcome", code: "expired" } } },
          },
          on: {
            "client.choose": [
              { guard: { type: "isListed", params: given }, target: "selecting", actions: { type: "takeClient", params: given } },
              {
                guard: { type: "isCurrent", params: given },
                target: "#login.failed",
                actions: { type: "takeFailure", params: { kind: "outcome", code: "wrong_client" } },
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
              { guard: { type: "isRefused", params: replied }, target: "#login.failed", actions: { type: "takeReply", params: replied } },
              { target: "#login.loggedIn", actions: { type: "takeReply", params: replied } },
            ],
            onError: { target: "#login.failed", actions: { type: "takeFault", params: thrown } },
          },
        },
      },
      on: { "login.cancel": { guard: { type: "isCurrent", params: given }, target: "idle", actions: ["forgetAll", "announceCancel"] } },
    },
    failed: {
      entry: ["countStep", "forgetSecrets", emit(({ context }) => ({ type: "login.failed", failure: context.failure as Failure }))],
      on: {
        "credentials.submit": {
          guard: { type: "isCurrent", params: given },
          target: "submitting",
          actions: { type: "takeCredentials", params: given },
        },
        "session.replace": { guard: { type: "isReplaceable", params: given }, target: "replacingSession", actions: "markReplaced" },
        "login.cancel": { guard: { type: "isCurrent", params: given }, target: "idle", actions: ["forgetAll", "announceCancel"] },
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
          { guard: { type: "isRefused", params: replied }, target: "failed", actions: { type: "takeReply", params: replied } },
          { target: "submitting", actions: "startAgain" },
        ],
        onError: { target: "failed", actions: { type: "takeFault", params: thrown } },
      },
      on: { "login.cancel": { guard: { type: "isCurrent", params: given }, target: "idle", actions: ["forgetAll", "announceCancel"] } },
    },
    loggedIn: {
      type: "final",
      entry: ["forgetCredentials", emit(({ context }) => ({ type: "login.succeeded", provider: context.provider }))],
    },
  },
});
