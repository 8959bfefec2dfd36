import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  resolve: {
    alias: [
      { find: /^ventanilla$/, replacement: source("src/index.ts") },
      { find: /^ventanilla\/sandbox$/, replacement: source("src/sandbox/index.ts") },
      { find: /^ventanilla\/machines\/(.*)$/, replacement: source("machines/$1.ts") },
    ],
  },
  test: {
    include: ["test/**/*.test.ts"],
    setupFiles: ["test/properties.ts"],
    // A long run on demand takes as long as it takes.
    testTimeout: process.env["VENTANILLA_RUNS"] ? 3_600_000 : 15_000,
    coverage: { provider: "v8", include: ["src/**", "machines/**"], reporter: ["text-summary", "json-summary"] },
  },
});
