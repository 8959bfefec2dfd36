import * as v from "valibot";
import type { StateValue } from "xstate";
import type { MachineDefinition } from "./definition.ts";

/** What may be shown: codes, names, numbers. */
export type TraceValue = string | number | boolean | readonly string[] | { readonly [name: string]: TraceValue };
export type TraceDetails = { readonly [name: string]: TraceValue };

const text = v.pipe(v.string(), v.maxLength(200));
const isRecord = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);
const details = v.custom<TraceDetails>(isRecord);
const definition = v.custom<MachineDefinition>((value) => isRecord(value) && v.is(v.object({ id: text }), value));

const stateValue: v.GenericSchema<StateValue> = v.union([
  text,
  v.record(
    text,
    v.lazy(() => stateValue),
  ),
]);

// An event by its name, with what may be shown of it.
const sent = v.intersect([v.object({ type: text }), details]);
// Only statecharts have a value.
const snapshot = v.object({ status: text, value: v.optional(stateValue), context: v.optional(details, {}) });

// The ids of the actor and of the root actor, as XState gives them; milliseconds since the epoch.
const seen = { sessionId: text, rootId: text, at: v.number() };

/** A trace event as it is read from a file or a message. */
export const traceEvent = v.variant("type", [
  v.object({
    type: v.literal("@xstate.actor"),
    ...seen,
    parentId: v.optional(text),
    name: text,
    definition: v.optional(definition),
    snapshot,
  }),
  v.object({ type: v.literal("@xstate.event"), ...seen, sourceId: v.optional(text), event: sent }),
  v.object({ type: v.literal("@xstate.snapshot"), ...seen, event: sent, snapshot }),
]);

/**
 * One observed event of an actor, named as XState and the Stately inspector name it: the actor starts, receives an event,
 * reaches a snapshot. Plain data without a secret, for any protocol and any file. `at` is in milliseconds since the epoch.
 */
export type TraceEvent = v.InferOutput<typeof traceEvent>;
