import { fileURLToPath } from "node:url";
import { defineConfig, mergeConfig } from "vitest/config";
import base from "../../vitest.config.ts";

// The tests that judge behaviour; the slow hunts through sockets and heaps would only repeat their verdict.
export default mergeConfig(
  { ...base, test: { ...base.test, include: [] } },
  defineConfig({
    root: fileURLToPath(new URL("../..", import.meta.url)),
    test: {
      include: ["test/{api,conformance,login,model,pause,tokens,view}/**/*.test.ts"],
      // A mutant that hangs is found out soon enough, and one that a property finds in 25 tries.
      testTimeout: 3000,
      env: { VENTANILLA_RUNS: "25" },
    },
  }),
);
