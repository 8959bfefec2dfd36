import { parentPort, workerData } from "node:worker_threads";
import { check, type Promised } from "./checkers.ts";
import { hostedAdapter } from "./hosted-adapter.ts";
import { knownBreaks } from "./known-breaks.ts";
import { relayAdapter } from "./relay-adapter.ts";
import { shrink } from "./shrink.ts";
import { type Run, simulate } from "./simulate.ts";

// A thread of its own, since a run replaces the clock and the random numbers of its globals. Its parent loads it as one bundled file.

/** What a thread is to do. */
export interface Task {
  readonly from: number;
  readonly count: number;
  /** Ends it when this promise was broken so often. */
  readonly until?: { readonly promise: string; readonly times: number };
}

/** A promise that a schedule has broken. */
export interface Found {
  readonly seed: number;
  readonly promise: Promised;
  readonly finding: string;
  readonly isKnown: boolean;
}

/** What a thread has done. */
export interface Done {
  readonly schedules: number;
  readonly found: readonly Found[];
  /** One of each run: the same for the same seed. */
  readonly fingerprints: readonly string[];
  /** The first finding that is not known, as a smaller run, for people. Without `until`. */
  readonly print: string | undefined;
}

/** Each second schedule is of the relay. */
const toAdapter = (seed: number) => (seed % 2 === 0 ? hostedAdapter : relayAdapter);

const run = (seed: number, list?: readonly number[], isPrinted = false): Promise<Run> =>
  simulate(list ? { list } : { seed }, toAdapter(seed), { isPrinted });

const isKnown = (one: Run, promise: Promised): boolean =>
  knownBreaks.some((known) => known.promise === promise && known.isReason(one));

/** What is new in a run. */
const checkNew = (one: Run) => check(one).map((found) => ({ ...found, isKnown: isKnown(one, found.promise) }));

async function print({ seed, promise, finding }: Found): Promise<string> {
  const { draws } = await run(seed);
  const isBroken = async (list: readonly number[]) =>
    checkNew(await run(seed, list)).some((found) => found.promise === promise && !found.isKnown);
  const list = await shrink(draws, isBroken);
  const { lines } = await run(seed, list, true);
  return [
    `Seed ${seed} (${toAdapter(seed).door}) breaks "${promise}": ${finding}.`,
    `${draws.length} draws, after shrinking ${list.length}, of which ${list.filter((drawn) => drawn !== 0).length} are not 0: [${list}]`,
    ...lines
      .filter(({ isRoutine }) => !isRoutine)
      .map(({ at, owner, text }) => `${String(at).padStart(9)}  ${owner.padEnd(11)} ${text.slice(0, 200)}`),
  ].join("\n");
}

async function work({ from, count, until }: Task): Promise<Done> {
  const found: Found[] = [];
  const fingerprints: string[] = [];
  let seed = from;
  for (; seed < from + count; seed += 1) {
    const one = await run(seed);
    fingerprints.push(`${one.steps} ${one.fingerprint} ${one.draws.length} ${one.history.length}`);
    for (const each of checkNew(one)) found.push({ seed, ...each });
    if (until && found.filter((each) => each.promise === until.promise && !each.isKnown).length >= until.times) break;
  }
  const first = found.find((each) => !each.isKnown);
  return {
    schedules: Math.min(count, seed - from + 1),
    found,
    fingerprints,
    print: first && !until ? await print(first) : undefined,
  };
}

// Thousands of faults are thrown, and where is not read.
Error.stackTraceLimit = 0;
console.warn = () => {};
parentPort?.postMessage(await work(workerData as Task));
