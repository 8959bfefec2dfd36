import type { AnyActorRef, PromiseActorLogic } from "xstate";
import { LONGEST_TIMER } from "../api/options.ts";

const timers = new WeakMap<AnyActorRef, ReturnType<typeof setTimeout>>();

/**
 * Milliseconds until the clock is looked at again. While a phone or a laptop sleeps, timers stand still and the clock goes on: of five
 * minutes each second is looked at, of a longer time a part. That is never more than one timer can wait.
 */
const nextLook = (left: number): number => Math.min(left, Math.max(1_000, left / 300), LONGEST_TIMER);

/**
 * Waits until a time, in milliseconds since the epoch; without one, until it is stopped. An absolute time survives a
 * restore, where a delay would start anew. Written out in place of `fromPromise`, whose promise and `AbortController` are
 * a seventh of what a login that waits takes, and whose abort is a twentieth of a login's time.
 */
export const waitUntil: PromiseActorLogic<void, { readonly time: number | undefined }> = {
  getInitialSnapshot: (_, input) => ({ status: "active", input }) as never,
  start: ({ input }, { self }) => {
    if (input?.time === undefined) return;
    if (input.time > Date.now()) wait(self, input.time);
    // A time that had passed when a login was taken up again: before anything else can be told.
    else queueMicrotask(() => reach(self));
  },
  transition: (snapshot, { type }, { self }) => {
    clearTimeout(timers.get(self));
    return { ...snapshot, status: type === "xstate.stop" ? "stopped" : "done", input: undefined } as never;
  },
  getPersistedSnapshot: (snapshot) => snapshot,
};

function wait(self: AnyActorRef, time: number): void {
  const left = time - Date.now();
  if (left <= 0) return reach(self);
  const timer = setTimeout<[AnyActorRef, number]>(wait, nextLook(left), self, time);
  // A question that nobody takes up must not keep a process alive. While a handler has it, the conversation does.
  (timer as { unref?(): void }).unref?.();
  timers.set(self, timer);
}

function reach(self: AnyActorRef): void {
  if (self.getSnapshot().status === "active") self.send({ type: "wait.over" });
}
