import type { AnyActorRef, InspectionEvent } from "xstate";

// XState documents no way from an inspected actor to its parent, nor from a step to its transitions. All uses
// of XState's `_…` members are in this file.

type Microstep = Extract<InspectionEvent, { type: "@xstate.microstep" }>;

/** The actor that has invoked an inspected one. */
export function findParent(actor: InspectionEvent["actorRef"]): AnyActorRef | undefined {
  return "_parent" in actor ? (actor._parent as AnyActorRef | undefined) : undefined;
}

/** The members that give an object that is inspected like an actor its parent. */
export const parentOf = (parent: InspectionEvent["actorRef"]) => ({ _parent: parent });

/** The transitions of a step. */
export const listTaken = ({ _transitions }: Microstep): Microstep["_transitions"] => _transitions;

/** A step of a statechart that was not taken by an actor. */
export const createMicrostep = (step: Omit<Microstep, "type" | "_transitions">): Microstep => ({
  type: "@xstate.microstep",
  _transitions: [],
  ...step,
});
