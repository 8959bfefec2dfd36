import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createCompletion } from "../../src/cli/commands/completion-command.ts";
import { allCommands } from "../../src/cli/run.ts";
import { ownFolder } from "./program.ts";

test.each([
  ["ventanilla login test --cl", "--client"],
  ["ventanilla login --key-to=_venta", "--key-to=_ventanilla"],
])("zsh's completion of %j", async (typed, completed) => {
  const folder = await ownFolder();
  await writeFile(join(folder, "_ventanilla"), createCompletion("zsh", await allCommands()));
  const ask = [
    `cd ${folder}; zmodload zsh/zpty; zpty shell zsh -f -i`,
    `zpty -w shell 'fpath=(${folder} $fpath); autoload -U compinit; compinit -u -D'`,
    `zpty -w -n shell $'${typed}\\t'; zpty -r -m shell written '*${completed}*'`,
  ];
  expect(spawnSync("zsh", ["-f"], { input: ask.join("\n"), timeout: 10_000 })).toMatchObject({ status: 0 });
});

test("fish's completion parses and offers commands", async () => {
  const file = join(await ownFolder(), "ventanilla.fish");
  await writeFile(file, createCompletion("fish", await allCommands()));
  const { stdout } = spawnSync("fish", ["-c", `source ${file}; complete -C"ventanilla lo"`], { encoding: "utf8" });
  expect(stdout).toBe("login\tLog in to a bank\nlogout\tEnd a session (beyond the contract)\n");
});
