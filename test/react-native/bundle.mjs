// Runs in the folder of the example, where Metro is installed.
import { createRequire } from "node:module";
import { resolve } from "node:path";

const require = createRequire(resolve("package.json"));
const { runBuild } = require("metro");
const { mergeConfig } = require("@react-native/metro-config");

// Every module is loaded at once, as in Expo: what the platform lacks shows at the start.
const transform = { experimentalImportSupport: false, inlineRequires: false };
const config = await mergeConfig(require("./metro.config.js"), {
  maxWorkers: 2,
  reporter: { update() {} },
  transformer: { getTransformOptions: async () => ({ transform }) },
});
for (const [entry, out] of [
  ["index.js", "example.js"],
  ["core-entry.js", "core.js"],
])
  await runBuild(config, { entry, out, platform: "ios", dev: false, minify: false });
