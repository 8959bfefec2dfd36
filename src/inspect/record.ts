import type { InspectionEvent } from "xstate";
import { parseWholeNumber } from "../api/options.ts";
import { redacting } from "./inspection.ts";
import type { Moment } from "./moment.ts";
import type { RecordedMoment, Recording } from "./recording.ts";

/** A recorder of runs. */
export interface LoginRecorder {
  /** The `inspect` option of `createActor`, `login()`, the adapters and `<bank-login>`. */
  readonly inspect: (event: InspectionEvent) => void;
  /** What was seen so far, fit for `JSON.stringify`. */
  recording(): Recording;
}

/** What `recordLogin` takes. */
export interface RecordOptions {
  /**
   * The most moments that are kept; what comes later is left out, and `isTruncated` says so.
   * @default 5000, some 200 logins
   */
  readonly limit?: number;
}

/**
 * Records logins and links, for a bug report or a replay. Everything is redacted as it comes in: see `docs/inspection.md`.
 *
 * @throws {InputError} `invalid_input` for a `limit` that is no whole number.
 * @example
 * const recorder = recordLogin();
 * await login(client, { ...options, inspect: recorder.inspect });
 * await writeFile("run.json", JSON.stringify(recorder.recording()));
 */
export function recordLogin({ limit = 5000 }: RecordOptions = {}): LoginRecorder {
  const most = parseWholeNumber("limit", limit);
  const moments: Moment[] = [];
  let isTruncated = false;
  return {
    inspect: redacting((moment) => {
      if (moments.length < most) moments.push(moment);
      else isTruncated = true;
    }),
    recording: () => recordingOf(moments, isTruncated),
  };
}

function recordingOf(moments: readonly Moment[], isTruncated: boolean): Recording {
  const start = moments[0]?.at ?? Date.now();
  const definitions = moments.flatMap((moment) => (moment.type === "actor" && moment.definition) || []);
  return {
    format: "ventanilla-run",
    version: 1,
    startedAt: new Date(start).toISOString(),
    isTruncated,
    machines: Object.fromEntries(definitions.map((definition) => [definition.id, definition])),
    moments: moments.map((moment) => recorded(moment, start)),
  };
}

function recorded(moment: Moment, start: number): RecordedMoment {
  const { actor } = moment;
  // The clock of a machine may be set back.
  const at = Math.max(0, moment.at - start);
  switch (moment.type) {
    case "actor": {
      const { type, parent, name, definition, snapshot } = moment;
      return {
        type,
        at,
        actor,
        ...(parent !== undefined && { parent }),
        name,
        ...(definition && { machine: definition.id }),
        snapshot,
      };
    }
    case "event": {
      const { type, source, event } = moment;
      return { type, at, actor, ...(source !== undefined && { source }), event };
    }
    case "snapshot": {
      const { type, event, snapshot } = moment;
      return { type, at, actor, event, snapshot };
    }
  }
}
