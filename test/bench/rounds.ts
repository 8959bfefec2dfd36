/** The median of many measurements, and their middle half. */
export interface Spread {
  readonly median: number;
  readonly lower: number;
  readonly upper: number;
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
