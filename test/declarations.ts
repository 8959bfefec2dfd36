import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The declarations of the package: Angular's and React Native's own builds check types. They take half a minute, so no other tests wait for them. */
export default function setUp(): void {
  const { status, stdout } = spawnSync(
    process.execPath,
    ["node_modules/typescript-7/bin/tsc", "--checkers", "1", "-p", "tsconfig.build.json"],
    {
      cwd: fileURLToPath(new URL("..", import.meta.url)),
      encoding: "utf8",
    },
  );
  if (status !== 0) throw new Error(`The declarations of the package can't be made:\n${stdout}`);
}
