import { fileURLToPath } from "node:url";
import { defineConfig, mergeConfig } from "vitest/config";
import base from "../../../vitest.config.ts";
import { LastKillerFirst } from "../last-killer-first.ts";

// The tests of the runner, of pausing and of forms. Not those that take seconds because they fill limits or start processes.
export default mergeConfig(
  { ...base, test: { ...base.test, include: [] } },
  defineConfig({
    root: fileURLToPath(new URL("../../..", import.meta.url)),
    test: {
      include: ["test/{login,pause,tokens,view}/**/*.test.ts"],
      exclude: [
        "login/crowd",
        "pause/processes",
        "tokens/{folder,sealed-token.property}",
        "view/{link-view,search}",
      ].map((name) => `test/${name}.test.ts`),
      sequence: { sequencer: LastKillerFirst },
      runner: "test/mutation/until-first-failure.ts",
      // The files that are left out after a failure.
      passWithNoTests: true,
      // Short: a mutant that hangs is killed by it. 25 runs of a property are enough to kill a mutant.
      testTimeout: 3000,
      env: { VENTANILLA_RUNS: "25" },
    },
  }),
);
