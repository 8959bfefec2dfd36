import { fileURLToPath } from "node:url";
import { defineConfig, mergeConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import base from "../../../vitest.config.ts";

// Those that take seconds, since they generate paths, fill limits or start processes, would only repeat the verdict of the others,
// and each mutant that nothing notices would run them all.
const slow = [
  "api/{bodies,bounds}",
  "login/crowd",
  "model/{paths,studio}",
  "pause/processes",
  "tokens/{folder,sealed-token.property}",
  "view/held-verbs",
];

/** The first test that fails ends a mutant's run: what drives whole logins through the statechart comes last. */
class ModelLast extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isModel = ({ moduleId }: TestSpecification) => moduleId.includes("/test/model/");
    return [...files.filter((file) => !isModel(file)), ...files.filter(isModel)];
  }
}

export default mergeConfig(
  { ...base, test: { ...base.test, include: [] } },
  defineConfig({
    root: fileURLToPath(new URL("../../..", import.meta.url)),
    test: {
      include: ["test/{api,conformance,login,model,pause,tokens,view}/**/*.test.ts"],
      exclude: slow.map((name) => `test/${name}.test.ts`),
      sequence: { sequencer: ModelLast },
      // A mutant that hangs is found out soon enough, and one that a property finds in 25 tries.
      testTimeout: 3000,
      env: { VENTANILLA_RUNS: "25" },
    },
  }),
);
