import { LONGEST_TIMER } from "../api/input-checks.ts";

/** The most tasks that are read ahead while their provider is at its limit, to find a task of another provider. */
const READ_AHEAD = 10_000;

/** After this many faulty results in a row the tasks of the provider wait. */
const MAX_PROVIDER_FAULTS = 5;

/** Milliseconds for which the tasks of a faulty provider wait before one of them is tried again. After the last pause they are skipped. */
const PAUSES: readonly number[] = [10_000, 30_000, 90_000];

/**
 * What a result means for the next task: the provider has answered, or something broke on the way. `stop`: every other task would end the same way. `retryAfter`:
 * none may be begun for so many milliseconds. `undefined`: nothing.
 */
export type Verdict = "answered" | "faulty" | "stop" | { readonly retryAfter: number } | undefined;

/** Why no more tasks are begun after a result: each would end the same way, or too many in a row were faulty. */
export type StopReason = "setUp" | "maxFaults";

export interface Schedule<Result> {
  readonly concurrency: number;
  /** How many tasks of the same provider. */
  readonly perProvider: number;
  /** This many faulty results in a row end the schedule. */
  readonly maxFaults: number;
  /** Aborts the tasks that run; no more are begun. */
  readonly signal?: AbortSignal | undefined;
  /** No more tasks are begun; running tasks are finished. */
  readonly drain?: AbortSignal | undefined;
  classify(result: Result): Verdict;
}

/** The tasks of one provider. */
class Lane<Task> {
  waiting: Task[] = [];
  running = 0;
  /** Faulty results in a row. */
  faults = 0;
  /** When the pause ends, by a clock that is never set back, and how many there were. */
  opensAt = 0;
  pauses = 0;
  /** Whether its tasks are skipped: the last try was faulty, too. */
  isLeft = false;

  canBegin({ perProvider }: Schedule<never>, now: number): boolean {
    if (this.waiting.length === 0) return false;
    if (this.faults < MAX_PROVIDER_FAULTS) return this.running < perProvider;
    return now >= this.opensAt && this.running === 0;
  }

  record(verdict: "answered" | "faulty", now: number): void {
    if (verdict === "answered") {
      Object.assign(this, { faults: 0, pauses: 0, opensAt: 0 });
      return;
    }
    this.faults += 1;
    // Tasks that ran when the pause began are expected to be faulty as well.
    if (this.faults < MAX_PROVIDER_FAULTS || now < this.opensAt) return;
    const pause = PAUSES[this.pauses];
    this.pauses += 1;
    if (pause === undefined) this.isLeft = true;
    else this.opensAt = now + pause;
  }
}

/**
 * Runs tasks within the limits, those of one provider in their order. If a provider has reached its limit, the next task of another one
 * goes first. A result that was not taken yet counts as a running task. If `tasks` or `run` throws, no more are begun, and the error is
 * thrown after the last result. Leaving the loop aborts the running tasks.
 */
export async function* runAll<Task extends { readonly provider: string }, Result>(
  tasks: AsyncGenerator<Task, void, undefined>,
  schedule: Schedule<Result>,
  run: (task: Task, signal: AbortSignal) => Promise<Result>,
): AsyncGenerator<{ readonly result: Result; readonly stop: StopReason | undefined }, void, undefined> {
  const { concurrency, maxFaults, signal, drain, classify } = schedule;
  const lanes = new Map<string, Lane<Task>>();
  const running = new Map<AbortController, Promise<void>>();
  const results: { readonly result: Result; readonly stop: StopReason | undefined }[] = [];
  const errors: unknown[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let retryAt = 0;
  let faults = 0;
  let readAhead = 0;
  let isReading = false;
  let isRead = false;
  let isOver = false;
  let wake = () => {};

  const end = () => {
    isOver = true;
    wake();
  };
  const cancel = () => {
    for (const controller of running.keys()) controller.abort();
    end();
  };
  const fail = (error: unknown) => {
    errors.push(error);
    isOver = true;
  };
  const read = async () => {
    isReading = true;
    try {
      const { done, value } = await tasks.next();
      if (done) isRead = true;
      else {
        const lane = lanes.get(value.provider) ?? new Lane<Task>();
        lanes.set(value.provider, lane);
        if (!lane.isLeft) {
          lane.waiting.push(value);
          readAhead += 1;
        }
      }
    } catch (error) {
      fail(error);
    }
    isReading = false;
    wake();
  };
  /** Takes a result into account. @returns why no more tasks are begun. */
  const recordResult = (lane: Lane<Task>, result: Result): StopReason | undefined => {
    const verdict = classify(result);
    if (verdict === "stop") return "setUp";
    if (typeof verdict === "object") retryAt = Math.max(retryAt, performance.now() + verdict.retryAfter);
    if (verdict !== "answered" && verdict !== "faulty") return undefined;
    lane.record(verdict, performance.now());
    if (lane.isLeft) readAhead -= lane.waiting.splice(0).length;
    faults = verdict === "faulty" ? faults + 1 : 0;
    return faults >= maxFaults ? "maxFaults" : undefined;
  };
  const perform = async (lane: Lane<Task>, task: Task, controller: AbortController) => {
    lane.running += 1;
    try {
      const result = await run(task, controller.signal);
      const stop = recordResult(lane, result);
      results.push({ result, stop });
      if (stop) isOver = true;
    } catch (error) {
      fail(error);
    }
    lane.running -= 1;
    running.delete(controller);
    wake();
  };
  /** Continues when the first pause ends. */
  const awaitPause = (now: number) => {
    const ends = [retryAt, ...[...lanes.values()].map(({ waiting, opensAt }) => (waiting.length > 0 ? opensAt : 0))];
    const next = Math.min(...ends.filter((time) => time > now));
    clearTimeout(timer);
    if (Number.isFinite(next)) timer = setTimeout(() => wake(), Math.min(next - now, LONGEST_TIMER));
  };
  /** Begins the next task if the limits allow it, or reads on. */
  const advance = () => {
    while (!isOver && running.size + results.length < concurrency) {
      const now = performance.now();
      const isPaused = now < retryAt;
      const lane = isPaused ? undefined : [...lanes.values()].find((lane) => lane.canBegin(schedule, now));
      const task = lane?.waiting.shift();
      if (!lane || !task) {
        awaitPause(now);
        if (!isPaused && !isReading && !isRead && readAhead < READ_AHEAD) void read();
        return;
      }
      readAhead -= 1;
      const controller = new AbortController();
      running.set(controller, perform(lane, task, controller));
    }
  };

  signal?.addEventListener("abort", cancel);
  drain?.addEventListener("abort", end);
  if (signal?.aborted) cancel();
  if (drain?.aborted) end();
  try {
    for (;;) {
      advance();
      const result = results.shift();
      if (result !== undefined) yield result;
      else if (running.size === 0 && (isOver || (isRead && readAhead === 0))) break;
      else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
    if (errors.length > 0) throw errors[0];
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", cancel);
    drain?.removeEventListener("abort", end);
    cancel();
    await Promise.all(running.values());
    // Not awaited: the next task may never come.
    tasks.return().catch(() => {});
  }
}
