/** Where the sandbox takes its time from. Replace it to let a test decide what time it is. */
export interface SandboxClock {
  /** The present moment in milliseconds since the epoch. Decides when a session or an interaction has expired. */
  now(): number;
  /**
   * Resolves after `milliseconds`; rejects when `signal` aborts. Only the slow bank waits.
   */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: SandboxClock = {
  now: () => Date.now(),
  wait: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason);
        return;
      }
      const stop = () => {
        clearTimeout(timer);
        reject(signal.reason);
      };
      const timer = setTimeout(() => {
        signal.removeEventListener("abort", stop);
        resolve();
      }, milliseconds);
      signal.addEventListener("abort", stop, { once: true });
    }),
};
