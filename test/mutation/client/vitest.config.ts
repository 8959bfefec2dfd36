import { fileURLToPath } from "node:url";
import { defineConfig, mergeConfig } from "vitest/config";
import base from "../../../vitest.config.ts";
import { LastKillerFirst } from "../last-killer-first.ts";

// The client's own tests: others would only repeat their verdict, and each mutant that nothing notices would run them all. What reads
// megabytes takes seconds where each line counts its mutants.
export default mergeConfig(
  { ...base, test: { ...base.test, include: [] } },
  defineConfig({
    root: fileURLToPath(new URL("../../..", import.meta.url)),
    test: {
      include: ["test/api/**/*.test.ts", "test/leaks/handlers.test.ts"],
      exclude: ["test/api/large-responses.test.ts"],
      sequence: { sequencer: LastKillerFirst },
      // A mutant that hangs is found out soon enough, and one that a property finds in 25 tries.
      testTimeout: 5000,
      env: { VENTANILLA_RUNS: "25" },
    },
  }),
);
