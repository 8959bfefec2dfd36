import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { sources } from "../../docs/examples/sources.ts";

// These start redis-server and postgres, which `npm ci` does not bring: `npm run stores`.
export default defineConfig({
  resolve: { alias: sources },
  test: {
    root: fileURLToPath(new URL("../..", import.meta.url)),
    include: ["test/stores/*.server.ts"],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    fileParallelism: false,
  },
});
