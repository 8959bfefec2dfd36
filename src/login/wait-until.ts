import type { AnyActorRef, PromiseActorLogic } from "xstate";
import { LONGEST_TIMER } from "../api/options.ts";

const timers = new WeakMap<AnyActorRef, ReturnType<typeof setTimeout>>();

/**
 * Waits until a time, in milliseconds since the epoch; without one, until it is stopped. An absolute time survives a
 * restore, where a delay would start anew. Written out in place of `fromPromise`, whose promise and `AbortController` are
 * a seventh of what a login that waits takes, and whose abort is a twentieth of a login's time.
 */
export const waitUntil: PromiseActorLogic<void, { readonly time: number | undefined }> = {
  getInitialSnapshot: (_, input) => ({ status: "active", input }) as never,
  start: ({ input }, { self }) => {
    if (input?.time === undefined) return;
    const left = input.time - Date.now();
    if (left > 0) {
      const timer = setTimeout<[AnyActorRef]>(reach, Math.min(left, LONGEST_TIMER), self);
      // A question that nobody takes up must not keep a process alive. While a handler has it, the conversation does.
      (timer as { unref?(): void }).unref?.();
      timers.set(self, timer);
    }
    // A time that had passed when a login was taken up again: before anything else can be told.
    else queueMicrotask(() => reach(self));
  },
  transition: (snapshot, { type }, scope) => {
    clearTimeout(timers.get(scope.self));
    const isStopped = type === "xstate.stop";
    // What is no time is over, rather than waited for in circles.
    if (isStopped || !((snapshot.input?.time ?? 0) > Date.now())) {
      return { ...snapshot, status: isStopped ? "stopped" : "done", input: undefined } as never;
    }
    // The longest timer was shorter than the wait.
    waitUntil.start?.(snapshot, scope);
    return snapshot;
  },
  getPersistedSnapshot: (snapshot) => snapshot,
};

function reach(self: AnyActorRef): void {
  if (self.getSnapshot().status === "active") self.send({ type: "wait.over" });
}
