import type { AnyStateMachine, AnyStateNode } from "xstate";

/** A transition of a statechart: from a state, by an event, to a state. */
export interface DiagramTransition {
  /** The state's path: `selectClient.choosing`. */
  readonly source: string;
  /** An event type, an invoked actor with how it ended: `submitCredentials done`, or `always`, which needs no event. */
  readonly event: string;
  /** The name of the guard; `undefined` if there is none. */
  readonly guard: string | undefined;
  /** The target's path; `undefined` if the state stays. */
  readonly target: string | undefined;
  /** The names of the named actions. */
  readonly actions: readonly string[];
}

/** A state of a statechart. */
export interface DiagramState {
  readonly path: string;
  readonly parent: string | undefined;
  readonly isInitial: boolean;
  readonly isFinal: boolean;
  /** Its own tags, and those of its parents. */
  readonly tags: readonly string[];
}

/** All states of a statechart, parents before their children. */
export function listStates(machine: AnyStateMachine): DiagramState[] {
  return listNodes(machine.root).map((node) => ({
    path: formatPath(node),
    parent: node.parent && node.parent !== machine.root ? formatPath(node.parent) : undefined,
    isInitial: node.parent?.initial.target.includes(node) ?? false,
    isFinal: node.type === "final",
    tags: listTags(node),
  }));
}

/** All transitions of a statechart, in the order of its definition. */
export function listTransitions(machine: AnyStateMachine): DiagramTransition[] {
  return listNodes(machine.root).flatMap((node) =>
    [...(node.always ?? []), ...[...node.transitions.values()].flat()].map((transition) => ({
      source: formatPath(node),
      event: transition.eventType === "" ? "always" : formatEvent(transition.eventType),
      guard: readName(transition.guard),
      target: transition.target?.map((target) => formatPath(target)).join(", "),
      actions: transition.actions.map(readName).filter((name) => name !== undefined),
    })),
  );
}

function listNodes(root: AnyStateNode): AnyStateNode[] {
  return Object.values(root.states).flatMap((node) => [node, ...listNodes(node)]);
}

function listTags(node: AnyStateNode): string[] {
  return [...(node.parent ? listTags(node.parent) : []), ...node.tags];
}

function formatPath(node: AnyStateNode): string {
  return node.path.join(".");
}

/** The text of an event in pictures and tables: `xstate.done.actor.submitCredentials` is `submitCredentials done`. */
export function formatEvent(type: string): string {
  const [, result, actor] = /^xstate\.(done|error)\.actor\.(.+)$/.exec(type) ?? [];
  if (type.startsWith("xstate.done.state.")) return "done";
  return actor ? `${actor} ${result === "done" ? "done" : "failed"}` : type;
}

function readName(named: unknown): string | undefined {
  if (typeof named === "string") return named;
  return typeof named === "object" && named !== null && "type" in named ? String(named.type) : undefined;
}
