import { fromPromise } from "xstate";
import { LONGEST_TIMER } from "../api/input-checks.ts";

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
        // Not `left <= 0`: a time that is no number is over too.
        if (!(left > 0)) {
          resolve();
          return;
        }
        // While a phone or a laptop sleeps, timers stop and the clock goes on. A wait of five minutes checks each second, a longer
        // wait less often, and not later than the longest timer.
        timer = setTimeout(check, Math.min(left, Math.max(1_000, left / 300), LONGEST_TIMER));
        // An unanswered interaction must not keep a process alive. A login that is awaited does: see `LoginRun`.
        (timer as { unref?(): void }).unref?.();
      };
      check();
      signal.addEventListener("abort", () => clearTimeout(timer));
    }),
);
