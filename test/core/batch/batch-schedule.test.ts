import fc from "fast-check";
import { expect, test } from "vitest";
import { runAll } from "../../../src/core/batch/batch-schedule.ts";

const tasks = fc.array(
  fc.constantFrom("a", "b", "c").map((provider) => ({ provider })),
  { maxLength: 30 },
);
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
        const results = runAll(read(), { concurrency, perProvider }, async (task) => {
          begun.push(task);
          running.push(task);
          expect(running.length).toBeLessThanOrEqual(concurrency);
          expect(running.filter(({ provider }) => provider === task.provider).length).toBeLessThanOrEqual(perProvider);
          await scheduler.schedule(Promise.resolve());
          running.splice(running.indexOf(task), 1);
          return task;
        });
        for await (const task of results) ended.push(task);
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
