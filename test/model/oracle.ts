/** What should happen, written down by hand: the next facts, or nothing at all. */
export interface Oracle<Facts, Name extends string> {
  readonly start: Facts;
  readonly names: readonly Name[];
  next(facts: Facts, name: Name): Facts | "ignored";
}

/** A row of an oracle: in this state, when this happens, and all of that holds, so it goes on. */
export interface Row<State, Name, Condition, Code> {
  readonly in: State;
  readonly when: Name;
  readonly if?: readonly Condition[];
  readonly to: State;
  /** The failure's code. */
  readonly because?: Code;
}

/** Every situation that the oracle knows of, each with the shortest way there. */
export function findSituations<Facts, Name extends string>(oracle: Oracle<Facts, Name>) {
  const situations = new Map([[JSON.stringify(oracle.start), { facts: oracle.start, path: [] as readonly Name[] }]]);
  for (const { facts, path } of situations.values()) {
    for (const name of oracle.names) {
      const next = oracle.next(facts, name);
      if (next === "ignored" || situations.has(JSON.stringify(next))) continue;
      situations.set(JSON.stringify(next), { facts: next, path: [...path, name] });
    }
  }
  return [...situations.values()];
}

/** The one row that fits. Two would make the oracle a matter of order. */
export function only<Value>(values: readonly Value[]): Value | undefined {
  if (values.length > 1) throw new Error(`The oracle contradicts itself: ${JSON.stringify(values)}`);
  return values[0];
}
