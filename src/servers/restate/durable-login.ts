import { CancelledError, handlers, type ObjectSharedContext, object, TerminalError } from "@restatedev/restate-sdk";
import { loginMachine } from "../../../machines/login.ts";
import type { BankClient } from "../../core/api/client.ts";
import { BankError, toFailure } from "../../core/api/errors.ts";
import {
  type OptionParsers,
  optional,
  parseFunction,
  parseMilliseconds,
  parseOptions,
  parseValid,
  parseWholeNumber,
  withDefault,
} from "../../core/api/input-checks.ts";
import type { Locale } from "../../core/texts/languages.ts";
import { parseKeys, type SealKeys } from "../../core/tokens/sealed-token.ts";
import type { Inspect } from "../../tools/trace/traced-actors.ts";
import { cancelRunning, createAdvance, type Exclusive, type Inner, type Shared } from "./advance-login.ts";
import { createDurableActors } from "./durable-actors.ts";
import {
  answerMessage,
  type ChooseMessage,
  chooseMessage,
  localeMessage,
  parseMessage,
  type StartMessage,
  startMessage,
} from "./durable-messages.ts";
import {
  createRecord,
  type DurableEvent,
  type DurableRecord,
  hasPicture,
  isOver,
  isSettled,
  toSealedMachine,
  transitionRecord,
} from "./durable-record.ts";
import { openAnswer, SEAL_TTL, type SealedAnswer } from "./durable-seals.ts";
import { type DurableState, toDurableState } from "./durable-state.ts";
import { createStepInspection } from "./inspect-steps.ts";
import { DURABLE_LOGIN_VERSION, durableLoginName, parseVersion, readVersion } from "./login-id.ts";

export interface DurableLoginOptions {
  /** Sends the requests. */
  readonly client: BankClient;
  /** Opens credentials and answers and seals session keys; one key, or a list for rotation. The callers have the same. */
  readonly sealKey: SealKeys;
  /** Milliseconds for which a session key can be opened. Default 3 600 000, an hour. */
  readonly sealTtl?: number;
  /**
   * Milliseconds for which a login is kept after its end; at least as long as its credentials could be opened, so that they can't be
   * sent again. Default 600 000, ten minutes.
   */
  readonly retention?: number;
  /** Milliseconds for which Restate keeps the journal after the end: to investigate a fault, and for tests that search it for secrets. Default 0: not at all. */
  readonly journalRetention?: number;
  /**
   * Gets the steps and the requests that this worker takes, as the `inspect` of `login()` does: for `lifecycleTelemetry`, `traceTelemetry` and
   * `inspectAll`. A repeated step is reported once. What it throws does not reach the login. Default none.
   */
  readonly inspect?: Inspect;
  /** The version to serve, if it is not the current one: see "Upgrades" in `docs/scale.md`. Default the current one. */
  readonly version?: string;
}

/** The virtual object of durable logins; one object per login, by the login's id. */
export type DurableLogin = ReturnType<typeof durableLogin>;

const FIVE_MINUTES = 300_000;

const durableLoginOptions = {
  client: parseValid((client) => typeof client?.login === "function", "must be a client of createBankClient"),
  sealKey: parseKeys,
  sealTtl: withDefault(SEAL_TTL, parseMilliseconds),
  retention: withDefault(600_000, parseMilliseconds),
  journalRetention: withDefault(0, parseWholeNumber),
  inspect: optional(parseFunction),
  version: withDefault(DURABLE_LOGIN_VERSION, parseVersion),
} satisfies OptionParsers<DurableLoginOptions>;

/**
 * The login as a virtual object of Restate: the statechart of `machines/login.ts` decides, Restate remembers, waits and
 * repeats, and the client sends (contract, section 3). Credentials, answers and keys enter and leave sealed. A request
 * that must not be sent twice is not: if a worker was lost during the request, the login ends in `outcome_unknown`.
 *
 * @throws {BankError} `invalid_input` naming the option.
 * @example
 * serve({ services: [durableLogin({ client, sealKey })], port: 9080 });
 */
export function durableLogin(options: DurableLoginOptions) {
  const settings = parseOptions(options, durableLoginOptions);
  const { client, sealKey, sealTtl, retention, journalRetention, inspect, version } = settings;
  providePromiseWithResolvers();
  const inspection = createStepInspection(loginMachine, inspect);
  const actors = createDurableActors({ client, inspection, sealKey, sealTtl });
  const machine = toSealedMachine(loginMachine.provide({ actors: actors as never }));
  const name = durableLoginName(version);
  const advance = createAdvance(name, retention, inspection);

  const load = async (ctx: Shared): Promise<DurableRecord> => {
    const record = await ctx.get("login");
    if (!record) throw new TerminalError("invalid_input: id", { errorCode: 404 });
    return record;
  };

  /** Applies an event to a login. It has no effect if the state does not accept it. */
  const send = async (ctx: Exclusive, record: DurableRecord, event: DurableEvent): Promise<DurableState> => {
    const step = transitionRecord(machine, record, event);
    return toDurableState(step.changed && !isOver(record) ? await advance(ctx, record, step) : record);
  };

  /** A handler that returns the state as soon as a condition is met. Each read is of the current record. */
  const reading = (isMet: (record: DurableRecord) => boolean) => {
    const read = async (ctx: Shared, message: { readonly locale?: Locale } | undefined): Promise<DurableState> => {
      const { locale } = parseMessage(localeMessage, message);
      for (;;) {
        const record = await load(ctx);
        if (isMet(record)) {
          const picture = hasPicture(record) ? await ctx.get("picture") : undefined;
          return toDurableState(record, { locale, picture: picture ?? undefined });
        }
        const { id: awakeable, promise } = ctx.awakeable();
        ctx.objectSendClient<Inner>({ name }, ctx.key).enlist({ awakeable, step: record.step });
        await promise;
      }
    };
    return handlers.object.shared({ enableLazyState: true }, read);
  };

  return object({
    name,
    description: "A bank login that outlives the processes that run it. Secrets enter and leave sealed.",
    options: {
      journalRetention,
      // Longer than a caller repeats an answer or a choice.
      idempotencyRetention: FIVE_MINUTES,
      // A call that waits for a person is suspended: Restate limits the number of running invocations.
      inactivityTimeout: 1000,
      // No handler throws a temporary error: only an attempt that was lost is repeated.
      retryPolicy: { initialInterval: 50, exponentiationFactor: 2, maxInterval: 5000, maxAttempts: 2 ** 31 - 1 },
    },
    handlers: {
      /** Begins the login. A repeated call has no effect: a credential is never sent twice. */
      start: async (ctx: Exclusive, message: StartMessage): Promise<DurableState> => {
        const { credentials: sealed, settings } = parseMessage(startMessage, message);
        if (readVersion(ctx.key) !== version) throw new TerminalError("invalid_input: id", { errorCode: 400 });
        const existing = await ctx.get("login");
        if (existing) return toDurableState(existing);
        const credentials = { id: ctx.key, ...sealed };
        const empty = createRecord(machine, settings, credentials);
        const step = transitionRecord(machine, empty, { type: "credentials.submit", credentials });
        return toDurableState(await advance(ctx, empty, step));
      },

      /** Answers the bank's question. It has no effect if another one or none is open, or if the answer can't be opened here. */
      answer: async (
        ctx: Exclusive,
        message: SealedAnswer & { readonly isConfirmation?: boolean; readonly isListed?: boolean },
      ): Promise<DurableState> => {
        const { isConfirmation = false, isListed = false, ...answer } = parseMessage(answerMessage, message);
        const record = await load(ctx);
        const { interaction } = record.context;
        if (interaction?.number !== answer.interaction) return toDurableState(record);
        // Journalled, since the seal expires, and another worker may have other keys. An answer that can't be opened leaves the question open.
        const detail = await ctx.run("open answer", () =>
          openAnswer(answer, { id: ctx.key, sealKey }).then(() => null, toSealDetail),
        );
        if (detail !== null) throw new TerminalError(`token_invalid: ${detail}`, { errorCode: 400 });
        return send(ctx, record, { type: "interaction.answer", answer, isConfirmation, isListed });
      },

      choose: async (ctx: Exclusive, message: ChooseMessage): Promise<DurableState> => {
        const { client } = parseMessage(chooseMessage, message);
        return send(ctx, await load(ctx), { type: "client.choose", client });
      },

      /** Cancels the login. First the running request, since no other exclusive handler can run beside it. */
      cancel: handlers.object.shared(async (ctx: Shared): Promise<DurableState> => {
        cancelRunning(ctx, await load(ctx));
        return ctx.objectClient<Inner>({ name }, ctx.key).abandon();
      }),

      state: reading(() => true),

      settled: reading(isSettled),

      wait: reading(isOver),

      /**
       * Runs an actor of the statechart. Exclusive, so that it stores the result itself: a message to another handler would
       * journal the result, with a picture in it, a second time.
       */
      perform: handlers.object.exclusive(
        { ingressPrivate: true, enableLazyState: true, inactivityTimeout: FIVE_MINUTES },
        (async (ctx, { id, src, input, step }) => {
          const record = await ctx.get("login");
          // The login was cancelled or answered before this began.
          if (record?.running?.step !== step) return;
          const take = (event: DurableEvent) =>
            advance(ctx, { ...record, running: undefined }, transitionRecord(machine, record, event));
          try {
            const output = await actors[src].config({
              input: input as never,
              ctx: ctx as unknown as ObjectSharedContext,
            });
            await take({ type: `xstate.done.actor.${id}`, output, actorId: id });
          } catch (error) {
            if (error instanceof BankError) {
              await take({ type: `xstate.error.actor.${id}`, error: toFailure(error), actorId: id });
            } else if (error instanceof CancelledError) {
              // Cancelled by a caller, or by an operator of Restate: otherwise the login would run for ever.
              await take({ type: "login.cancel" });
            } else throw error;
          }
        }) as Inner["perform"],
      ),

      abandon: handlers.object.exclusive({ ingressPrivate: true }, (async (ctx) =>
        send(ctx, await load(ctx), { type: "login.cancel" })) as Inner["abandon"]),

      enlist: handlers.object.exclusive({ ingressPrivate: true }, (async (ctx, { awakeable, step }) => {
        const record = await ctx.get("login");
        // The login has changed meanwhile, or was deleted: the call reads it again.
        if (record?.step !== step) return ctx.resolveAwakeable(awakeable);
        ctx.set("waiting", [...((await ctx.get("waiting")) ?? []), awakeable]);
      }) as Inner["enlist"]),

      forget: handlers.object.exclusive({ ingressPrivate: true }, (async (ctx) => {
        ctx.clearAll();
      }) as Inner["forget"]),
    },
  });
}

function toSealDetail(error: unknown): string {
  if (error instanceof BankError && error.code === "token_invalid") return error.detail ?? "altered";
  throw error;
}

/** Restate's SDK calls `Promise.withResolvers`, which Node 20 does not have: each call would be retried without end. */
export function providePromiseWithResolvers(): void {
  const promise = Promise as { withResolvers?: () => unknown };
  promise.withResolvers ??= function withResolvers<Value>(this: PromiseConstructor) {
    let resolve: unknown;
    let reject: unknown;
    const promise = new this<Value>((...settle) => {
      [resolve, reject] = settle;
    });
    return { promise, resolve, reject };
  };
}
