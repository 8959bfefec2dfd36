import { getStateNodes } from "@xstate/graph";
import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition, InspectionEvent } from "xstate";

/** Every transition of a statechart by name: the whole that a coverage is a part of. */
export function transitionsOf(machine: AnyStateMachine): string[] {
  return [machine.root, ...getStateNodes(machine)].flatMap(transitionsOfNode).map(nameOf);
}

/** Writes down the transitions that are taken, by the names that `transitionsOf` gives them. */
export function recorder() {
  const taken = new Set<string>();
  return {
    taken,
    inspect(event: InspectionEvent) {
      if (event.type !== "@xstate.microstep") return;
      for (const transition of event._transitions) taken.add(nameOf(transition));
    },
  };
}

export function transitionsOfNode(node: AnyStateNode): AnyTransitionDefinition[] {
  return [...[...node.transitions.values()].flat(), ...(node.always ?? [])];
}

function nameOf(transition: AnyTransitionDefinition): string {
  const { source, eventType, target = [] } = transition;
  // The same event can have several rows, told apart by their guards.
  const row = transitionsOfNode(source)
    .filter((other) => other.eventType === eventType)
    .indexOf(transition);
  return `${source.id} on ${eventType || "always"}, row ${row + 1}, to ${target.map(({ id }) => id).join(" and ") || "itself"}`;
}
