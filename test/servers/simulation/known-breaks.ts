import type { Promised } from "./judges.ts";
import type { Run } from "./simulate.ts";

/** A promise that today's record breaks by its nature. */
export interface KnownBreak {
  readonly promise: Promised;
  readonly why: string;
  /** Whether a run that breaks the promise does it for this reason. */
  readonly isReason: (run: Run) => boolean;
}

const isClaimedAfterEnd = ({ history }: Run): boolean => {
  const ended = history.find(({ type }) => type === "ended");
  return history.some(({ type, at }) => type === "claimed" && ended !== undefined && at >= ended.at);
};

const LOOKS_FIRST =
  "a submit reads the session, and then claims: an end that is written between the two does not stop it";

/** What the record of many rows can't keep. One row a login, changed by compare-and-swap, empties this list. */
export const knownBreaks: readonly KnownBreak[] = [
  {
    promise: "nothing claimed after an end was confirmed is sent",
    why: LOOKS_FIRST,
    isReason: isClaimedAfterEnd,
  },
  {
    promise: "no send begins half a second after an end was told",
    why: LOOKS_FIRST,
    isReason: isClaimedAfterEnd,
  },
  {
    promise: "nothing of an erased session is left",
    why: `${LOOKS_FIRST}; what the bank says then stays: credentials for ten minutes`,
    isReason: isClaimedAfterEnd,
  },
];
