import { availableParallelism } from "node:os";
import { defineConfig, mergeConfig } from "vitest/config";
import gate from "./vitest.gate.config.ts";

// Tests that depend on a real window, on focus, on exact times or on another platform: Firefox, WebKitGTK and Chromium in windows (Xvfb, openbox,
// xdotool); Deno, Bun, workerd and further versions of Node; React 18; Angular's and React Native's own builds; zsh, fish and Python; root; PgBouncer. And those of the
// site, which takes a minute to build. `.ci/full` installs what they need. What is missing is a failure.
export default mergeConfig(
  { ...gate, test: { ...gate.test, include: [] } },
  defineConfig({
    test: {
      include: ["test/**/*.full.ts"],
      globalSetup: ["test/declarations.ts"],
      isolate: true,
      // Fewer at a time than in the gate: many depend on exact times.
      maxWorkers: 2 * availableParallelism(),
      // Angular installs and builds three projects.
      hookTimeout: 600_000,
      // Two clicks half a second apart take half a second: mostly waited for. So do most of the others.
      maxConcurrency: 10,
    },
  }),
);
