import type { StateValue } from "xstate";
import type { TraceDetails, TraceEvent } from "../../trace/trace-event.ts";
import { formatEvent } from "../../trace/transitions.ts";

/** The state of an actor at one step of a run. */
export interface ActorAtStep {
  readonly id: string;
  readonly name: string;
  readonly parent: string | undefined;
  readonly status: string;
  /** Of a statechart. */
  readonly value: StateValue | undefined;
  /** Its redacted context. */
  readonly details: TraceDetails;
  /** Its last change of state. */
  readonly move: Move | undefined;
  /** Its changes of state so far, each once. */
  readonly path: readonly Move[];
}

/** A change of state. */
export interface Move {
  /** As in the drawing: `submitCredentials done`. */
  readonly event: string;
  readonly from: readonly string[];
  readonly to: readonly string[];
}

/** The actors after a number of steps of a run, and the id of the statechart that moved last. */
export function findActors(events: readonly TraceEvent[], steps: number) {
  const actors = new Map<string, ActorAtStep>();
  let latest: string | undefined;
  for (const event of events.slice(0, steps)) {
    const { sessionId: id } = event;
    // A page that was opened late has missed the start of some actors.
    const known = actors.get(id) ?? { ...unknown, id, name: id };
    if (event.type === "@xstate.actor") {
      const { name, parentId: parent, snapshot } = event;
      actors.set(id, { ...known, name, parent, status: snapshot.status, value: snapshot.value ?? known.value });
    } else if (event.type === "@xstate.snapshot") {
      const { status, value, context } = event.snapshot;
      const move = findMove(known, event.event.type, value);
      const path = move && !known.path.some((before) => isSame(before, move)) ? [...known.path, move] : known.path;
      actors.set(id, { ...known, status, value, details: context, move, path });
    } else actors.set(id, known);
    if (actors.get(id)?.move !== known.move) latest = id;
  }
  return { actors: [...actors.values()], latest };
}

/** The paths of all states in a value, parents first: `selectClient`, `selectClient.choosing`. */
export function listPaths(value: StateValue | undefined, parent = ""): string[] {
  if (value === undefined) return [];
  if (typeof value === "string") return [`${parent}${value}`];
  return Object.entries(value).flatMap(([name, inner]) => [
    `${parent}${name}`,
    ...listPaths(inner, `${parent}${name}.`),
  ]);
}

function findMove(before: ActorAtStep, event: string, value: StateValue | undefined): Move | undefined {
  const [from, to] = [listPaths(before.value), listPaths(value)];
  if (value === undefined || from.join() === to.join()) return before.move;
  return { event: formatEvent(event), from, to };
}

const isSame = (one: Move, other: Move) =>
  one.event === other.event && one.from.join() === other.from.join() && one.to.join() === other.to.join();

const unknown = { path: [], parent: undefined, status: "active", value: undefined, details: {}, move: undefined };
