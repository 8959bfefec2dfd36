import type { AnyStateMachine } from "xstate";

/** A statechart as plain data: states, transitions and the names of actors, guards and actions; no functions. */
export interface MachineDefinition {
  readonly id: string;
  readonly [member: string]: unknown;
}

// All other members of a config are left out: functions, contexts, params, the user's own members.
const structures = ["states", "on", "after", "invoke", "always", "onDone", "onError", "onSnapshot"];
const names = ["id", "initial", "type", "target", "guard", "src", "actions", "entry", "exit", "tags"];

// A config never changes, and each actor of a statechart shows its definition.
const definitions = new WeakMap<object, MachineDefinition>();

/** The definition of a statechart: the same object with any provided actors, guards and actions. */
export function toDefinition({ config, id }: AnyStateMachine): MachineDefinition {
  const definition = definitions.get(config) ?? { ...toPlainNode(config), id };
  definitions.set(config, definition);
  return definition;
}

function toPlainNode(node: object): Record<string, unknown> {
  const entries = Object.entries(node).flatMap(([name, content]): [string, unknown][] => {
    if (content === undefined) return [];
    if (structures.includes(name)) return [[name, toPlainStructure(name, content)]];
    return names.includes(name) ? [[name, toName(content)]] : [];
  });
  return Object.fromEntries(entries);
}

function toPlainStructure(name: string, content: unknown): unknown {
  if (Array.isArray(content)) return content.map((each) => toPlainStructure("", each));
  if (typeof content !== "object" || content === null) return toName(content);
  const isKeyed = ["states", "on", "after"].includes(name);
  if (!isKeyed) return toPlainNode(content);
  return Object.fromEntries(Object.entries(content).map(([key, each]) => [key, toPlainStructure("", each)]));
}

// Of `{ type: "storeOutput", params }` only the type is kept.
function toName(content: unknown): unknown {
  if (Array.isArray(content)) return content.map(toName);
  if (typeof content === "function") return { type: content.name || "inline" };
  if (typeof content !== "object" || content === null) return content;
  return { type: "type" in content && typeof content.type === "string" ? content.type : "inline" };
}
