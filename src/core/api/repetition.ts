/** The clock and the timers of what is repeated, as one parameter: a simulation has its own. */
export interface Clock {
  /** Milliseconds of a clock that is never set. */
  elapsed(): number;
  /** Resolves after that many milliseconds, and at once if the signal is aborted. */
  wait(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

export const wait: Clock["wait"] = (milliseconds, signal) =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal?.addEventListener("abort", end);
    if (signal?.aborted) end();
  });

/** That of the platform. */
export const systemClock: Clock = { elapsed: () => performance.now(), wait };

/**
 * Asks at each poll interval until there is a result.
 *
 * @returns `undefined` after the give-up time, in milliseconds from the first call on, and if the signal is aborted.
 */
export async function poll<Result>(
  ask: () => Promise<Result | undefined>,
  {
    clock = systemClock,
    giveUpTime = Number.POSITIVE_INFINITY,
    interval,
    signal,
  }: {
    readonly clock?: Clock;
    readonly giveUpTime?: number;
    readonly interval: number;
    readonly signal: AbortSignal;
  },
): Promise<Result | undefined> {
  const until = clock.elapsed() + giveUpTime;
  while (!signal.aborted && clock.elapsed() < until) {
    const result = await ask();
    if (result !== undefined) return result;
    await clock.wait(interval, signal);
  }
  return undefined;
}

/**
 * Calls again what throws.
 *
 * @param pause the milliseconds before the next try, after that many tries. `undefined`: the error is thrown.
 */
export async function retry<Result>(
  work: () => Promise<Result>,
  pause: (error: unknown, tries: number) => number | undefined | Promise<number | undefined>,
  waitFor: (milliseconds: number) => Promise<unknown> = wait,
): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      const time = await pause(error, tries);
      if (time === undefined) throw error;
      await waitFor(time);
    }
  }
}

/** A pause that doubles after each try. */
export const doublePause = (tries: number, first: number, longest: number): number =>
  Math.min(first * 2 ** (tries - 1), longest);

/**
 * Sends a heartbeat after each interval, until it is stopped. A failed heartbeat is ignored: the next one follows.
 *
 * @returns what stops it.
 */
export function startHeartbeat(
  send: () => Promise<unknown>,
  { clock, interval }: { readonly clock: Clock; readonly interval: number },
): () => void {
  let isStopped = false;
  const repeat = async () => {
    for (;;) {
      await clock.wait(interval);
      if (isStopped) return;
      await send().catch(() => undefined);
    }
  };
  void repeat();
  return () => {
    isStopped = true;
  };
}

/**
 * The result of some work, if it comes in time. The work itself continues.
 *
 * @param late gives the result after that many milliseconds, or throws.
 */
export async function limitTime<Result>(
  work: Promise<Result>,
  time: number,
  late: () => Result,
  waitFor: Clock["wait"] = wait,
): Promise<Result> {
  const settled = new AbortController();
  try {
    return await Promise.race([work, waitFor(time, settled.signal).then(late)]);
  } finally {
    settled.abort();
  }
}
