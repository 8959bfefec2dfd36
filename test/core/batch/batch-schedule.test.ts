import fc from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";
import { runAll, type Schedule, type Verdict } from "../../../src/core/batch/batch-schedule.ts";

const tasks = fc.array(
  fc.constantFrom("a", "b", "c").map((provider) => ({ provider })),
  { maxLength: 30 },
);
const sane: Omit<Schedule<unknown>, "concurrency" | "perProvider"> = {
  maxFaults: 20,
  classify: () => "answered",
};
const limit = fc.integer({ min: 1, max: 5 });

test("runs each task once, within both limits, and those of one provider in their order", async () => {
  await fc.assert(
    fc.asyncProperty(tasks, limit, limit, fc.scheduler(), async (list, concurrency, perProvider, scheduler) => {
      const begun: { provider: string }[] = [];
      const running: { provider: string }[] = [];
      async function* read() {
        for (const task of list) yield scheduler.schedule(Promise.resolve(task));
      }
      const all = async () => {
        const ended = [];
        const results = runAll(read(), { ...sane, concurrency, perProvider }, async (task) => {
          begun.push(task);
          running.push(task);
          expect(running.length).toBeLessThanOrEqual(concurrency);
          expect(running.filter(({ provider }) => provider === task.provider).length).toBeLessThanOrEqual(perProvider);
          await scheduler.schedule(Promise.resolve());
          running.splice(running.indexOf(task), 1);
          return task;
        });
        for await (const { result } of results) ended.push(result);
        expect(new Set(ended)).toEqual(new Set(list));
        expect(ended).toHaveLength(list.length);
      };
      await scheduler.waitFor(all());
      for (const name of ["a", "b", "c"]) {
        const ofProvider = ({ provider }: { provider: string }) => provider === name;
        expect(begun.filter(ofProvider)).toEqual(list.filter(ofProvider));
      }
    }),
    { numRuns: 50 },
  );
});

/** Runs tasks on a clock of their own. Each takes a second. @returns when each was begun, in seconds: `a1@0`. */
async function runOnClock(names: readonly string[], classify: (name: string, seconds: number) => Verdict) {
  vi.useFakeTimers({ now: 0 });
  onTestFinished(() => void vi.useRealTimers());
  const begun: string[] = [];
  async function* read() {
    for (const name of names) yield { name, provider: name.slice(0, 1) };
  }
  const schedule = {
    concurrency: 1,
    perProvider: 1,
    maxFaults: 100,
    classify: ({ name }: { name: string }) => classify(name, performance.now() / 1000),
  };
  const stops: unknown[] = [];
  const all = async () => {
    const results = runAll(read(), schedule, async (task) => {
      begun.push(`${task.name}@${performance.now() / 1000}`);
      await new Promise((resolve) => setTimeout(resolve, 1000));
      return task;
    });
    for await (const { stop } of results) stops.push(stop);
  };
  let isOver = false;
  const running = all().finally(() => {
    isOver = true;
  });
  // Not all timers: on this clock a retry that another test of this process has left would never reach its end.
  while (!isOver) await vi.advanceTimersByTimeAsync(1000);
  await running;
  return { begun, end: performance.now() / 1000, stops: stops.filter((stop) => stop !== undefined) };
}

const many = (provider: string, count: number) => Array.from({ length: count }, (_, index) => `${provider}${index}`);

test("the tasks of a faulty provider wait, are tried after 10, 30 and 90 seconds, and are left at last", async () => {
  const names = [...many("a", 20), ...many("b", 3)];
  const { begun, stops } = await runOnClock(names, (name) => (name.startsWith("a") ? "faulty" : "answered"));
  expect(begun).toEqual([
    ...["a0@0", "a1@1", "a2@2", "a3@3", "a4@4"],
    ...["b0@5", "b1@6", "b2@7"],
    ...["a5@15", "a6@46", "a7@137"],
  ]);
  expect(stops).toEqual([]);
});

test("once its provider answers, the tasks that waited go on", async () => {
  const { begun } = await runOnClock(many("a", 8), (_, seconds) => (seconds < 6 ? "faulty" : "answered"));
  expect(begun).toEqual(["a0@0", "a1@1", "a2@2", "a3@3", "a4@4", "a5@15", "a6@16", "a7@17"]);
});

test("a service that takes no more is left alone until its time, at every provider", async () => {
  const names = ["a0", "b0", "a1", "b1"];
  const { begun } = await runOnClock(names, (name) => (name === "a0" ? { retryAfter: 59_000 } : "answered"));
  expect(begun).toEqual(["a0@0", "b0@60", "a1@61", "b1@62"]);
});

test("a clock that is set back during a pause does not make it longer", async () => {
  const setBack = () => void vi.setSystemTime(Date.now() - 3_600_000);
  const pauses = await runOnClock(many("a", 6), (name) => {
    if (name === "a4") setTimeout(setBack);
    return name === "a5" ? "answered" : "faulty";
  });
  expect(pauses.begun.at(-1)).toBe("a5@15");
  const limited = await runOnClock(["a0", "b0"], (name) => {
    if (name === "a0") setTimeout(setBack);
    return name === "a0" ? { retryAfter: 59_000 } : "answered";
  });
  expect(limited.begun).toEqual(["a0@0", "b0@60"]);
});

test("a task that says nothing of its provider counts neither way", async () => {
  const verdicts: readonly Verdict[] = ["faulty", "faulty", undefined, "faulty", "faulty", "faulty", "answered"];
  const { begun } = await runOnClock(many("a", 7), (name) => verdicts[Number(name.slice(1))]);
  expect(begun).toEqual(["a0@0", "a1@1", "a2@2", "a3@3", "a4@4", "a5@5", "a6@16"]);
});
