import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { sources } from "../../../docs/examples/sources.ts";

// Not tests: they make the pictures in docs/pictures.
export default defineConfig({
  root: fileURLToPath(new URL("../../..", import.meta.url)),
  resolve: { alias: sources },
  test: {
    include: ["test/screens/browser/*.pictures.ts"],
    globalSetup: ["test/global-setup.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    fileParallelism: false,
  },
});
