import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { sources } from "../docs/examples/sources.ts";
import { beginWith } from "./begin-with.ts";

const sequencer = beginWith(
  // In a new process: the exporters of OpenTelemetry import `http` when they first send, and in a process that has run many other files that import
  // has been seen never to end.
  /\/otlp\.gate/,
  // The longest ones.
  /\/(databases|shell-blocks|tutorial)\.gate/,
);

// Tests that need what `npm ci` does not bring and give the same result on each run: real Redis and Postgres, the files of the package. `.ci/run`
// makes or installs it. What is missing is a failure.
export default defineConfig({
  resolve: { alias: sources },
  test: {
    root: fileURLToPath(new URL("..", import.meta.url)),
    include: ["test/**/*.gate.ts"],
    globalSetup: ["test/global-setup.ts"],
    isolate: false,
    sequence: { sequencer },
    // They mostly wait for a store that starts again, or for a page. Each worker loads all that its files import.
    maxWorkers: 1 + availableParallelism(),
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
