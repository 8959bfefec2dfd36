import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createCompletion } from "../../src/cli/commands/completion-command.ts";
import { allCommands } from "../../src/cli/run.ts";
import { ownFolder } from "./program.ts";

test("zsh's completion parses", async () => {
  const script = createCompletion("zsh", await allCommands());
  expect(spawnSync("zsh", ["-n"], { input: script, encoding: "utf8" })).toMatchObject({ status: 0, stderr: "" });
});

test("fish's completion parses and offers commands", async () => {
  const file = join(await ownFolder(), "ventanilla.fish");
  await writeFile(file, createCompletion("fish", await allCommands()));
  const { stdout } = spawnSync("fish", ["-c", `source ${file}; complete -C"ventanilla lo"`], { encoding: "utf8" });
  expect(stdout).toBe("login\tLog in to a bank\nlogout\tEnd a session (beyond the contract)\n");
});
