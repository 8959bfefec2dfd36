import * as v from "valibot";
import { BankError } from "../../core/api/errors.ts";
import { type OptionParsers, parseOptions, parseWholeNumber, withDefault } from "../../core/api/input-checks.ts";
import { toField } from "../../core/api/input-issue.ts";
import { redactEvents } from "../trace/redact.ts";
import { type TraceEvent, traceEvent } from "../trace/trace-event.ts";
import type { Inspect } from "../trace/traced-actors.ts";

const trace = v.object({
  format: v.literal("ventanilla-trace"),
  version: v.literal(1),
  startedAt: v.pipe(v.string(), v.isoTimestamp()),
  isTruncated: v.boolean(),
  events: v.array(traceEvent),
});

/**
 * A trace, one recorded run: plain JSON without a secret, to attach to a bug report and to replay with `ventanilla view`. The first actor
 * of each statechart has its definition.
 */
export type Trace = v.InferOutput<typeof trace>;

/** A recorder of runs. */
export interface LoginRecording {
  /** The `inspect` option of `createActor`, `login()`, the adapters and `<bank-login>`. */
  readonly inspect: Inspect;
  /** What was observed so far, as plain data for `JSON.stringify`. */
  trace(): Trace;
}

export interface RecordingOptions {
  /**
   * The most events that are kept; later ones are dropped, and `isTruncated` is then true.
   * @default 5000, some 200 logins
   */
  readonly limit?: number;
}

const recordOptions = { limit: withDefault(5000, parseWholeNumber) } satisfies OptionParsers<RecordingOptions>;

/**
 * Records logins and links, for a bug report or a replay. Everything is redacted when it is recorded: see `docs/inspection.md`.
 *
 * @throws {BankError} `invalid_input` for an unknown option, and a `limit` that is not an integer.
 * @example
 * const recorder = inspectRecording();
 * await login(client, credentials, { inspect: recorder.inspect });
 * await writeFile("run.json", JSON.stringify(recorder.trace()));
 */
export function inspectRecording(options: RecordingOptions = {}): LoginRecording {
  const { limit } = parseOptions(options, recordOptions);
  const events: TraceEvent[] = [];
  const defined = new Set<object>();
  let isTruncated = false;
  return {
    inspect: redactEvents((event) => {
      if (events.length >= limit) {
        isTruncated = true;
      } else if (event.type === "@xstate.actor" && event.definition) {
        const { definition, ...rest } = event;
        events.push(defined.has(definition) ? rest : event);
        defined.add(definition);
      } else events.push(event);
    }),
    trace: () => ({
      format: "ventanilla-trace",
      version: 1,
      startedAt: new Date(events[0]?.at ?? Date.now()).toISOString(),
      isTruncated,
      events: [...events],
    }),
  };
}

/**
 * Reads a trace.
 *
 * @throws {BankError} `invalid_input` with the field `trace`; `detail` names the place and the problem.
 */
export function readTrace(json: string): Trace {
  let result: v.SafeParseResult<typeof trace>;
  try {
    result = v.safeParse(trace, JSON.parse(json));
  } catch {
    throw new BankError("invalid_input", { field: "trace", detail: "is not JSON, or is nested too deeply" });
  }
  if (result.success) return result.output;
  const place = toField(result.issues, "");
  throw new BankError("invalid_input", {
    field: "trace",
    detail: place ? `is not a trace: ${place}` : "is not a trace",
  });
}
