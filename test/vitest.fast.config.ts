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
        "test/{browser,cli,embedding,faults,leaks,platforms}/**",
        "test/api/large-responses.test.ts",
        "test/docs/examples.test.ts",
        "test/inspect/{browser-watching,every-path,inspection-server,licenses,processes,viewer}.test.ts",
        "test/login/crowd.test.ts",
        "test/model/paths.test.ts",
        "test/pause/processes.test.ts",
        "test/relay/servers.test.ts",
        "test/testing/paths.test.ts",
        "test/tokens/{folder,sealed-token.property}.test.ts",
      ],
    },
  }),
);
