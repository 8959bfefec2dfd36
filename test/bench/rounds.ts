import { Bench } from "tinybench";

/** The middle of many measurements, and where the middle half of them lies. */
export interface Spread {
  readonly median: number;
  readonly lower: number;
  readonly upper: number;
}

/** What the rounds gave: milliseconds per call of each contender, and the ratio of each to the first one, round by round. */
export interface Rounds<Name extends string> {
  readonly milliseconds: Readonly<Record<Name, Spread>>;
  /** How many times as fast as the other one the first contender is, in the same round. */
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

/**
 * Measures contenders side by side: each round runs all of them, in another order, and only figures of the same round are
 * compared, so that a machine that grows slower or faster on the way does not count.
 */
export async function compare<Name extends string>(
  contenders: Readonly<Record<Name, () => unknown>>,
  { rounds, time, iterations = 3, warmUp = 4_000 }: Effort,
): Promise<Rounds<Name>> {
  const names = Object.keys(contenders) as Name[];
  const first = names[0] as Name;
  const figures = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (const name of names) await prepare(contenders[name], warmUp);
  for (let round = 0; round < rounds; round++) {
    const bench = new Bench({ time, iterations, warmup: false, throws: true });
    for (const name of rotated(names, round)) bench.add(name, contenders[name]);
    await bench.run();
    for (const name of names) figures[name].push(findMedian(bench, name));
  }
  const each = <Value>(value: (name: Name) => Value) =>
    Object.fromEntries(names.map((name) => [name, value(name)])) as Record<Name, Value>;
  return {
    milliseconds: each((name) => toSpread(figures[name])),
    ratios: each((name) => toSpread(figures[name].map((figure, round) => figure / (figures[first][round] ?? figure)))),
  };
}

/** The median and the quartiles. */
export function toSpread(figures: readonly number[]): Spread {
  const sorted = figures.toSorted((left, right) => left - right);
  const at = (part: number) => {
    const place = (sorted.length - 1) * part;
    const [below = Number.NaN, above = below] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
    return below + (above - below) * (place % 1);
  };
  return { median: at(0.5), lower: at(0.25), upper: at(0.75) };
}

const warmUpMilliseconds = 2_000;

async function prepare(contender: () => unknown, calls: number): Promise<void> {
  const end = performance.now() + warmUpMilliseconds;
  for (let call = 0; call < calls && performance.now() < end; call++) await contender();
}

function findMedian(bench: Bench, name: string): number {
  const result = bench.getTask(name)?.result;
  if (result?.state !== "completed") throw new Error(`${name} was not measured: ${result?.state}`);
  return result.latency.p50;
}

/** The items in another order for each number. */
export function rotated<Item>(items: readonly Item[], by: number): readonly Item[] {
  const start = by % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}
