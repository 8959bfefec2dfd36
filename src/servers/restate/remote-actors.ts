import type {
  AnswerRequest,
  AttemptRequest,
  CheckFieldsOutput,
  CloseSessionOutput,
  CredentialsRequest,
  FieldsRequest,
  ListClientsOutput,
  LoginActors,
  PausedLogin,
  RecoverLoginOutput,
  Refused,
  SelectClientOutput,
  SessionRequest,
  SubmitOutput,
} from "../../../machines/login.types.ts";
import { BankError, toBankError } from "../../core/api/errors.ts";
import { type Secret, secret } from "../../core/api/secret.ts";
import { needed, type RequestScope, request } from "../../core/login/invoked-requests.ts";
import { type TraceHeaders, traceHeaders } from "../../tools/telemetry/stored-login.ts";
import { openSessionKey, type SealOptions, sealAnswer } from "./durable-seals.ts";
import type { DurableState } from "./durable-state.ts";

interface RemoteCallOptions {
  readonly signal: AbortSignal;
  /** Sent with the call, for the telemetry of the worker. */
  readonly headers: TraceHeaders;
}

/** Calls a handler of a durable login. Resolves to the login's state as soon as no request runs. */
export type RemoteCall = (
  handler: "start" | "answer" | "choose",
  message: object | undefined,
  options: RemoteCallOptions,
) => Promise<DurableState>;

/**
 * Creates the actors of a local login statechart that follows a durable login, whose worker sends the requests. So a durable
 * login has the outcomes, the handlers, the events and the telemetry of every other. The login's id stands in place of the key
 * until the login has ended.
 *
 * @param start what begins the login; `undefined` for one that has begun.
 */
export function createRemoteActors(
  send: RemoteCall,
  start: object | undefined,
  sealing: SealOptions,
): Omit<LoginActors, "waitUntil" | "awaitApproval"> {
  let last: DurableState | undefined;
  const toOptions = ({ call, self }: Pick<RequestScope<unknown>, "call" | "self">): RemoteCallOptions => ({
    signal: call.signal,
    headers: traceHeaders.get(self) ?? {},
  });

  const toSubmitOutput = async (state: DurableState): Promise<SubmitOutput> => {
    last = state;
    const id = secret(sealing.id);
    switch (state.state) {
      case "awaitingInteraction": {
        const { field, fields, context } = needed("interaction", state.interaction);
        return { status: "interaction_required", field, fields, context, expiresAt: state.expiresAt, key: id };
      }
      case "selectClient.choosing":
        return { status: "select_client", key: id };
      case "loggedIn":
        return { status: "logged_in", ...(await openKey(state, sealing)), ...toLoginTime(state) };
      case "selectClient.resting":
        return { status: "select_client", ...(await openKey(state, sealing)) };
      case "failed":
      case "cancelled":
      // No call ends while a request runs.
      case "submitting":
      case "selectClient.listing":
      case "selectClient.selecting":
      case "replacingSession":
        return toRefused(state, await openKey(state, sealing));
    }
  };

  return {
    // The worker checks them.
    checkFields: request<CheckFieldsOutput, FieldsRequest>(undefined, async () => ({ status: "success" })),

    submitCredentials: request<SubmitOutput, CredentialsRequest>(undefined, async (scope) =>
      toSubmitOutput(await send("start", start, toOptions(scope))),
    ),

    submitAnswer: request<SubmitOutput, AnswerRequest>(undefined, async ({ input, ...scope }) => {
      // The worker's number: where other callers answer too, the one here falls behind.
      const { number } = needed("interaction", last?.interaction ?? input.interaction);
      const answer = needed("answer", input.answer);
      return toSubmitOutput(
        await send(
          "answer",
          {
            ...(await sealAnswer({ interaction: number, answer }, sealing)),
            ...(input.answerKind === "confirmation" && { isConfirmation: true }),
            ...(input.answerKind === "listed" && { isListed: true }),
          },
          toOptions(scope),
        ),
      );
    }),

    // Only a page loses a response, and only a relay knows how the login ended.
    recoverLogin: request<RecoverLoginOutput, AttemptRequest>(undefined, () =>
      Promise.reject(new BankError("unexpected_fault", { request: "GET /attempt/{id}/" })),
    ),

    listClients: request<ListClientsOutput, SessionRequest>(undefined, async () => ({
      status: "success",
      clients: last?.clients ?? [],
      expiresAt: last?.expiresAt,
    })),

    selectClient: request<SelectClientOutput, SessionRequest>(undefined, async ({ input, ...scope }) => {
      const state = await send("choose", { client: needed("client", input.client) }, toOptions(scope));
      const key = await openKey(state, sealing);
      return state.state === "loggedIn" ? { status: "success", ...key, ...toLoginTime(state) } : toRefused(state, key);
    }),

    // Only the worker closes a session that blocks the login.
    closeSession: request<CloseSessionOutput, SessionRequest>(undefined, () =>
      Promise.reject(new BankError("unexpected_fault", { request: "GET /logout/" })),
    ),
  };
}

/** Converts the state of a durable login that waits for the local statechart. */
export function toPausedLogin(
  id: string,
  { provider, interaction, clients = [], expiresAt, settings }: DurableState,
): PausedLogin {
  return {
    id,
    settings: toRemoteSettings(settings),
    provider,
    credentials: undefined,
    key: secret(id),
    interaction,
    clients,
    expiresAt,
    sessionReplaced: false,
  };
}

/** The settings of the local statechart: the worker checks the fields, and replaces sessions. */
export function toRemoteSettings({ sessionReplacement: _, ...settings }: PausedLogin["settings"] = {}) {
  return { ...settings, validate: false };
}

async function openKey({ key }: DurableState, sealing: SealOptions): Promise<{ readonly key?: Secret }> {
  return key === undefined ? {} : { key: await openSessionKey(key, sealing) };
}

function toRefused({ state, failure }: DurableState, key: { readonly key?: Secret }): Refused {
  // Another caller has cancelled it.
  if (state === "cancelled") {
    return { status: "refused", failure: { kind: "outcome", code: "cancelled", request: failure?.request } };
  }
  if (failure?.kind !== "outcome") throw failure ? toBankError(failure) : new BankError("unexpected_fault");
  const { kind, code, httpStatus, wireStatus, missingFields, refusedAt, description } = failure;
  return {
    status: "refused",
    failure: { kind, code, httpStatus, wireStatus, missingFields, refusedAt, description },
    ...key,
  };
}

const toLoginTime = ({ loggedInAt }: DurableState) => (loggedInAt === undefined ? {} : { loggedInAt });
