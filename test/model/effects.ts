interface Effect {
  readonly type: string;
  readonly params?: unknown;
}

/** The events that a pure transition would announce. */
export function emittedBy(actions: readonly Effect[]): unknown[] {
  return findParams(actions, "xstate.emit").map(({ event }) => event);
}

/** The events that a pure transition would pass on to an actor within. */
export function forwardedBy(actions: readonly Effect[]): { readonly to: unknown; readonly event: unknown }[] {
  return findParams(actions, "xstate.sendTo").map(({ targetId, event }) => ({ to: targetId, event }));
}

/** The requests and waits that a pure transition would begin, by their ids. */
export function begunBy(actions: readonly Effect[]): unknown[] {
  return findParams(actions, "xstate.spawnChild").map(({ id }) => id);
}

function findParams(actions: readonly Effect[], type: string): { id?: unknown; event?: unknown; targetId?: unknown }[] {
  return actions.filter((action) => action.type === type).map(({ params }) => Object(params));
}
