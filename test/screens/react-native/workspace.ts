import { join } from "node:path";
import { sharedFolder } from "../../shared-folder.ts";
import { installPackage, run } from "../embedding/packed-package.ts";

/**
 * Installs the example, and bundles as an Expo app is when it is built: the example itself (`example.js`), and the library for the tests
 * of this folder (`core.js`).
 */
export const buildWorkspace = (): Promise<string> =>
  sharedFolder("ventanilla-react-native", async (folder) => {
    await installPackage(folder, {
      "docs/examples/react-native": ".",
      "test/screens/react-native/core-entry.js": "core-entry.js",
    });
    for (const [entry, output] of [
      ["index.js", "example.js"],
      ["core-entry.js", "core.js"],
    ] as const) {
      const files = ["--entry-file", entry, "--bundle-output", output];
      const options = ["--platform", "ios", "--dev", "false", "--minify", "false", ...files];
      // Without a request to Expo's servers.
      const env = { CI: "1", EXPO_OFFLINE: "1", EXPO_NO_TELEMETRY: "1" };
      await runIn(folder, "node_modules/expo/bin/cli", ["export:embed", ...options], env);
    }
  });

/** Runs a program of the workspace. */
export const runIn = (folder: string, program: string, options: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  run(process.execPath, [join(folder, program), ...options], {
    cwd: folder,
    env: { ...process.env, ...env },
    maxBuffer: 2 ** 26,
  });
