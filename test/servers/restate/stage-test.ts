import { test as base } from "vitest";
import { openStageHere, type StageHere } from "./stage.ts";

/** A `test` with a stage that all tests of the run share, if their files import the same one. */
export function createStageTest(options: Parameters<typeof openStageHere>[0] = {}) {
  return base.extend<{ $worker: { stage: StageHere } }>({
    stage: [
      // biome-ignore lint/correctness/noEmptyPattern: Vitest reads what a fixture needs from its pattern.
      async ({}, use) => {
        const stage = await openStageHere(options);
        await use(stage);
        await stage.close();
      },
      { scope: "worker" },
    ],
  });
}

export const test = createStageTest();
