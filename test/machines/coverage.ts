import { getStateNodes } from "@xstate/graph";
import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition, InspectionEvent } from "xstate";

/** Every transition of a statechart by name: the whole that a coverage is a part of. */
export function findTransitions(machine: AnyStateMachine): string[] {
  return [machine.root, ...getStateNodes(machine)].flatMap(findNodeTransitions).map(formatTransition);
}

/** Those that the paths take against a bank. No waiting of ours throws: `faults.test.ts` has one that does. */
export function findTransitionsOverHttp(machine: AnyStateMachine): string[] {
  return findTransitions(machine).filter((transition) => !/on xstate\.error\.actor\.\w+Deadline/.test(transition));
}

/** Writes down the transitions that are taken, by the names that `findTransitions` gives them. */
export function recorder() {
  const taken = new Set<string>();
  return {
    taken,
    inspect(event: InspectionEvent) {
      if (event.type !== "@xstate.microstep") return;
      for (const transition of event._transitions) taken.add(formatTransition(transition));
    },
  };
}

export function findNodeTransitions(node: AnyStateNode): AnyTransitionDefinition[] {
  return [...[...node.transitions.values()].flat(), ...(node.always ?? [])];
}

function formatTransition(transition: AnyTransitionDefinition): string {
  const { source, eventType, target = [] } = transition;
  // The same event can have several rows, told apart by their guards.
  const row = findNodeTransitions(source)
    .filter((other) => other.eventType === eventType)
    .indexOf(transition);
  return `${source.id} on ${eventType || "always"}, row ${row + 1}, to ${target.map(({ id }) => id).join(" and ") || "itself"}`;
}
