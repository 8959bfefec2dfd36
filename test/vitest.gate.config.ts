import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { sources } from "../docs/examples/sources.ts";

// Tests that need programs which npm doesn't bring. The gate installs those; a missing one is a failure.
export default defineConfig({
  resolve: { alias: sources },
  test: {
    root: fileURLToPath(new URL("..", import.meta.url)),
    include: ["test/**/*.gate.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 10_000 } },
  },
});
