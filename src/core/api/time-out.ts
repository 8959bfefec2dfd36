import type { RequestName } from "./bank-request.ts";
import { BankError } from "./errors.ts";
import { LONGEST_TIMER } from "./input-checks.ts";

/** What ends a request. */
export interface Limits {
  /** Names the request in errors. */
  readonly name: RequestName;
  /** Milliseconds. */
  readonly timeout: number;
  readonly signals: readonly AbortSignal[];
}

/**
 * Runs something that ends at its time-out or with an abort: at once, even if what it waits for ignores the signal.
 *
 * @throws {BankError} `request_timed_out`, `request_aborted`, or what `run` throws.
 */
export async function withinTimeOut<Result>(
  { name, timeout, signals }: Limits,
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  if (timeout <= 0) throw new BankError("request_timed_out", { ...name, detail: "the deadline had passed" });
  if (signals.some(({ aborted }) => aborted)) throw new BankError("request_aborted", name);
  const controller = new AbortController();
  let stop!: (fault: BankError) => void;
  const stopped = new Promise<never>((_, reject) => {
    stop = (fault) => {
      reject(fault);
      controller.abort(fault);
    };
  });
  const timedOut = () =>
    stop(new BankError("request_timed_out", { ...name, detail: `no response within ${timeout} ms` }));
  const due = Date.now() + timeout;
  const onTime = () => {
    // After a suspension the timer is late, and comes before the response that arrived in between.
    if (Date.now() > due + 1_000) timer = setTimeout(timedOut);
    else timedOut();
  };
  let timer = timeout > LONGEST_TIMER ? undefined : setTimeout(onTime, timeout);
  const abort = () => stop(new BankError("request_aborted", name));
  // React Native and older browsers have no `AbortSignal.any`.
  for (const signal of signals) signal.addEventListener("abort", abort);
  try {
    return await Promise.race([stopped, run(controller.signal)]);
  } finally {
    clearTimeout(timer);
    for (const signal of signals) signal.removeEventListener("abort", abort);
  }
}
