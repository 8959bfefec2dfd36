import type { AnyStateMachine } from "xstate";
import { arrowsOf, labelsOf } from "./arrows.ts";
import { type StateRow, statesOf } from "./transitions.ts";

/**
 * A statechart as a Mermaid state diagram. Transitions between the same two states share one arrow; `else` is the row
 * without a guard after rows with one.
 *
 * @example
 * mermaidOf(loginMachine); // "stateDiagram-v2\n  [*] --> idle\n…"
 */
export function mermaidOf(machine: AnyStateMachine): string {
  const states = statesOf(machine);
  return [
    "stateDiagram-v2",
    ...blockOf(states, undefined, "  "),
    ...arrowsOf(machine).map(
      (arrow) => `  ${nameIn(arrow.source)} --> ${nameIn(arrow.target)} : ${labelsOf(arrow).join("<br>")}`,
    ),
    ...states.filter(({ isFinal }) => isFinal).map(({ path }) => `  ${nameIn(path)} --> [*]`),
  ].join("\n");
}

function blockOf(states: readonly StateRow[], parent: string | undefined, indent: string): string[] {
  return states
    .filter((state) => state.parent === parent)
    .flatMap(({ path, isInitial }) => {
      const inner = blockOf(states, path, `${indent}  `);
      const name = path.split(".").at(-1);
      return [
        ...(isInitial ? [`${indent}[*] --> ${nameIn(path)}`] : []),
        ...(inner.length > 0
          ? [`${indent}state ${nameIn(path)} {`, ...inner, `${indent}}`]
          : parent === undefined
            ? []
            : [`${indent}state "${name}" as ${nameIn(path)}`]),
      ];
    });
}

// Mermaid takes a dot for the start of something else.
function nameIn(path: string): string {
  return path.replaceAll(".", "_");
}
