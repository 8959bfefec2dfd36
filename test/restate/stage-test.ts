import { test } from "vitest";
import { openStage, type Stage, type StageOptions } from "./stage.ts";

/** A `test` whose tests of one file share a stage. */
export function createStageTest(options: StageOptions) {
  return test.extend<{ $file: { stage: Stage } }>({
    stage: [
      // biome-ignore lint/correctness/noEmptyPattern: Vitest reads what a fixture needs from its pattern.
      async ({}, use) => {
        const stage = await openStage(options);
        await use(stage);
        await stage.close();
      },
      { scope: "file" },
    ],
  });
}
