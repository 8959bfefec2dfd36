import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { sources } from "../docs/examples/sources.ts";

// Tests that need what `npm ci` does not bring and give the same result on each run: real Redis and Postgres, the site, the files of the package.
// `.ci/run` makes or installs it. What is missing is a failure. And those that need a process of their own: OpenTelemetry's exporters import `http`
// when they first send, and in a process that has run many other files that import has been seen never to end.
export default defineConfig({
  resolve: { alias: sources },
  test: {
    root: fileURLToPath(new URL("..", import.meta.url)),
    include: ["test/**/*.gate.ts"],
    globalSetup: ["test/global-setup.ts"],
    // They mostly wait for a store that starts again, or for a page.
    maxWorkers: 2 * availableParallelism(),
    // Some install packages first.
    testTimeout: 300_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
