import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Begins with the files that took least time: the first test that fails ends a mutant's run. */
export class QuickestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).reverse();
  }
}
