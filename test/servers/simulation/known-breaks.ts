import type { Promised } from "./checkers.ts";
import type { Run } from "./simulate.ts";

/** A promise that today's record breaks by its nature. */
export interface KnownBreak {
  readonly promise: Promised;
  readonly why: string;
  /** Whether a run that breaks the promise does it for this reason. */
  readonly isReason: (run: Run) => boolean;
}

/** Promises that the record breaks by its nature: none. */
export const knownBreaks: readonly KnownBreak[] = [];
