import type { AnyStateMachine } from "xstate";

/** A statechart's own words as plain data: states, transitions and the names of what they do; no functions. */
export interface MachineDefinition {
  readonly id: string;
  readonly [member: string]: unknown;
}

// Everything else of a config stays out: functions, contexts, params, what somebody may add.
const structures = ["states", "on", "after", "invoke", "always", "onDone", "onError", "onSnapshot"];
const names = ["id", "initial", "type", "target", "guard", "src", "actions", "entry", "exit", "tags"];

const definitions = new WeakMap<object, MachineDefinition>();

/** The definition of a statechart; the same object for the same statechart, whatever was provided to it. */
export function definitionOf({ config, id }: AnyStateMachine): MachineDefinition {
  const definition = definitions.get(config) ?? { ...nodeOf(config), id };
  definitions.set(config, definition);
  return definition;
}

function nodeOf(node: object): Record<string, unknown> {
  const entries = Object.entries(node).flatMap(([name, content]): [string, unknown][] => {
    if (content === undefined) return [];
    if (structures.includes(name)) return [[name, structureOf(name, content)]];
    return names.includes(name) ? [[name, named(content)]] : [];
  });
  return Object.fromEntries(entries);
}

function structureOf(name: string, content: unknown): unknown {
  if (Array.isArray(content)) return content.map((each) => structureOf("", each));
  if (typeof content !== "object" || content === null) return named(content);
  const isKeyed = ["states", "on", "after"].includes(name);
  if (!isKeyed) return nodeOf(content);
  return Object.fromEntries(Object.entries(content).map(([key, each]) => [key, structureOf("", each)]));
}

// `{ type: "takeReply", params }` is known by its name alone.
function named(content: unknown): unknown {
  if (Array.isArray(content)) return content.map(named);
  if (typeof content === "function") return { type: content.name || "inline" };
  if (typeof content !== "object" || content === null) return content;
  return { type: "type" in content && typeof content.type === "string" ? content.type : "inline" };
}
