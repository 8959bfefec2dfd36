import { getShortestPaths, type TraversalOptions } from "@xstate/graph";
import type { AnyStateMachine, EventFromLogic, EventObject, InputFrom } from "xstate";

type SnapshotOf<Machine extends AnyStateMachine> = ReturnType<Machine["transition"]>;

/** How a statechart is explored: what can happen, and what tells two of its states apart. */
export interface Exploration<Machine extends AnyStateMachine, Name extends string> {
  readonly input: InputFrom<Machine>;
  readonly happenings: readonly { readonly name: Name; readonly event: EventFromLogic<Machine> }[];
  canHappen(snapshot: SnapshotOf<Machine>, name: Name): boolean;
  next(snapshot: SnapshotOf<Machine>, event: EventFromLogic<Machine>): SnapshotOf<Machine>;
  stateKey(snapshot: SnapshotOf<Machine>): string;
}

/**
 * For each edge of the statechart the shortest path to where it begins, and then itself. What changes nothing is no edge.
 * Nothing runs: promises and timers are given their ends as events.
 */
export function edgePaths<Machine extends AnyStateMachine, Name extends string>(
  machine: Machine,
  exploration: Exploration<Machine, Name>,
): readonly (readonly Name[])[] {
  const names = new Map<EventObject, Name>(exploration.happenings.map(({ name, event }) => [event, name]));
  const findName = (event: EventObject): Name => {
    const name = names.get(event);
    if (name === undefined) throw new Error(`The event ${event.type} has no name.`);
    return name;
  };
  const options: TraversalOptions<SnapshotOf<Machine>, EventFromLogic<Machine>, InputFrom<Machine>> = {
    input: exploration.input,
    events: (snapshot) =>
      exploration.happenings.filter(({ name }) => exploration.canHappen(snapshot, name)).map(({ event }) => event),
    serializeState: exploration.stateKey,
    serializeEvent: findName,
    // Ends the exploration of a statechart that counts without end.
    limit: 20_000,
  };
  return getShortestPaths(machine, options).flatMap(({ state, steps }) => {
    const start = steps.slice(1).map(({ event }) => findName(event));
    return exploration.happenings
      .filter(({ name, event }) => exploration.canHappen(state, name) && exploration.next(state, event) !== state)
      .map(({ name }) => [...start, name]);
  });
}

/** Leaves out each path that another one begins with: a run of the longer one is a run of both. */
export function withoutPrefixes<Path extends { readonly variant: string; readonly path: readonly string[] }>(
  paths: readonly Path[],
): readonly Path[] {
  const findName = (variant: string, path: readonly string[]) => [variant, ...path].join();
  const beginnings = new Set(
    paths.flatMap(({ variant, path }) => path.map((_, length) => findName(variant, path.slice(0, length)))),
  );
  return paths.filter(({ variant, path }) => !beginnings.has(findName(variant, path)));
}
