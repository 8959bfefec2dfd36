import pLimit, { type LimitFunction } from "p-limit";

/** How many tasks may run at a time. */
export interface Limits {
  readonly concurrency: number;
  /** How many of the same provider. */
  readonly perProvider: number;
}

/**
 * Runs tasks within the limits, those of one provider in their order. Where a provider has reached its limit, the next task of another
 * one goes first. After an abort, or once a task has thrown, no more are begun; those under way are awaited.
 */
export async function runAll<Task extends { readonly provider: string }>(
  tasks: readonly Task[],
  { concurrency, perProvider }: Limits,
  signal: AbortSignal,
  run: (task: Task) => Promise<void>,
): Promise<void> {
  const limitAll = pLimit(concurrency);
  const providerLimits = new Map<string, LimitFunction>();
  const failures: unknown[] = [];
  const runUnlessOver = async (task: Task) => {
    if (signal.aborted || failures.length > 0) return;
    await run(task).catch((error: unknown) => failures.push(error));
  };
  await Promise.all(
    tasks.map((task) => {
      const limit = providerLimits.get(task.provider) ?? pLimit(perProvider);
      providerLimits.set(task.provider, limit);
      return limit(() => limitAll(() => runUnlessOver(task)));
    }),
  );
  if (failures.length > 0) throw failures[0];
}
