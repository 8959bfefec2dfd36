import * as v from "valibot";
import type { StateValue } from "xstate";
import { InputError } from "../api/errors.ts";
import type { Facts } from "./moment.ts";

const text = v.pipe(v.string(), v.maxLength(200));
const facts = v.custom<Facts>((value) => typeof value === "object" && value !== null && !Array.isArray(value));

const stateValue: v.GenericSchema<StateValue> = v.union([
  text,
  v.record(
    text,
    v.lazy(() => stateValue),
  ),
]);

const event = v.intersect([v.object({ type: text }), facts]);
const snapshot = v.object({ status: text, value: v.optional(stateValue), context: v.optional(facts, {}) });

const seen = { at: v.pipe(v.number(), v.minValue(0)), actor: text };

const moment = v.variant("type", [
  v.object({
    type: v.literal("actor"),
    ...seen,
    parent: v.optional(text),
    name: text,
    machine: v.optional(text),
    snapshot,
  }),
  v.object({ type: v.literal("event"), ...seen, source: v.optional(text), event }),
  v.object({ type: v.literal("snapshot"), ...seen, event, snapshot }),
]);

const recording = v.object({
  format: v.literal("ventanilla-run"),
  version: v.literal(1),
  startedAt: v.pipe(v.string(), v.isoTimestamp()),
  isTruncated: v.boolean(),
  machines: v.record(text, v.looseObject({ id: text })),
  moments: v.array(moment),
});

/**
 * A recorded run: plain JSON without a secret, to attach to a bug report and to replay with `ventanilla view`.
 * `at` counts milliseconds since `startedAt`; each statechart stands in `machines` once.
 *
 * @useDeclaredType
 */
export type Recording = v.InferOutput<typeof recording>;
/** One moment of a recorded run: an actor begins, an event is sent, an actor stands somewhere. */
export type RecordedMoment = Recording["moments"][number];

/**
 * Reads a recorded run.
 *
 * @throws {InputError} `invalid_input` with the field `recording`; `detail` says what is wrong where.
 * @example
 * const recording = readRecording(await readFile("run.json", "utf8"));
 */
export function readRecording(json: string): Recording {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw new InputError("invalid_input", { field: "recording", detail: "is not JSON" });
  }
  const { success, output, issues } = v.safeParse(recording, value);
  if (success) return output;
  const [issue] = issues;
  const place = issue && v.getDotPath(issue);
  // What stands there instead may be anything, so it is not repeated.
  throw new InputError("invalid_input", {
    field: "recording",
    detail: place ? `is no recorded run: ${place}` : "is no recorded run",
  });
}
