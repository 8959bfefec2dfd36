import type { AnyStateMachine, AnyStateNode } from "xstate";

/** A row of a statechart: what leads from one state to another. */
export interface TransitionRow {
  /** The state's path: `selectClient.choosing`. */
  readonly source: string;
  /** An event type, an invoked actor with how it ended: `submitCredentials done`, or `always`, which waits for nothing. */
  readonly event: string;
  /** The name of the guard; `undefined` where there is none. */
  readonly guard: string | undefined;
  /** The target's path; `undefined` where the state stays. */
  readonly target: string | undefined;
  /** The names of the actions that have one. */
  readonly actions: readonly string[];
}

/** A state of a statechart. */
export interface StateRow {
  readonly path: string;
  readonly parent: string | undefined;
  readonly isInitial: boolean;
  readonly isFinal: boolean;
  readonly tags: readonly string[];
}

/** All states of a statechart, parents before their children. */
export function statesOf(machine: AnyStateMachine): StateRow[] {
  return nodesOf(machine.root).map((node) => ({
    path: pathOf(node),
    parent: node.parent && node.parent !== machine.root ? pathOf(node.parent) : undefined,
    isInitial: node.parent?.initial.target.includes(node) ?? false,
    isFinal: node.type === "final",
    tags: node.tags,
  }));
}

/** All transitions of a statechart, in the order of its definition. */
export function transitionsOf(machine: AnyStateMachine): TransitionRow[] {
  return nodesOf(machine.root).flatMap((node) =>
    [...(node.always ?? []), ...[...node.transitions.values()].flat()].map((transition) => ({
      source: pathOf(node),
      event: transition.eventType === "" ? "always" : eventName(transition.eventType),
      guard: nameOf(transition.guard),
      target: transition.target?.map((target) => pathOf(target)).join(", "),
      actions: transition.actions.map(nameOf).filter((name) => name !== undefined),
    })),
  );
}

function nodesOf(root: AnyStateNode): AnyStateNode[] {
  return Object.values(root.states).flatMap((node) => [node, ...nodesOf(node)]);
}

function pathOf(node: AnyStateNode): string {
  return node.path.join(".");
}

/** How an event is written in pictures and tables: `xstate.done.actor.submitCredentials` is `submitCredentials done`. */
export function eventName(type: string): string {
  const [, ending, actor] = /^xstate\.(done|error)\.actor\.(.+)$/.exec(type) ?? [];
  return actor ? `${actor} ${ending === "done" ? "done" : "failed"}` : type;
}

function nameOf(named: unknown): string | undefined {
  if (typeof named === "string") return named;
  return typeof named === "object" && named !== null && "type" in named ? String(named.type) : undefined;
}
