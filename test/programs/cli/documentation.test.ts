import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { formatCommandHelp, formatProgramHelp } from "../../../src/programs/cli/command-line.ts";
import { complete } from "../../../src/programs/cli/commands/completion-command.ts";
import { exitCodes, signalCodes } from "../../../src/programs/cli/exit-codes.ts";
import { allCommands } from "../../../src/programs/cli/run.ts";
import { installProgram } from "./installed-program.ts";
import { parseLines, run, runProcess } from "./program.ts";

const all = await allCommands();
const root = new URL("../../../", import.meta.url);

// The table of failures does not have these.
const meanings: Readonly<Record<string, string>> = {
  success: "The command did what it was asked.",
  logged_in: "The login reached a session.",
  logged_out: "The session is closed.",
  batch_incomplete: "Not every login of the batch is `logged_in`; the results say which.",
  select_client: "The bank asks to choose a client, and none was given.",
  client_selection_off: "The command says `select_client` in its place.",
  interaction_required: "The bank asks for one more thing, and nothing answered it.",
  paused: "The login waits in the file of `--pause-to`.",
  SIGHUP: "The terminal was closed.",
  SIGINT: "Ctrl-C; the request that ran was aborted.",
  SIGPIPE: "The reader of the output closed its end.",
  SIGTERM: "Something else ended the command; the request that ran was aborted.",
};

const allCodes = [...Object.entries(exitCodes), ...Object.entries(signalCodes)].sort(([, a], [, b]) => a - b);

// What a failure means is in docs/errors.md.
const listOfCodes = [
  "| exit code | status | meaning |",
  "|---|---|---|",
  ...allCodes.flatMap(([name, code]) => {
    const meaning = meanings[name];
    return meaning ? [`| ${code} | ${name in signalCodes ? name : `\`${name}\``} | ${meaning} |`] : [];
  }),
  "",
  `The other codes are those of [errors](errors.md): ${allCodes.flatMap(([name, code]) => (name in meanings ? [] : [`${code} \`${name}\``])).join(", ")}.`,
];

test("docs/cli.md has an up-to-date list of the exit codes", async () => {
  const page = await readFile(new URL("docs/cli.md", root), "utf8");
  const place = /(<!-- exit codes: [^>]*-->\n)[\s\S]*?(<!-- end -->)/;
  const fresh = page.replace(place, (_, begin: string, end: string) => [begin, ...listOfCodes, "", end].join("\n"));
  await expect(fresh).toMatchFileSnapshot("../../../docs/cli.md");
});

describe("help", () => {
  test.each([[[]], [["--help"]], [["-h"]], [["help"]]])("of the program: %j", async (words) => {
    expect(await run(words)).toEqual({ code: 0, stdout: `${formatProgramHelp(all)}\n`, stderr: "" });
  });

  const helps = [
    ["the program", formatProgramHelp(all)],
    ...all.map(([name, command]) => [name, formatCommandHelp(name, command)]),
  ];
  test.each(helps)("of %s fits 80 columns", (_, help = "") => {
    expect(help.split("\n").filter((line) => line.length > 80 || line !== line.trimEnd())).toEqual([]);
  });

  test("names every command and every option, with its description", () => {
    const plain = (text: string) => text.replaceAll(/\s+/g, " ");
    for (const [name, command] of all) {
      expect(plain(formatProgramHelp(all))).toContain(` ${name} ${command.description}`);
      for (const [option, { type, description, valueHint }] of Object.entries(command.options)) {
        const value = type === "string" ? ` <${valueHint}>` : "";
        const named = type === "positional" ? option : `--${option}${value}`;
        expect(plain(formatCommandHelp(name, command))).toContain(` ${named} ${description}`);
      }
    }
  });

  test("has examples, and no colours in a pipe", async () => {
    const { code, stdout, stderr } = await run(["login", "--help"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("Examples:\n  ventanilla login\n      asks for everything, in a terminal");
    expect(stdout).not.toContain("\u001B");
  });

  test("with --json is one object", async () => {
    const { stdout } = await run(["fields", "--help", "--json"]);
    expect(parseLines(stdout)).toEqual([{ help: expect.stringContaining("Examples:") }]);
  });

  test("--version prints the version of the package", async () => {
    const { version } = JSON.parse(await readFile(new URL("package.json", root), "utf8"));
    expect((await runProcess(["--version"])).stdout).toBe(`${version}\n`);
  });
});

describe("completion", () => {
  const offered = (...words: readonly string[]) => complete(words, all).map((line) => line.split(" ")[0]);

  test.each([
    [["lo"], ["login", "logout"]],
    [
      ["login", "--p"],
      ["--password-stdin", "--print-key", "--pause-to"],
    ],
    [
      ["diagram", "l"],
      ["login", "link"],
    ],
    [
      ["diagram", "--format", "="],
      ["mermaid", "svg", "json"],
    ],
    [["diagram", "--format=m"], ["--format=mermaid"]],
    [["diagram", "--format", "s"], ["svg"]],
    [["view", "/etc/hostn"], []],
    [["login", "--record", ""], []],
    [["nothing", "x"], []],
    [["login", "--session-key-in", "=", "q"], ["query"]],
  ])("%j offers %j, else files", (words, expected) => {
    expect(offered(...words)).toEqual(expected);
  });

  test("bash asks the command", async () => {
    const { stdout: script } = await run(["completion", "bash"]);
    const { main } = await installProgram();
    const ask = `ventanilla() { '${process.execPath}' '${main}' "$@"; }
      ${script}
      COMP_WORDS=(ventanilla diagram --json --format = m x); COMP_CWORD=5; _ventanilla; printf '%s\\n' "\${COMPREPLY[@]}"`;
    expect(spawnSync("bash", ["-c", ask], { encoding: "utf8" }).stdout).toBe("mermaid\n");
  });
});
