import { LONGEST_TIMER } from "../api/options.ts";

/**
 * Waits until a time, in milliseconds since the epoch; without one, until the signal. An absolute time survives a restore,
 * where a delay would start anew.
 */
export function waitUntil(time: number | undefined, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (time === undefined) return;
    let timer: ReturnType<typeof setTimeout>;
    const wait = () => {
      const left = time - Date.now();
      if (left <= 0) resolve();
      else timer = setTimeout(wait, Math.min(left, LONGEST_TIMER));
    };
    wait();
    signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  });
}
