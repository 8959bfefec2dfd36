import type { FailureCode } from "ventanilla";

/** The next state, if all conditions hold. */
interface Next<State, Condition> {
  readonly to: State;
  readonly if?: readonly Condition[];
  /** The failure's code. */
  readonly because?: FailureCode;
}

/** One row of a table: a state, what happens in it, and what follows. */
export interface Row<State, Name, Condition = unknown> extends Next<State, Condition> {
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

/** The one row that fits: with two of them the result would depend on their order. What is in no row is ignored. */
export function findRow<State, Name, Condition>(
  rows: readonly Row<State, Name, Condition>[],
  state: State,
  name: Name,
  holds: (condition: Condition) => boolean,
): Row<State, Name, Condition> | undefined {
  const found = rows.filter((row) => row.in === state && row.when === name && (row.if ?? []).every(holds));
  if (found.length > 1) throw new Error(`The table contradicts itself: ${JSON.stringify(found)}`);
  return found[0];
}
