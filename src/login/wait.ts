import type { AnyActorRef, PromiseActorLogic } from "xstate";
import { LONGEST_TIMER } from "../api/options.ts";

const REACHED = "wait.reached";
const STOPPED = "xstate.stop";

const timers = new WeakMap<AnyActorRef, ReturnType<typeof setTimeout>>();

/**
 * Waits until a time, in milliseconds since the epoch; without one, until it is stopped. An absolute time survives a
 * restore, where a delay would start anew. Written out in place of `fromPromise`, whose promise and `AbortController` are
 * a seventh of what a login that waits takes, and whose abort is a twentieth of a login's time.
 */
export const waitUntil: PromiseActorLogic<void, { readonly time: number | undefined }> = {
  getInitialSnapshot: (_, input) => ({ status: "active", output: undefined, error: undefined, input }),
  start: ({ status, input }, { self }) => {
    if (status !== "active" || input?.time === undefined) return;
    const left = input.time - Date.now();
    if (left > 0) timers.set(self, setTimeout<[AnyActorRef]>(reach, Math.min(left, LONGEST_TIMER), self));
    // A time that had passed when a login was taken up again: before anything else can be told.
    else queueMicrotask(() => reach(self));
  },
  transition: (snapshot, { type }, scope) => {
    if (snapshot.status !== "active") return snapshot;
    if (type === STOPPED) {
      clearTimeout(timers.get(scope.self));
      return { ...snapshot, status: "stopped", input: undefined };
    }
    if (type !== REACHED) return snapshot;
    const { time = 0 } = snapshot.input ?? {};
    if (time <= Date.now()) return { ...snapshot, status: "done", output: undefined, input: undefined };
    // The longest timer was shorter than the wait.
    waitUntil.start?.(snapshot, scope);
    return snapshot;
  },
  getPersistedSnapshot: (snapshot) => snapshot,
  restoreSnapshot: (snapshot) => snapshot as never,
};

function reach(self: AnyActorRef): void {
  if (self.getSnapshot().status === "active") self.send({ type: REACHED });
}
