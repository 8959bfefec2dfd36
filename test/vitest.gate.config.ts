import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { sources } from "../docs/examples/sources.ts";

// Tests that need what npm does not bring: root, util-linux, zsh and fish. The gate installs it; what is missing is a failure.
export default defineConfig({
  resolve: { alias: sources },
  test: {
    root: fileURLToPath(new URL("..", import.meta.url)),
    include: ["test/**/*.gate.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
