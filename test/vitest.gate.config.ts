import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { sources } from "../docs/examples/sources.ts";

// Tests that need what `npm ci` does not bring: zsh and fish; root; Redis and Postgres; Deno, Bun and
// further versions of Node; Firefox, WebKitGTK and Chromium in real windows (Xvfb, openbox, xdotool). The gate installs it. What is missing
// is a failure. What takes minutes is here too: two clicks on each button of each step.
export default defineConfig({
  resolve: { alias: sources },
  test: {
    root: fileURLToPath(new URL("..", import.meta.url)),
    include: ["test/**/*.gate.ts"],
    globalSetup: ["test/global-setup.ts"],
    // Two clicks half a second apart take half a second: mostly waited for. So do most of the others.
    maxConcurrency: 10,
    maxWorkers: availableParallelism(),
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
