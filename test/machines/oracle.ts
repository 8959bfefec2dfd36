import type { FailureCode } from "ventanilla";

/** What should happen, written by hand: the next facts, or nothing. */
export interface Oracle<Facts, Name extends string> {
  readonly start: Facts;
  readonly names: readonly Name[];
  next(facts: Facts, name: Name): Facts | "ignored";
}

/** The next state, if all conditions hold. */
interface Next<State, Condition> {
  readonly to: State;
  readonly if?: readonly Condition[];
  /** The failure's code. */
  readonly because?: FailureCode;
}

/** One row of an oracle: a state, what happens in it, and what follows. */
export interface Row<State, Name, Condition> extends Next<State, Condition> {
  readonly in: State;
  readonly when: Name;
}

export const leads = <const State, const Condition>(to: State, ...conditions: Condition[]) => ({ to, if: conditions });
export const fails = <const Condition = never>(because: FailureCode, ...conditions: Condition[]) =>
  ({ to: "failed", because, if: conditions }) as const;

type Table<State extends string, Name extends string, Condition> = {
  readonly [In in State]?: {
    readonly [When in Name]?: State | Next<State, Condition> | readonly Next<State, Condition>[];
  };
};

/** The rows of a table by state and by what happens. */
export function toRows<State extends string, Name extends string, Condition>(
  table: Table<State, Name, Condition>,
): readonly Row<State, Name, Condition>[] {
  return Object.entries(table).flatMap(([state, cases]) =>
    Object.entries(cases as object).flatMap(([name, next]) =>
      [next].flat().map((each) => ({ in: state, when: name, ...(typeof each === "string" ? { to: each } : each) })),
    ),
  );
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

/** The one row that fits: with two of them the result would depend on their order. */
export function findRow<State, Name, Condition>(
  rows: readonly Row<State, Name, Condition>[],
  state: State,
  name: Name,
  holds: (condition: Condition) => boolean,
): Row<State, Name, Condition> | undefined {
  const found = rows.filter((row) => row.in === state && row.when === name && (row.if ?? []).every(holds));
  if (found.length > 1) throw new Error(`The oracle contradicts itself: ${JSON.stringify(found)}`);
  return found[0];
}

/** The facts after something that the oracle knows. */
export function follow<Facts extends { readonly state: string }, Name extends string>(
  { next }: Oracle<Facts, Name>,
  facts: Facts,
  name: Name,
): Facts {
  const reached = next(facts, name);
  if (reached === "ignored") throw new Error(`By the oracle, nothing follows when ${name} in ${facts.state}.`);
  return reached;
}
