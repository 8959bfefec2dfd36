import { type DoneActorEvent, fromPromise, type PromiseActorLogic } from "xstate";
import type { Failure, Secret } from "./login.types.ts";

type Coded = Failure & { readonly key?: Secret | undefined };

// Errors of durable workers arrive as JSON: the code counts, not the class.
const isCoded = (error: unknown): error is Coded => typeof error === "object" && error !== null && "code" in error && typeof error.code === "string";

/** What an actor has thrown, as plain data: a statechart can be stored. */
export function toFault(error: unknown): Failure {
  if (!isCoded(error)) return { kind: "fault", code: "unexpected_fault" };
  const { code, field, request, httpStatus, retryAfter, detail } = error;
  return { kind: "fault", code, field, request, httpStatus, retryAfter, detail };
}

/** The key of a session that the bank had opened before the fault. */
export function keyOfFault(error: unknown): Secret | undefined {
  return isCoded(error) && typeof error.key === "object" ? error.key : undefined;
}

/** Whether a relay has said that what was sent has not come, and that it is refused if it does. */
export const isUnreceived = (error: unknown): boolean => isCoded(error) && error.code === "network_failed" && error.detail === "NOT_RECEIVED";

/** Whether a request has failed because the session of its key is gone, at the service or at the bank. */
export const isSessionGone = (code: string): boolean => code === "invalid_key" || code === "provider_session_expired";

/** What a request has returned: the parameter of guards and actions. */
export function output<Output>({ event }: { event: DoneActorEvent<Output> }): Output {
  if (!("output" in event)) throw withoutData(event, "output");
  return event.output;
}

/** A walk through a statechart that makes its events itself gives them no data. */
export function withoutData({ type }: { readonly type: string }, name: string): Error {
  return new Error(`The event "${type}" has no "${name}": a walk takes loginEvents or linkEvents, and serializeState, of ventanilla/testing.`);
}

/** A value that the state can't be without. A snapshot that was stored without it, or by another version, fails with a code. */
export function assertPresent<Value>(field: string, value: Value | undefined): Value {
  if (value === undefined) throw { code: "secret_unavailable", field };
  return value;
}

/** An empty slot: the statechart fails with its name, in place of waiting for ever. */
export function missingActor<Output, Input>(slot: string) {
  return fromPromise<Output, Input>(() => Promise.reject({ code: "handler_failed", field: slot, detail: "no actor was provided" }));
}

/** A slot that may stay empty: it waits for ever. It starts nothing, so that a login which waits is small. */
export function never<Output, Input>(): PromiseActorLogic<Output, Input> {
  return { ...fromPromise<Output, Input>(() => new Promise(() => {})), start: () => {} };
}

/** Milliseconds: timers of a longer time end at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * Waits until a time, in milliseconds since the epoch; without one, until it is stopped. An absolute time survives a
 * restore; a delay would start again.
 */
export const waitUntil = fromPromise<void, { readonly time: number | undefined }>(
  ({ input: { time }, signal }) =>
    new Promise((resolve) => {
      if (time === undefined) return;
      let timer: ReturnType<typeof setTimeout> | undefined;
      const check = (): void => {
        const left = time - Date.now();
        // Not `left <= 0`: a time that is not a number is over too.
        if (!(left > 0)) {
          resolve();
          return;
        }
        // While a phone or a laptop sleeps, timers stop and the clock continues. A wait of five minutes checks each second, a longer
        // wait less often, and not later than the longest timer.
        timer = setTimeout(check, Math.min(left, Math.max(1_000, left / 300), LONGEST_TIMER));
        // An unanswered interaction must not keep a process alive. A login that is awaited does: see `runLogin`.
        (timer as { unref?(): void }).unref?.();
      };
      check();
      signal.addEventListener("abort", () => clearTimeout(timer));
    }),
);
