import { InvocationIdParser, type ObjectContext, type ObjectSharedContext, SendOpts } from "@restatedev/restate-sdk";
import { readState } from "../../core/login/login-state.ts";
import type { StoredPast } from "../../tools/telemetry/stored-login.ts";
import {
  type DurableRecord,
  hasPicture,
  type InvokedActor,
  isOver,
  isSettled,
  type Running,
  type Step,
} from "./durable-record.ts";
import type { DurableState } from "./durable-state.ts";
import { readTraceHeaders, type StepInspection } from "./inspect-steps.ts";

/** What Restate keeps of a login: its record, its picture, and the awakeables of the calls that wait. */
export type Stored = { login: DurableRecord; picture: string; waiting: string[] };
export type Exclusive = ObjectContext<Stored>;
export type Shared = ObjectSharedContext<Stored>;

/** The handlers that a login calls itself. */
export interface Inner {
  perform(ctx: Exclusive, message: InvokedActor & { readonly step: number }): Promise<void>;
  abandon(ctx: Exclusive): Promise<DurableState>;
  enlist(ctx: Exclusive, message: { readonly awakeable: string; readonly step: number }): Promise<void>;
  forget(ctx: Exclusive): Promise<void>;
}

/** Cancels the invocation that runs for a login. */
export function cancelRunning(ctx: Shared, { running }: DurableRecord): void {
  if (running) ctx.invocation(InvocationIdParser.fromString(running.invocation)).cancel();
}

/** Creates the function that applies a step to a login of one virtual object. */
export function createAdvance(name: string, retention: number, inspection: StepInspection) {
  /** Stores the step, begins and stops actors, and resolves the calls that wait. */
  return async (ctx: Exclusive, record: DurableRecord, step: Step): Promise<DurableRecord> => {
    const self = ctx.objectSendClient<Inner>({ name }, ctx.key);

    const begin = async ({ src, id, input }: InvokedActor, number: number): Promise<Running | undefined> => {
      let delay = 0;
      if (src === "waitUntil") {
        const { time } = input as { time?: number | null };
        // A wait without an end needs no invocation.
        if (time == null) return undefined;
        // The invocation itself is delayed: one that sleeps would depend on the worker on which it began.
        delay = Math.max(0, time - (await ctx.date.now()));
      }
      const message = { src, id, input, step: number };
      const sendOptions = SendOpts.from<typeof message>({ delay, headers: readTraceHeaders(ctx) });
      return { step: number, invocation: await self.perform(message, sendOptions).invocationId };
    };

    const number = record.step + 1;
    const kept = step.stopped ? undefined : record.running;
    const running = step.begun ? await begin(step.begun, number) : kept;
    const waiting = isSettled(step) ? ((await ctx.get("waiting")) ?? []) : [];
    const own: string = crypto.randomUUID();
    const { time, attempt } = await ctx.run("step", () => ({ time: Date.now(), attempt: own }));
    const { value, context } = step;
    const next = { ...record, value, context, startedAt: record.startedAt ?? time, step: number, running };

    // No await from here on: a cancel takes effect at an await, and would interrupt a step.
    // An attempt that repeats a step finds another attempt's id in the journal.
    if (attempt === own) inspection.step({ id: ctx.key, past: readPast(record, time) }, step.snapshots);
    if (step.stopped) cancelRunning(ctx, record);
    ctx.set("login", next);
    if (step.picture !== undefined) ctx.set("picture", step.picture);
    else if (hasPicture(record)) ctx.clear("picture");
    for (const awakeable of waiting) ctx.resolveAwakeable(awakeable);
    if (waiting.length > 0) ctx.clear("waiting");
    if (isOver(next)) self.forget(SendOpts.from({ delay: Math.max(retention, next.expiresAt - time + 1000) }));
    return next;
  };
}

/** Describes the login before this step, for its lifecycle events. */
function readPast(record: DurableRecord, time: number): StoredPast | undefined {
  const { startedAt, provider, context } = record;
  if (startedAt === undefined) return undefined;
  const interactions = context.interaction?.number ?? 0;
  return { provider, state: readState(record).state, duration: time - startedAt, interactions };
}
