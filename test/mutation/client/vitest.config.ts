import { fileURLToPath } from "node:url";
import { defineConfig, mergeConfig } from "vitest/config";
import base from "../../../vitest.config.ts";
import { LastKillerFirst } from "../last-killer-first.ts";

// The client's own tests: others would only repeat their verdict, and each mutant that survives would run them all. Not those that read
// megabytes, and not a property that kills no mutant of its own.
export default mergeConfig(
  { ...base, test: { ...base.test, include: [] } },
  defineConfig({
    root: fileURLToPath(new URL("../../..", import.meta.url)),
    test: {
      include: ["test/api/**/*.test.ts", "test/leaks/handlers.test.ts"],
      exclude: ["test/api/large-responses.test.ts", "test/api/reader.property.test.ts"],
      sequence: { sequencer: LastKillerFirst },
      runner: "test/mutation/until-first-failure.ts",
      // The files that are left out after a failure.
      passWithNoTests: true,
      // Short: a mutant that hangs is killed by it. 25 runs of a property are enough to kill a mutant.
      testTimeout: 5000,
      env: { VENTANILLA_RUNS: "25" },
    },
  }),
);
