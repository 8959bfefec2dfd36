import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { sources } from "../../../docs/examples/sources.ts";

// These need the server's binary and the built programs: `npm run restate -- test` sees to both.
export default defineConfig({
  resolve: { alias: sources },
  test: {
    root: fileURLToPath(new URL("../../..", import.meta.url)),
    include: ["test/servers/restate/*.server.ts"],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    // Most files share a server, and what they import.
    maxWorkers: 1,
    isolate: false,
  },
});
