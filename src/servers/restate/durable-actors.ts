import type { ObjectSharedContext } from "@restatedev/restate-sdk";
import { fromPromise, type PromiseActorLogic } from "@restatedev/xstate/promise";
import { createActor, type PromiseActorLogic as NativeLogic, toPromise } from "xstate";
import type { AnswerRequest, LoginActors } from "../../../machines/login.types.ts";
import type { BankClient } from "../../core/api/client.ts";
import type { Secret } from "../../core/api/secret.ts";
import { loginActors } from "../../core/login/login-actors.ts";
import type { SealKeys } from "../../core/tokens/sealed-token.ts";
import {
  type NamedCredentials,
  openAnswer,
  openCredentials,
  openSessionKey,
  type SealedAnswer,
  sealSessionKey,
} from "./durable-seals.ts";
import type { StepInspection } from "./inspect-steps.ts";
import { sendOnce, sendRepeatable } from "./send-once.ts";

/** A value of the statechart with every secret in it sealed. */
export type Sealed<Value> = {
  readonly [Member in keyof Value]: Member extends "credentials"
    ? NamedCredentials | undefined
    : Member extends "answer"
      ? SealedAnswer | undefined
      : Member extends "key"
        ? string | undefined
        : Value[Member];
};

export interface DurableActorOptions {
  readonly client: BankClient;
  readonly inspection: StepInspection;
  readonly sealKey: SealKeys;
  /** Milliseconds for which a session key can be opened. */
  readonly sealTtl: number;
}

/** One actor slot of the login, as Restate runs it. */
export type DurableActor = PromiseActorLogic<unknown, never>;

export type DurableActors = Readonly<Record<Exclude<keyof LoginActors, "awaitApproval">, DurableActor>>;

/**
 * Creates the actors of the login statechart for Restate, with the same requests as everywhere else. Secrets are opened and
 * sealed within the request, so neither the journal nor the statechart contains one.
 */
export function createDurableActors({ client, inspection, sealKey, sealTtl }: DurableActorOptions): DurableActors {
  const requests = loginActors(client);

  /** Opens the input of a request. A request after the login has neither credentials nor an answer. */
  const unseal = async (id: string, { credentials, answer, key, ...rest }: Partial<Sealed<AnswerRequest>>) => ({
    ...rest,
    credentials: credentials && (await openCredentials(credentials, { id, sealKey })),
    answer: answer && (await openAnswer(answer, { id, sealKey })),
    key: key === undefined ? undefined : await openSessionKey(key, { id, sealKey }),
  });

  const createDurableActor = (
    src: Exclude<keyof typeof requests, "awaitApproval">,
    request: string,
    send: typeof sendOnce,
  ) =>
    fromPromise(({ input, ctx }: { input: Partial<Sealed<AnswerRequest>>; ctx: ObjectSharedContext }) =>
      send(ctx, request, async (signal) => {
        const logic = requests[src] as unknown as NativeLogic<{ readonly key?: Secret }, unknown>;
        const { key, ...reply } = await inspection.request(ctx, src, signal, async () =>
          runActor(logic, await unseal(ctx.key, input), signal),
        );
        return { ...reply, ...(key && { key: await sealSessionKey(key, { id: ctx.key, sealKey, sealTtl }) }) };
      }),
    );

  const actors = {
    checkFields: createDurableActor("checkFields", "GET /provider/{code}/", sendRepeatable),
    submitCredentials: createDurableActor("submitCredentials", "POST /login/", sendOnce),
    submitAnswer: createDurableActor("submitAnswer", "POST /login/", sendOnce),
    // A durable login does not use a relay.
    resume: createDurableActor("resume", "GET /submit/", sendRepeatable),
    listClients: createDurableActor("listClients", "GET /client/", sendRepeatable),
    selectClient: createDurableActor("selectClient", "GET /client/{id}/", sendOnce),
    closeSession: createDurableActor("closeSession", "GET /logout/", sendOnce),
    // Restate has waited before: the invocation itself is delayed (see `advance-login.ts`).
    waitUntil: fromPromise(async () => {}),
  } satisfies Record<keyof DurableActors, unknown>;
  return actors as unknown as DurableActors;
}

/** Runs one request of the login, without its statechart. */
function runActor<Output>(logic: NativeLogic<Output, unknown>, input: unknown, signal: AbortSignal): Promise<Output> {
  const actor = createActor(logic, { input });
  const output = toPromise(actor) as Promise<Output>;
  signal.addEventListener("abort", () => actor.stop(), { once: true });
  actor.start();
  return output;
}
