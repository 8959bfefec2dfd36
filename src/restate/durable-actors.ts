import { fromPromise, type PromiseActorLogic } from "@restatedev/xstate/promise";
import { createActor, type PromiseActorLogic as NativeLogic, toPromise } from "xstate";
import type { BankClient } from "../api/client.ts";
import type { Secret } from "../api/secret.ts";
import { loginActors } from "../login/actors.ts";
import type { LoginRequest, SessionRequest } from "../login/requests.ts";
import type { SealKeys } from "../tokens/sealed-token.ts";
import {
  openAnswer,
  openCredentials,
  openSessionKey,
  type SealedAnswer,
  type SealedCredentials,
  sealSessionKey,
} from "./durable-seals.ts";
import { sendOnce, sendRepeatable } from "./send-once.ts";

/** A value with every secret in it sealed: what the statechart holds here. */
export type Sealed<Value> = {
  readonly [Member in keyof Value]: Member extends "credentials"
    ? SealedCredentials | undefined
    : Member extends "answer"
      ? SealedAnswer | undefined
      : Member extends "key"
        ? string | undefined
        : Value[Member];
};

export interface DurableActorOptions {
  readonly client: BankClient;
  readonly sealKey: SealKeys;
  /** Milliseconds that a session key can be opened for. */
  readonly sealTtl: number;
}

/** One actor slot of the login, as Restate runs it. */
export type DurableActor = PromiseActorLogic<unknown, never>;

export type DurableActors = Readonly<
  Record<"submitCredentials" | "listClients" | "selectClient" | "closeSession" | "waitUntil", DurableActor>
>;

/**
 * Fills the slots of the login statechart for Restate, with the very requests that every other surface makes. Secrets are
 * opened and sealed within the request: neither the journal nor the statechart sees one.
 */
export function createDurableActors({ client, sealKey, sealTtl }: DurableActorOptions): DurableActors {
  const requests = loginActors(client);

  const opened = async (id: string, { credentials, answer, key, ...rest }: Sealed<LoginRequest>) => ({
    ...rest,
    credentials: credentials && (await openCredentials(credentials, { id, sealKey })),
    answer: answer && (await openAnswer(answer, { id, sealKey })),
    key: key === undefined ? undefined : await openSessionKey(key, { id, sealKey }),
  });

  const withKey = async (id: string, { key, ...rest }: Sealed<SessionRequest>) => ({
    ...rest,
    key: key === undefined ? undefined : await openSessionKey(key, { id, sealKey }),
  });

  const sealed = async <Reply extends object>(id: string, reply: Reply & { readonly key?: Secret }) => ({
    ...reply,
    ...(reply.key && { key: await sealSessionKey(reply.key, { id, sealKey, sealTtl }) }),
  });

  const slots = {
    submitCredentials: fromPromise(({ input, ctx }: { input: Sealed<LoginRequest>; ctx: Context }) =>
      sendOnce(ctx, "POST /login/", async (signal) =>
        sealed(ctx.key, await runActor(requests.submitCredentials, await opened(ctx.key, input), signal)),
      ),
    ),

    listClients: fromPromise(({ input, ctx }: { input: Sealed<SessionRequest>; ctx: Context }) =>
      sendRepeatable(ctx, "GET /client/", async (signal) =>
        sealed(ctx.key, await runActor(requests.listClients, await withKey(ctx.key, input), signal)),
      ),
    ),

    selectClient: fromPromise(({ input, ctx }: { input: Sealed<SessionRequest>; ctx: Context }) =>
      sendOnce(ctx, "GET /client/{id}/", async (signal) =>
        sealed(ctx.key, await runActor(requests.selectClient, await withKey(ctx.key, input), signal)),
      ),
    ),

    closeSession: fromPromise(({ input, ctx }: { input: Sealed<SessionRequest>; ctx: Context }) =>
      sendOnce(ctx, "GET /logout/", async (signal) =>
        sealed(ctx.key, await runActor(requests.closeSession, await withKey(ctx.key, input), signal)),
      ),
    ),

    // Restate has waited by now: the invocation itself is delayed (see `durable-login.ts`).
    waitUntil: fromPromise(async () => {}),
  };
  return slots as unknown as DurableActors;
}

type Context = Parameters<PromiseActorLogic<unknown, unknown>["config"]>[0]["ctx"];

/** Runs one request of the login by itself. */
function runActor<Output, Input>(
  logic: NativeLogic<Output, Input>,
  input: Input,
  signal: AbortSignal,
): Promise<Output> {
  const actor = createActor(logic, { input });
  const output = toPromise(actor) as Promise<Output>;
  signal.addEventListener("abort", () => actor.stop(), { once: true });
  actor.start();
  return output;
}
