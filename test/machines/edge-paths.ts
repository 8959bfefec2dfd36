import { getShortestPaths } from "@xstate/graph";
import type { AnyMachineSnapshot, EventObject } from "xstate";
import { toEvent } from "./cases.ts";
import { applyEvent, type Subject } from "./model.ts";

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
 * For each edge of a statechart, the shortest path to its source and then the edge itself: one run of it shows that the real statechart takes
 * it, and what it sends. What the context makes of an edge `tables.test.ts` checks, under all settings and without a run.
 *
 * @param known the edges that have a path already. What is found now is added.
 */
export const edgePaths = <Name extends string>(
  subject: Subject<Name>,
  input: object,
  toKey: (snapshot: AnyMachineSnapshot) => unknown,
  known: Set<string>,
): readonly (readonly Name[])[] =>
  situations(subject, input, toKey).flatMap(({ snapshot, path, possible }) =>
    possible
      .filter((name) => {
        const [next] = applyEvent(subject, snapshot, name);
        const edge = JSON.stringify([snapshot.value, name, next.value]);
        if (next === snapshot || known.has(edge)) return false;
        known.add(edge);
        return true;
      })
      .map((name) => [...path, name]),
  );

/** Leaves out each path that another one begins with: a run of the longer one is a run of both. */
export function withoutPrefixes<Name extends string>(
  paths: readonly (readonly Name[])[],
): readonly (readonly Name[])[] {
  const toKey = (path: readonly Name[]) => path.join();
  const beginnings = new Set(paths.flatMap((path) => path.map((_, length) => toKey(path.slice(0, length)))));
  return paths.filter((path) => !beginnings.has(toKey(path)));
}
