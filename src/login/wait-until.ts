import type { AnyActorRef, PromiseActorLogic } from "xstate";
import { LONGEST_TIMER } from "../api/input-checks.ts";

const timers = new WeakMap<AnyActorRef, ReturnType<typeof setTimeout>>();

/**
 * Milliseconds until the next check of the clock. While a phone or a laptop sleeps, timers stop and the clock goes on. A wait of
 * five minutes checks each second, a longer wait less often, and not later than the longest timer.
 */
const nextCheck = (left: number): number => Math.min(left, Math.max(1_000, left / 300), LONGEST_TIMER);

/**
 * Waits until a time, in milliseconds since the epoch; without one, until it is stopped. An absolute time survives a
 * restore; a delay would start again. Written without `fromPromise`: its promise and `AbortController` are a seventh of the memory
 * of a waiting login, and its abort is a twentieth of a login's time.
 */
export const waitUntil: PromiseActorLogic<void, { readonly time: number | undefined }> = {
  getInitialSnapshot: (_, input) => ({ status: "active", input }) as never,
  start: ({ input }, { self }) => {
    if (input?.time === undefined) return;
    if (input.time > Date.now()) wait(self, input.time);
    // The time had passed before the login was resumed: a microtask comes before any other event.
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
  if (left <= 0) {
    reach(self);
    return;
  }
  const timer = setTimeout<[AnyActorRef, number]>(wait, nextCheck(left), self, time);
  // An unanswered interaction must not keep a process alive. A running handler does: see `HandlerCall`.
  (timer as { unref?(): void }).unref?.();
  timers.set(self, timer);
}

function reach(self: AnyActorRef): void {
  if (self.getSnapshot().status === "active") self.send({ type: "wait.over" });
}
