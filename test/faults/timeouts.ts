const DAY = 86_400_000;
const running = new Map<unknown, { readonly length: number; readonly end: () => void }>();
const platform = { setTimeout, clearTimeout };
let count = 0;

globalThis.setTimeout = Object.assign((end: () => void, length?: number, ...rest: []) => {
  const timer = platform.setTimeout(end, length, ...rest);
  if (length !== undefined && length > DAY) running.set(timer, { length, end });
  return timer;
}, platform.setTimeout);
globalThis.clearTimeout = (timer) => {
  running.delete(timer);
  platform.clearTimeout(timer);
};

/** A time-out that runs out when the test says so: a busy machine can't be too slow for what comes before it. */
export function holdTimeout() {
  count += 1;
  const length = DAY + count;
  return {
    /** What the client is given, in milliseconds: about a day, and no two alike. */
    length,
    runOut: () => {
      for (const [timer, { length: own, end }] of running) {
        if (own !== length) continue;
        globalThis.clearTimeout(timer as number);
        end();
      }
    },
  };
}
