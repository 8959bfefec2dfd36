import { spawnSync } from "node:child_process";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { installProgram } from "./installed-program.ts";
import { ownFolder, run } from "./program.ts";

/** A folder with the command and the completion script of a shell. */
async function install(shell: "zsh" | "fish", name: string) {
  const [folder, { main }, { stdout }] = await Promise.all([ownFolder(), installProgram(), run(["completion", shell])]);
  await writeFile(join(folder, name), stdout);
  await writeFile(join(folder, "ventanilla"), `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`);
  await chmod(join(folder, "ventanilla"), 0o755);
  return { folder, env: { ...process.env, PATH: `${folder}:${process.env["PATH"]}` } };
}

test.each([
  ["ventanilla logo", "logout"],
  ["ventanilla login test --cl", "--client"],
  ["ventanilla diagram --format=mer", "--format=mermaid"],
  ["ventanilla login --key-to=_venta", "--key-to=_ventanilla"],
])("zsh's completion of %j", async (typed, completed) => {
  const { folder, env } = await install("zsh", "_ventanilla");
  const ask = [
    `cd ${folder}; zmodload zsh/zpty; zpty shell zsh -f -i`,
    `zpty -w shell 'fpath=(${folder} $fpath); autoload -U compinit; compinit -u -D'`,
    `zpty -w -n shell $'${typed}\\t'; zpty -r -m shell written '*${completed}*'`,
  ];
  expect(spawnSync("zsh", ["-f"], { input: ask.join("\n"), env, timeout: 10_000 })).toMatchObject({ status: 0 });
});

test.each([
  ["ventanilla logi", "login\tLog in to a bank\n"],
  ["ventanilla diagram --format=mer", "--format=mermaid\tmermaid, svg or json\n"],
  ["ventanilla view ventanilla.f", "ventanilla.fish\n"],
])("fish's completion of %j", async (typed, offered) => {
  const { folder, env } = await install("fish", "ventanilla.fish");
  const options = { encoding: "utf8", cwd: folder, env } as const;
  const { stdout } = spawnSync("fish", ["-c", `source ventanilla.fish; complete -C"${typed}"`], options);
  expect(stdout).toBe(offered);
});
