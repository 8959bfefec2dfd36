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

/** All facts that the oracle can reach, each with the shortest path there. */
export function reachableFacts<Facts, Name extends string>(oracle: Oracle<Facts, Name>) {
  const reached = new Map([[JSON.stringify(oracle.start), { facts: oracle.start, path: [] as readonly Name[] }]]);
  for (const { facts, path } of reached.values()) {
    for (const name of oracle.names) {
      const next = oracle.next(facts, name);
      if (next === "ignored" || reached.has(JSON.stringify(next))) continue;
      reached.set(JSON.stringify(next), { facts: next, path: [...path, name] });
    }
  }
  return [...reached.values()];
}

/** The one row that fits. Two would make the oracle a matter of order. */
export function only<Value>(values: readonly Value[]): Value | undefined {
  if (values.length > 1) throw new Error(`The oracle contradicts itself: ${JSON.stringify(values)}`);
  return values[0];
}
