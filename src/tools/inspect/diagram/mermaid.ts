import type { AnyStateMachine } from "xstate";
import { type DiagramState, listStates } from "../../trace/transitions.ts";
import { formatLabels, listArrows } from "./arrows.ts";

/**
 * A statechart as a Mermaid state diagram. Transitions between the same two states share one arrow; `else` is the
 * transition without a guard after those with one.
 *
 * @example
 * toMermaid(loginMachine); // "stateDiagram-v2\n  [*] --> idle\n…"
 */
export function toMermaid(machine: AnyStateMachine): string {
  const states = listStates(machine);
  return [
    "stateDiagram-v2",
    ...formatBlock(states, undefined, "  "),
    ...listArrows(machine).map(
      (arrow) =>
        `  ${toMermaidId(arrow.source)} --> ${toMermaidId(arrow.target)} : ${formatLabels(arrow).join("<br>")}`,
    ),
    ...states.filter(({ isFinal }) => isFinal).map(({ path }) => `  ${toMermaidId(path)} --> [*]`),
  ].join("\n");
}

function formatBlock(states: readonly DiagramState[], parent: string | undefined, indent: string): string[] {
  return states
    .filter((state) => state.parent === parent)
    .flatMap(({ path, isInitial }) => {
      const inner = formatBlock(states, path, `${indent}  `);
      const name = path.split(".").at(-1);
      return [
        ...(isInitial ? [`${indent}[*] --> ${toMermaidId(path)}`] : []),
        ...(inner.length > 0
          ? [`${indent}state ${toMermaidId(path)} {`, ...inner, `${indent}}`]
          : parent === undefined
            ? []
            : [`${indent}state "${name}" as ${toMermaidId(path)}`]),
      ];
    });
}

// Mermaid takes a dot for the start of something else.
function toMermaidId(path: string): string {
  return path.replaceAll(".", "_");
}
