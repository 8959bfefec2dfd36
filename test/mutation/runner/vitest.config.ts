import { fileURLToPath } from "node:url";
import { defineConfig, mergeConfig } from "vitest/config";
import base from "../../../vitest.config.ts";
import { LastKillerFirst } from "../last-killer-first.ts";

// The tests of the runner, of pausing and of forms, without those that take seconds, since they fill limits or start processes.
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
      // A mutant that hangs is found out soon enough, and one that a property finds in 25 tries.
      testTimeout: 3000,
      env: { VENTANILLA_RUNS: "25" },
    },
  }),
);
