import { Bench } from "tinybench";

/** The median of many measurements, and their middle half. */
export interface Spread {
  readonly median: number;
  readonly lower: number;
  readonly upper: number;
}

/** Of each contender: milliseconds per call, and its time in the time of the first one, round by round. */
export interface Rounds<Name extends string> {
  readonly milliseconds: Readonly<Record<Name, Spread>>;
  readonly ratios: Readonly<Record<Name, Spread>>;
}

/** How long to measure. */
export interface Effort {
  readonly rounds: number;
  /** Milliseconds for each contender in each round. */
  readonly time: number;
  /** Calls of each contender in each round, at least. Default 3. */
  readonly iterations?: number;
  /** Calls of each contender before the first round, at most. Default 4 000: a statechart is four times as slow until it is compiled. */
  readonly warmUp?: number;
}

const WARM_UP_MILLISECONDS = 2_000;

/** Measures calls side by side, with tinybench. */
export async function compare<Name extends string>(
  contenders: Readonly<Record<Name, () => unknown>>,
  { rounds, time, iterations = 3, warmUp = 4_000 }: Effort,
): Promise<Rounds<Name>> {
  for (const contender of Object.values<() => unknown>(contenders)) {
    const end = performance.now() + WARM_UP_MILLISECONDS;
    for (let call = 0; call < warmUp && performance.now() < end; call++) await contender();
  }
  const measures = mapValues(contenders, (contender) => async () => {
    const bench = new Bench({ time, iterations, warmup: false, throws: true }).add("contender", contender);
    const [task] = await bench.run();
    if (task?.result.state !== "completed") throw new Error(`A contender was not measured: ${task?.result.state}.`);
    return task.result.latency.p50;
  });
  const figures = await runRounds(measures, rounds);
  const [first] = Object.values<readonly number[]>(figures);
  return {
    milliseconds: mapValues(figures, toSpread),
    ratios: mapValues(figures, (times) => toRatio(times, first ?? [])),
  };
}

/**
 * Measures in rounds: each one takes all measures, in another order. Only figures of the same round are compared, so that a machine
 * that grows slower or faster on the way does not count.
 *
 * @param warmUp rounds before the first one that counts.
 */
export async function runRounds<Name extends string, Figure>(
  measures: Readonly<Record<Name, () => Promise<Figure>>>,
  rounds: number,
  warmUp = 0,
): Promise<Readonly<Record<Name, readonly Figure[]>>> {
  const figures = mapValues(measures, (): Figure[] => []);
  const names = Object.keys(measures) as Name[];
  for (let round = -warmUp; round < rounds; round++) {
    const start = (round + warmUp) % names.length;
    for (const name of [...names.slice(start), ...names.slice(0, start)]) {
      const figure = await measures[name]();
      if (round >= 0) figures[name].push(figure);
    }
  }
  return figures;
}

/** One list of figures in the other, round by round. */
export const toRatio = (figures: readonly number[], others: readonly number[]): Spread =>
  toSpread(figures.map((figure, round) => figure / (others[round] ?? Number.NaN)));

export function toSpread(figures: readonly number[]): Spread {
  const sorted = figures.toSorted((left, right) => left - right);
  const at = (part: number) => {
    const place = (sorted.length - 1) * part;
    const [below = Number.NaN, above = below] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
    return below + (above - below) * (place % 1);
  };
  return { median: at(0.5), lower: at(0.25), upper: at(0.75) };
}

export function mapValues<Name extends string, Value, Result>(
  record: Readonly<Record<Name, Value>>,
  change: (value: Value) => Result,
): Record<Name, Result> {
  const entries = Object.entries<Value>(record).map(([name, value]) => [name, change(value)]);
  return Object.fromEntries(entries) as Record<Name, Result>;
}
