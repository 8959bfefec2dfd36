import { BaseSequencer, type TestSequencerConstructor, type TestSpecification } from "vitest/node";

/** A sequencer that begins with the test files of these names, those of the first pattern first. */
export const beginWith = (...patterns: readonly RegExp[]): TestSequencerConstructor =>
  class extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      const rank = ({ moduleId }: TestSpecification) => {
        const index = patterns.findIndex((pattern) => pattern.test(moduleId));
        return index === -1 ? patterns.length : index;
      };
      return (await super.sort(files)).sort((one, other) => rank(one) - rank(other));
    }
  };
