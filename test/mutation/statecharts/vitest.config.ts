import { fileURLToPath } from "node:url";
import { defineConfig, mergeConfig } from "vitest/config";
import base from "../../../vitest.config.ts";
import { LastKillerFirst } from "../last-killer-first.ts";

// A statechart is created when its module is loaded, so each of its mutants can fail any test. Few tests run: the contract's tables.
export default mergeConfig(
  { ...base, test: { ...base.test, include: [] } },
  defineConfig({
    root: fileURLToPath(new URL("../../..", import.meta.url)),
    test: {
      include: [
        "test/model/{link,login}-oracle.test.ts",
        "test/model/{cancelling,definition,faults,time-to-answer}.test.ts",
      ],
      sequence: { sequencer: LastKillerFirst },
      runner: "test/mutation/until-first-failure.ts",
      // The files that are left out after a failure.
      passWithNoTests: true,
      testTimeout: 3000,
    },
  }),
);
