import { fileURLToPath } from "node:url";
import { defineConfig, mergeConfig } from "vitest/config";
import base from "../../../vitest.config.ts";
import { LastKillerFirst } from "../last-killer-first.ts";

// A statechart is made when its module is loaded, so each mutant of one loads it anew: with few tests, the contract's tables.
export default mergeConfig(
  { ...base, test: { ...base.test, include: [], isolate: true } },
  defineConfig({
    root: fileURLToPath(new URL("../../..", import.meta.url)),
    test: {
      include: [
        "test/model/{link,login}-oracle.test.ts",
        "test/model/{cancelling,definition,faults,time-to-answer}.test.ts",
      ],
      sequence: { sequencer: LastKillerFirst },
      testTimeout: 3000,
    },
  }),
);
