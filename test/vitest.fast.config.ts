import { fileURLToPath } from "node:url";
import { defineConfig, mergeConfig } from "vitest/config";
import base from "../vitest.config.ts";

// What is left out needs a browser, a terminal or processes of its own, or takes seconds for a few tests. The rest talks at most to the fake
// bank, in this process.
export default mergeConfig(
  base,
  defineConfig({
    root: fileURLToPath(new URL("..", import.meta.url)),
    test: {
      exclude: [
        "test/{faults,leaks,platforms,programs,screens}/**",
        "test/core/api/large-responses.test.ts",
        "test/docs/{examples,questions}.test.ts",
        "test/tools/inspect/{browser-watching,inspection-server,bundled-packages,processes,viewer}.test.ts",
        "test/core/login/crowd.test.ts",
        "test/machines/paths.test.ts",
        "test/servers/hosted/killed.test.ts",
        "test/servers/relay/servers.test.ts",
        "test/tools/testing/paths.test.ts",
        "test/core/tokens/{folder,sealed-token.property}.test.ts",
      ],
    },
  }),
);
