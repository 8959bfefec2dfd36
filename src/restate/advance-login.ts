import { InvocationIdParser, type ObjectContext, type ObjectSharedContext, SendOpts } from "@restatedev/restate-sdk";
import {
  type Begun,
  type DurableEvent,
  type DurableRecord,
  isOver,
  isSettled,
  type Running,
  type Step,
} from "./durable-record.ts";
import { toDurableState } from "./durable-state.ts";

/** Somebody who waits for a login to come to rest, or to its end. */
export interface Waiting {
  readonly until: "settled" | "over";
  readonly awakeable: string;
}

/** What Restate keeps of a login. */
export type Stored = { login: DurableRecord; waiting: Waiting[] };
/** The context of a handler that has the login to itself. */
export type Exclusive = ObjectContext<Stored>;
/** The context of a handler that runs beside others. */
export type Shared = ObjectSharedContext<Stored>;

/** The handlers that a login calls of itself. */
export interface Inner {
  perform(ctx: Shared, message: Begun & { readonly step: number }): Promise<void>;
  settle(ctx: Exclusive, message: { readonly step: number; readonly event: DurableEvent }): Promise<void>;
  enlist(ctx: Exclusive, message: Waiting): Promise<void>;
  forget(ctx: Exclusive): Promise<void>;
}

/** What takes the logins of one virtual object from step to step. */
export function createAdvance({ name, retention }: { readonly name: string; readonly retention: number }) {
  const clientOf = (ctx: Pick<Shared, "objectSendClient" | "key">) => ctx.objectSendClient<Inner>({ name }, ctx.key);

  /** Writes what follows from a step, and begins and stops what it says. */
  const take = async (ctx: Exclusive, record: DurableRecord, step: Step): Promise<DurableRecord> => {
    if (step.stopped && record.running) {
      ctx.invocation(InvocationIdParser.fromString(record.running.invocation)).cancel();
    }
    const running = step.begun
      ? await begin(ctx, step.begun, record.step + 1)
      : step.stopped
        ? undefined
        : record.running;
    const next = { ...record, value: step.value, context: step.context, step: record.step + 1, running };
    ctx.set("login", next);
    await resolveWaiting(ctx, next);
    if (isOver(next)) {
      const left = next.expiresAt - (await ctx.date.now());
      clientOf(ctx).forget(SendOpts.from({ delay: Math.max(retention, left + 1000) }));
    }
    return next;
  };

  const begin = async (ctx: Exclusive, begun: Begun, step: number): Promise<Running | undefined> => {
    let delay = 0;
    if (begun.src === "waitUntil") {
      const { time } = begun.input as { time?: number | null };
      // A wait without an end would be an invocation without an end.
      if (time == null) return undefined;
      // Not begun before its time: what sleeps within an invocation would depend on the worker that it began on.
      delay = Math.max(0, time - (await ctx.date.now()));
    }
    const invocation = await clientOf(ctx).perform({ ...begun, step }, SendOpts.from({ delay })).invocationId;
    return { step, invocation };
  };

  const resolveWaiting = async (ctx: Exclusive, record: DurableRecord) => {
    if (!isSettled(record)) return;
    const waiting = await ctx.get("waiting");
    if (!waiting?.length) return;
    const isMet = ({ until }: Waiting) => until === "settled" || isOver(record);
    for (const { awakeable } of waiting.filter(isMet)) ctx.resolveAwakeable(awakeable, toDurableState(record));
    ctx.set(
      "waiting",
      waiting.filter((one) => !isMet(one)),
    );
  };

  return { take, resolveWaiting, clientOf };
}
