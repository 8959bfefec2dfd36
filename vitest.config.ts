import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { sources } from "./docs/examples/sources.ts";
import { beginWith } from "./test/begin-with.ts";
import { TEST_TIMEOUT } from "./test/test-timeout.ts";

// A worker with nothing left to do costs more than any test.
const longestFirst = beginWith(/\/test\/(screens\/browser|leaks|programs|platforms|tools|faults|machines|servers)\//);

export default defineConfig({
  resolve: { alias: sources },
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/global-setup.ts"],
    setupFiles: ["test/seconds.ts", "test/stalled.ts", "test/properties.ts", "test/ofetch.ts"],
    // Files share what they import: half of the time would go into loading it anew. Whatever a test changes it puts back.
    isolate: false,
    // A sequencer of one's own would switch the shuffling of files off.
    sequence: process.argv.includes("--sequence.shuffle") ? {} : { sequencer: longestFirst },
    // Most of these tests wait for a server, a browser or a clock rather than for a core. Each worker loads all that its files import: three seconds.
    maxWorkers: 1 + availableParallelism(),
    testTimeout: TEST_TIMEOUT,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    coverage: {
      provider: "v8",
      include: ["src/**/*.ts", "machines/**/*.ts"],
      reporter: ["text-summary", "json-summary"],
    },
  },
});
