import { spawnSync } from "node:child_process";

// `npm run restate -- [NAME] [WORDS…]`: the programs of this folder, or its tests.
const [name = "demonstration", ...words] = process.argv.slice(2);
const program =
  name === "test"
    ? ["node_modules/vitest/vitest.mjs", "run", "--config", "test/servers/restate/vitest.config.ts"]
    : [`test/servers/restate/dist/${name}.mjs`];
process.exitCode = spawnSync(process.execPath, [...program, ...words], { stdio: "inherit" }).status ?? 1;
