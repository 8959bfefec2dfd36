import { getShortestPaths } from "@xstate/graph";
import type { AnyMachineSnapshot, EventObject } from "xstate";
import { toEvent } from "./cases.ts";
import { happen, readEffects, type Subject } from "./model.ts";

/**
 * The situations that a statechart reaches, each with the shortest path there and what can happen in it. Nothing runs: the results of
 * requests and waits are given as events.
 *
 * @param toKey tells the situations apart.
 * @param isEnd in what lies behind such a situation nobody is interested. Default: none.
 */
export function situations<Name extends string>(
  { machine, cases }: Subject<Name>,
  input: object,
  toKey: (snapshot: AnyMachineSnapshot) => unknown,
  isEnd: (snapshot: AnyMachineSnapshot) => boolean = () => false,
): readonly { snapshot: AnyMachineSnapshot; path: readonly Name[]; possible: readonly Name[] }[] {
  const names = Object.keys(cases) as Name[];
  const namesByEvent = new Map<EventObject, Name>();
  const toName = (event: EventObject) => namesByEvent.get(event) as Name;
  const listPossible = (snapshot: AnyMachineSnapshot) => {
    const { status, children } = snapshot;
    return names.filter((name) => {
      const { isPossible = () => true } = cases[name];
      return status === "active" && toEvent(cases[name], children) && isPossible(snapshot);
    });
  };
  const shortest = getShortestPaths(machine, {
    input,
    events: (snapshot) =>
      listPossible(snapshot).flatMap((name) => {
        const event = toEvent(cases[name], snapshot.children);
        if (event) namesByEvent.set(event, name);
        return event ?? [];
      }),
    serializeState: (snapshot) => JSON.stringify(toKey(snapshot)),
    stopWhen: isEnd,
    serializeEvent: toName,
    // Ends the exploration of a statechart that counts without end.
    limit: 40_000,
  });
  return shortest.map(({ state, steps }) => ({
    snapshot: state,
    path: steps.slice(1).map(({ event }) => toName(event)),
    possible: listPossible(state),
  }));
}

/**
 * For each edge of a statechart, the shortest path to its source and then the edge itself. A case that changes nothing is no edge.
 *
 * @param known the edges that have a path already, with what they do. Settings that change nothing about an edge bring no second path:
 *   `tables.test.ts` judges each edge under all settings. What is found now is added.
 * @param toPlace what of a situation an edge is told by. Default: all.
 */
export const edgePaths = <Name extends string>(
  subject: Subject<Name>,
  input: object,
  toKey: (snapshot: AnyMachineSnapshot) => unknown,
  known: Set<string>,
  toPlace = toKey,
): readonly (readonly Name[])[] =>
  situations(subject, input, toKey).flatMap(({ snapshot, path, possible }) =>
    possible
      .filter((name) => {
        const [next, actions] = happen(subject, snapshot, name);
        if (next === snapshot) return false;
        const edge = JSON.stringify([toPlace(snapshot), name, toPlace(next), readEffects(actions)], withoutTimes);
        if (known.has(edge)) return false;
        known.add(edge);
        return true;
      })
      .map((name) => [...path, name]),
  );

const withoutTimes = (name: string, value: unknown) => (name === "expiresAt" ? undefined : value);

/** Leaves out each path that another one begins with: a run of the longer one is a run of both. */
export function withoutPrefixes<Name extends string>(
  paths: readonly (readonly Name[])[],
): readonly (readonly Name[])[] {
  const toKey = (path: readonly Name[]) => path.join();
  const beginnings = new Set(paths.flatMap((path) => path.map((_, length) => toKey(path.slice(0, length)))));
  return paths.filter((path) => !beginnings.has(toKey(path)));
}
