/** How many tasks may run at a time. */
export interface Limits {
  readonly concurrency: number;
  /** How many of the same provider. */
  readonly perProvider: number;
}

/**
 * Runs tasks in their order, as the limits let them: one whose provider is full lets the next one of another go first. After
 * an abort, or once a task has thrown, none is begun any more; those under way come to their end.
 */
export async function runAll<Task extends { readonly provider: string }>(
  tasks: readonly Task[],
  { concurrency, perProvider }: Limits,
  signal: AbortSignal,
  run: (task: Task) => Promise<void>,
): Promise<void> {
  const lanes = lanesOf(tasks);
  const underWay = new Set<Promise<void>>();
  const failures: unknown[] = [];

  for (;;) {
    while (!signal.aborted && failures.length === 0 && underWay.size < concurrency) {
      const lane = lanes
        .filter(({ running, next, queue }) => running < perProvider && next < queue.length)
        .reduce<Lane<Task> | undefined>(
          (first, other) => (first && placeOf(first) < placeOf(other) ? first : other),
          undefined,
        );
      const task = lane?.queue[lane.next]?.task;
      if (!lane || !task) break;
      lane.next += 1;
      lane.running += 1;
      const done: Promise<void> = run(task)
        .catch((error: unknown) => void failures.push(error))
        .finally(() => {
          lane.running -= 1;
          underWay.delete(done);
        });
      underWay.add(done);
    }
    if (underWay.size === 0) break;
    await Promise.race(underWay);
  }
  if (failures.length > 0) throw failures[0];
}

/** The tasks of one provider, in their order: so a long list is not searched again for each task. */
interface Lane<Task> {
  readonly queue: { readonly place: number; readonly task: Task }[];
  next: number;
  running: number;
}

function lanesOf<Task extends { readonly provider: string }>(tasks: readonly Task[]): Lane<Task>[] {
  const lanes = new Map<string, Lane<Task>>();
  for (const [place, task] of tasks.entries()) {
    const lane = lanes.get(task.provider) ?? { queue: [], next: 0, running: 0 };
    lane.queue.push({ place, task });
    lanes.set(task.provider, lane);
  }
  return [...lanes.values()];
}

function placeOf({ queue, next }: Lane<unknown>): number {
  return queue[next]?.place ?? Number.POSITIVE_INFINITY;
}
