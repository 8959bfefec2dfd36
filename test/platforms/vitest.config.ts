import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { sources } from "../../docs/examples/sources.ts";

// These need Deno and Bun: `npm run platforms` installs both.
export default defineConfig({
  resolve: { alias: sources },
  test: {
    root: fileURLToPath(new URL("../..", import.meta.url)),
    include: ["test/platforms/*.server.ts"],
    testTimeout: 60_000,
    hookTimeout: 90_000,
  },
});
