import type { FailureCode } from "ventanilla";

/** What should happen, written down by hand: the next facts, or nothing at all. */
export interface Oracle<Facts, Name extends string> {
  readonly start: Facts;
  readonly names: readonly Name[];
  next(facts: Facts, name: Name): Facts | "ignored";
}

/** Where something leads, if all of that holds. */
interface Next<State, Condition> {
  readonly to: State;
  readonly if?: readonly Condition[];
  /** The failure's code. */
  readonly because?: FailureCode;
}

/** A row of an oracle: in this state, when this happens, and all of that holds, so it goes on. */
interface Row<State, Name, Condition> extends Next<State, Condition> {
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

/** The one row that fits. Two would make the oracle a matter of order. */
export function only<Value>(values: readonly Value[]): Value | undefined {
  if (values.length > 1) throw new Error(`The oracle contradicts itself: ${JSON.stringify(values)}`);
  return values[0];
}

/** What a pure transition would do, of one kind. */
const findParams = (actions: readonly { readonly type: string; readonly params?: unknown }[], type: string) =>
  actions
    .filter((action) => action.type === type)
    .map(({ params }): { id?: unknown; event?: unknown; targetId?: unknown } => Object(params));

/** What a pure transition would announce, pass on to an actor within, and begin: requests and waits by their ids. */
export const readEffects = (actions: Parameters<typeof findParams>[0]) => ({
  announced: findParams(actions, "xstate.emit").map(({ event }) => event),
  forwarded: findParams(actions, "xstate.sendTo").map(({ targetId, event }) => ({ to: targetId, event })),
  begun: findParams(actions, "xstate.spawnChild").map(({ id }) => id),
});
