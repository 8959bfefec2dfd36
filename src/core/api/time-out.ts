import type { BankRequest } from "./bank-request.ts";
import { BankError } from "./errors.ts";

/** What ends a try, and how its errors name it. */
export type Limits = Pick<BankRequest, "name" | "timeout" | "deadline" | "signals">;

/**
 * Runs one try, which ends at its time-out, at the deadline or with an abort: at once, even if a given `fetch` ignores the signal.
 *
 * @throws {BankError} `request_timed_out`, `request_aborted`, or what `run` throws.
 */
export async function withinTimeOut<Result>(
  { name, signals, ...limits }: Limits,
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const timeout = Math.min(limits.timeout, limits.deadline - Date.now());
  if (timeout <= 0) throw new BankError("request_timed_out", { ...name, detail: "the deadline had passed" });
  if (isAborted(signals)) throw new BankError("request_aborted", name);
  const controller = new AbortController();
  let stop!: (fault: BankError) => void;
  const stopped = new Promise<never>((_, reject) => {
    stop = (fault) => {
      reject(fault);
      controller.abort(fault);
    };
  });
  const giveUp = () =>
    stop(new BankError("request_timed_out", { ...name, detail: `no response within ${timeout} ms` }));
  const due = Date.now() + timeout;
  let timer = setTimeout(() => {
    // After a suspension the timer is late, and comes before the response that arrived in between.
    if (Date.now() > due + 1_000) timer = setTimeout(giveUp);
    else giveUp();
  }, timeout);
  const removeListeners = onAbort(signals, () => stop(new BankError("request_aborted", name)));
  try {
    return await Promise.race([stopped, run(controller.signal)]);
  } finally {
    clearTimeout(timer);
    removeListeners();
  }
}

/** Waits, unless a signal is aborted. ofetch's own wait before a retry can't be aborted, and would keep the process alive. */
export async function pause(milliseconds: number, signals: readonly AbortSignal[]): Promise<void> {
  if (isAborted(signals)) return;
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      removeListeners();
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    const removeListeners = onAbort(signals, end);
  });
}

export const isAborted = (signals: readonly AbortSignal[]): boolean => signals.some(({ aborted }) => aborted);

/** React Native and older browsers have no `AbortSignal.any`. */
export function onAbort(signals: readonly AbortSignal[], abort: () => void): () => void {
  for (const signal of signals) signal.addEventListener("abort", abort);
  return () => {
    for (const signal of signals) signal.removeEventListener("abort", abort);
  };
}
