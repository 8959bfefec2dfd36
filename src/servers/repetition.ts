import type { Environment } from "./environment.ts";

/** How something is repeated. Times are milliseconds. */
interface Repetition {
  readonly environment: Environment;
  /** From the first call on. After it nothing is called again. */
  readonly giveUpTime: number;
}

/**
 * Asks at each poll interval until there is a result.
 *
 * @returns `undefined` after the give-up time, and if the signal is aborted.
 */
export async function poll<Result>(
  ask: () => Promise<Result | undefined>,
  {
    environment,
    giveUpTime,
    interval,
    signal,
  }: Repetition & { readonly interval: number; readonly signal: AbortSignal },
): Promise<Result | undefined> {
  const until = environment.elapsed() + giveUpTime;
  while (!signal.aborted && environment.elapsed() < until) {
    const result = await ask();
    if (result !== undefined) return result;
    await environment.wait(interval, signal);
  }
  return undefined;
}

/**
 * Repeats what throws, after a pause that doubles each time.
 *
 * @param report gets the first error.
 * @returns `undefined` after the give-up time.
 */
export async function retry<Result>(
  work: () => Promise<Result>,
  {
    environment,
    giveUpTime,
    pause,
    longestPause,
    report,
  }: Repetition & {
    readonly pause: number;
    readonly longestPause: number;
    readonly report: (error: unknown) => void;
  },
): Promise<Result | undefined> {
  const until = environment.elapsed() + giveUpTime;
  for (let delay = pause, isReported = false; ; delay = Math.min(2 * delay, longestPause)) {
    try {
      return await work();
    } catch (error) {
      if (!isReported) report(error);
      isReported = true;
    }
    if (environment.elapsed() + delay > until) return undefined;
    await environment.wait(delay);
  }
}

/**
 * Sends a heartbeat after each interval, until it is stopped. One that fails is left out: the next one comes.
 *
 * @returns what stops it.
 */
export function startHeartbeat(
  send: () => Promise<unknown>,
  { environment, interval }: { readonly environment: Environment; readonly interval: number },
): () => void {
  let isStopped = false;
  const repeat = async () => {
    for (;;) {
      await environment.wait(interval);
      if (isStopped) return;
      await send().catch(() => undefined);
    }
  };
  void repeat();
  return () => {
    isStopped = true;
  };
}

/** The result of some work, or another one if it takes longer. The work goes on. */
export async function limitTime<Result>(
  work: Promise<Result>,
  { environment, time, late }: { readonly environment: Environment; readonly time: number; readonly late: Result },
): Promise<Result> {
  const settled = new AbortController();
  try {
    return await Promise.race([work, environment.wait(time, settled.signal).then(() => late)]);
  } finally {
    settled.abort();
  }
}
