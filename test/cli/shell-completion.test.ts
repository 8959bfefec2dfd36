import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createCompletion } from "../../src/cli/commands/completion-command.ts";
import { allCommands } from "../../src/cli/run.ts";
import { ownFolder, run } from "./program.ts";

/** What bash would offer for a line. */
function offered(script: string, words: readonly string[]): string[] {
  const line = words.map((word) => `'${word}'`).join(" ");
  const ask = `${script}\nCOMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _ventanilla; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return spawnSync("bash", ["-c", ask], { encoding: "utf8" }).stdout.trim().split("\n");
}

describe("completion", () => {
  test("in bash parses, and offers commands, options and values", async () => {
    const { code, stdout } = await run(["completion", "bash"]);
    expect(code).toBe(0);
    expect(spawnSync("bash", ["-n"], { input: stdout, encoding: "utf8" })).toMatchObject({ status: 0, stderr: "" });
    expect(offered(stdout, ["ventanilla", "lo"])).toEqual(["login", "logout"]);
    expect(offered(stdout, ["ventanilla", "login", "--p"])).toEqual(["--password-stdin", "--print-key", "--pause-to"]);
    expect(offered(stdout, ["ventanilla", "diagram", "l"])).toEqual(["login", "link"]);
    expect(offered(stdout, ["ventanilla", "diagram", "--format", ""])).toEqual(["mermaid", "svg", "json"]);
    expect(offered(stdout, ["ventanilla", "view", "/etc/host"])).toContain("/etc/hostname");
    expect(offered(stdout, ["ventanilla", "login", "--record", "/etc/host"])).toContain("/etc/hostname");
  });

  test("in bash offers a file's name whole, spaces and stars in it too", async () => {
    const folder = await ownFolder();
    const names = ["my *", "my logins.json"].map((name) => join(folder, name));
    for (const name of names) await writeFile(name, "");
    const script = createCompletion("bash", await allCommands());
    for (const words of [["login", "--credentials-from"], ["batch"]]) {
      expect(offered(script, ["ventanilla", ...words, join(folder, "my")]).sort()).toEqual(names);
    }
  });

  test.each(["zsh", "fish"] as const)("in %s names every command and every option", async (shell) => {
    const script = createCompletion(shell, await allCommands());
    for (const [name, { options }] of await allCommands()) {
      expect(script).toContain(name);
      for (const [option, { type }] of Object.entries(options))
        if (type !== "positional") expect(script).toContain(option);
    }
  });

  test("for a shell that is not known is refused", async () => {
    expect((await run(["completion", "tcsh"])).code).toBe(2);
  });
});
