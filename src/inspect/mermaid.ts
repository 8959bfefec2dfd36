import type { AnyStateMachine } from "xstate";
import { type StateRow, statesOf, transitionsOf } from "./transitions.ts";

/**
 * A statechart as a Mermaid state diagram. Transitions between the same two states share one arrow; `else` is the row
 * without a guard after rows with one.
 *
 * @example
 * mermaidOf(loginMachine); // "stateDiagram-v2\n  [*] --> idle\n…"
 */
export function mermaidOf(machine: AnyStateMachine): string {
  const states = statesOf(machine);
  const arrows = new Map<string, Map<string, string[]>>();
  const guarded = new Set<string>();
  for (const { source, event, guard, target } of transitionsOf(machine)) {
    if (guard) guarded.add(`${source} ${event}`);
    const arrow = `${nameIn(source)} --> ${nameIn(target ?? source)}`;
    const guards = arrows.get(arrow) ?? new Map<string, string[]>();
    const otherwise = guarded.has(`${source} ${event}`) ? ["else"] : [];
    arrows.set(arrow, guards.set(event, [...(guards.get(event) ?? []), ...(guard ? [guard] : otherwise)]));
  }
  return [
    "stateDiagram-v2",
    ...blockOf(states, undefined, "  "),
    ...[...arrows].map(([arrow, guards]) => `  ${arrow} : ${[...guards].map(labelOf).join("<br>")}`),
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

function labelOf([event, guards]: [string, string[]]): string {
  return guards.length > 0 ? `${event} [${guards.join(", ")}]` : event;
}

// Mermaid takes a dot for the start of something else.
function nameIn(path: string): string {
  return path.replaceAll(".", "_");
}
