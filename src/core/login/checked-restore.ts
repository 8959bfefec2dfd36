import { type AnyStateMachine, createActor, type Snapshot } from "xstate";
import { createInputError } from "../api/input-checks.ts";

const STRANGE = "is not that of this statechart; pause a login to continue it elsewhere";

/**
 * Lets a statechart refuse a stored snapshot of another shape: its actor has the status `error`, with `invalid_input` naming what is wrong,
 * such as `snapshot.context.attempts`. XState itself takes any context, and the login would fail later, or count from `NaN`.
 */
export function withCheckedRestore<Machine extends AnyStateMachine>(machine: Machine): Machine {
  const restore = machine.restoreSnapshot.bind(machine);
  machine.restoreSnapshot = (snapshot, scope) => {
    checkSnapshot(snapshot, createActor<AnyStateMachine>(machine).getSnapshot().context);
    return restore(snapshot, scope);
  };
  return machine;
}

/** @param fresh the context of a statechart that begins. What is undefined there may be missing: JSON leaves it out. */
function checkSnapshot(snapshot: Snapshot<unknown>, fresh: Readonly<Record<string, unknown>>): void {
  const context = "context" in snapshot ? snapshot.context : undefined;
  if (typeof context !== "object" || context === null) throw createInputError("snapshot.context", STRANGE);
  const stored: Readonly<Record<string, unknown>> = { ...context };
  for (const [name, value] of Object.entries(fresh)) {
    if (value === undefined) continue;
    const isAlike = typeof stored[name] === typeof value && Array.isArray(stored[name]) === Array.isArray(value);
    if (!isAlike || stored[name] === null) throw createInputError(`snapshot.context.${name}`, STRANGE);
  }
}
