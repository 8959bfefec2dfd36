/** So many tasks are read ahead while their provider is at its limit, to find one of another provider. */
const READ_AHEAD = 10_000;

/** How many tasks run at a time, and until when. */
export interface Schedule<Result> {
  readonly concurrency: number;
  /** How many of the same provider. */
  readonly perProvider: number;
  /** Aborts the tasks that run; no more are begun. */
  readonly signal?: AbortSignal | undefined;
  /** Whether no more tasks are begun after this result. */
  isLast?(result: Result): boolean;
}

/** The tasks of one provider. */
interface Lane<Task> {
  readonly waiting: Task[];
  running: number;
}

/**
 * Runs tasks within the limits, those of one provider in their order. If a provider has reached its limit, the next task of another one
 * goes first. A result that was not taken yet counts as a running task. If `tasks` or `run` throws, no more are begun, and the error is
 * thrown after the last result. Leaving the loop aborts the tasks that run.
 */
export async function* runAll<Task extends { readonly provider: string }, Result>(
  tasks: AsyncGenerator<Task, void, undefined>,
  { concurrency, perProvider, signal, isLast }: Schedule<Result>,
  run: (task: Task, signal: AbortSignal) => Promise<Result>,
): AsyncGenerator<Result, void, undefined> {
  const lanes = new Map<string, Lane<Task>>();
  const running = new Map<AbortController, Promise<void>>();
  const results: Result[] = [];
  const errors: unknown[] = [];
  let readAhead = 0;
  let isReading = false;
  let isRead = false;
  let isOver = false;
  let wake = () => {};

  const cancel = () => {
    isOver = true;
    for (const controller of running.keys()) controller.abort();
    wake();
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
        const lane = lanes.get(value.provider) ?? { waiting: [], running: 0 };
        lanes.set(value.provider, lane);
        lane.waiting.push(value);
        readAhead += 1;
      }
    } catch (error) {
      fail(error);
    }
    isReading = false;
    wake();
  };
  const perform = async (lane: Lane<Task>, task: Task, controller: AbortController) => {
    lane.running += 1;
    try {
      const result = await run(task, controller.signal);
      results.push(result);
      if (isLast?.(result)) isOver = true;
    } catch (error) {
      fail(error);
    }
    lane.running -= 1;
    running.delete(controller);
    wake();
  };
  /** Begins the next task, if there may be one, or reads on. */
  const advance = () => {
    while (!isOver && running.size + results.length < concurrency) {
      const lane = [...lanes.values()].find(({ waiting, running }) => waiting.length > 0 && running < perProvider);
      const task = lane?.waiting.shift();
      if (!lane || !task) {
        if (!isReading && !isRead && readAhead < READ_AHEAD) void read();
        return;
      }
      readAhead -= 1;
      const controller = new AbortController();
      running.set(controller, perform(lane, task, controller));
    }
  };

  signal?.addEventListener("abort", cancel);
  if (signal?.aborted) cancel();
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
    signal?.removeEventListener("abort", cancel);
    cancel();
    await Promise.all(running.values());
    // Not awaited: the next task may never come.
    tasks.return().catch(() => {});
  }
}
