import type { StateValue } from "xstate";
import type { Facts, Moment } from "../moment.ts";
import { eventName } from "../transitions.ts";

/** An actor as it is at one step of a run. */
export interface ActorAt {
  readonly id: string;
  readonly name: string;
  readonly parent: string | undefined;
  readonly status: string;
  /** Of a statechart. */
  readonly value: StateValue | undefined;
  /** What the inspection shows of its context. */
  readonly details: Facts;
  /** Its last change of state. */
  readonly move: Move | undefined;
}

/** A change of state. */
export interface Move {
  /** As in the drawing: `submitCredentials done`. */
  readonly event: string;
  readonly from: readonly string[];
  readonly to: readonly string[];
}

/** All actors as they are at one step of a run. */
export interface ActorsAtStep {
  readonly actors: readonly ActorAt[];
  /** The id of the statechart that moved last. */
  readonly latest: string | undefined;
}

/** The actors after so many steps of a run. */
export function actorsAtStep(moments: readonly Moment[], steps: number): ActorsAtStep {
  const actors = new Map<string, ActorAt>();
  let latest: string | undefined;
  for (const moment of moments.slice(0, steps)) {
    const { actor: id } = moment;
    // A page that was opened late has not seen every actor start.
    const known = actors.get(id) ?? unknownActor(id);
    if (moment.type === "actor") {
      const { name, parent, snapshot } = moment;
      actors.set(id, { ...known, name, parent, status: snapshot.status, value: snapshot.value ?? known.value });
    } else if (moment.type === "snapshot") {
      const { status, value, context } = moment.snapshot;
      actors.set(id, { ...known, status, value, details: context, move: moveOf(known, moment.event.type, value) });
    } else actors.set(id, known);
    if (actors.get(id)?.move !== known.move) latest = id;
  }
  return { actors: [...actors.values()], latest };
}

/** The paths of all states in a value, parents first: `selectClient`, `selectClient.choosing`. */
export function pathsOf(value: StateValue | undefined, parent = ""): string[] {
  if (value === undefined) return [];
  if (typeof value === "string") return [`${parent}${value}`];
  return Object.entries(value).flatMap(([name, inner]) => [`${parent}${name}`, ...pathsOf(inner, `${parent}${name}.`)]);
}

function moveOf(before: ActorAt, event: string, value: StateValue | undefined): Move | undefined {
  const [from, to] = [pathsOf(before.value), pathsOf(value)];
  if (value === undefined || from.join() === to.join()) return before.move;
  return { event: eventName(event), from, to };
}

const unknownActor = (id: string): ActorAt => ({
  id,
  name: id,
  parent: undefined,
  status: "active",
  value: undefined,
  details: {},
  move: undefined,
});
