import { readFile } from "node:fs/promises";
import { failures } from "ventanilla";
import { describe, expect, test } from "vitest";
import { exitCodes, signalCodes } from "../../src/cli/exit-codes.ts";
import { formatCommandHelp, formatProgramHelp } from "../../src/cli/help.ts";
import { allCommands, type CommandName, commands } from "../../src/cli/run.ts";
import { parseLines, run, runProcess } from "./program.ts";

const page = new URL("../../docs/cli.md", import.meta.url);

// What is no failure has no text in the failure table.
const meanings: Readonly<Record<string, string>> = {
  success: "The command did what it was asked.",
  logged_in: "The login reached a session.",
  logged_out: "The session is closed.",
  batch_incomplete: "Not every login of the batch is `logged_in`; the results say which.",
  select_client: "The bank wants a client chosen, and none was given.",
  interaction_required: "The bank asks for one more thing, and nothing answered it.",
  paused: "The login waits in the file of `--pause-to`.",
};

const signals: Readonly<Record<keyof typeof signalCodes, string>> = {
  SIGHUP: "The terminal was closed.",
  SIGINT: "Ctrl-C; the request under way was aborted.",
  SIGPIPE: "The reader of the output closed its end.",
  SIGTERM: "Something else ended the command; the request under way was aborted.",
};

const table = [
  "| exit code | status | meaning |",
  "|---|---|---|",
  ...Object.entries(exitCodes)
    .map(([status, code]) => {
      const text = meanings[status] ?? failures[status as keyof typeof failures].en;
      return { code, row: `| ${code} | \`${status}\` | ${text} |` };
    })
    .sort((one, other) => one.code - other.code)
    .map(({ row }) => row),
  ...Object.entries(signals).map(
    ([name, text]) => `| ${signalCodes[name as keyof typeof signalCodes]} | ${name} | ${text} |`,
  ),
].join("\n");

const within = (text: string, name: string, content: string) =>
  text.replace(
    new RegExp(`(<!-- ${name}: [^>]*-->\n)[^]*?(<!-- end -->)`),
    (_, start: string, end: string) => `${start}\n${content}\n\n${end}`,
  );

/** One row for each option and what it does, with the commands that take it. */
const tableOfOptions = (all: Awaited<ReturnType<typeof allCommands>>): string => {
  const takers = new Map<string, string[]>();
  for (const [name, { options }] of all) {
    for (const [option, { type, description, valueHint, default: value }] of Object.entries(options)) {
      if (type === "positional") continue;
      const written = type === "boolean" ? `--${option}` : `--${option}=<${valueHint}>`;
      const row = `\`${written}\` | ${description}${value === undefined ? "" : ` (default ${value})`}`;
      takers.set(row, [...(takers.get(row) ?? []), name]);
    }
  }
  const ofTheService = all.filter(([, { options }]) => "base-url" in options).map(([name]) => name);
  const groups = new Map([
    [all.map(([name]) => name).join(), "all"],
    [ofTheService.join(), "all of the service"],
  ]);
  const nameTakers = (names: readonly string[]) =>
    groups.get(names.join()) ?? names.map((name) => `\`${name}\``).join(", ");
  return [
    "| option | what it does | commands |",
    "|---|---|---|",
    ...[...takers].map(([row, names]) => `| ${row} | ${nameTakers(names)} |`),
  ].join("\n");
};

test("docs/cli.md has the exit codes and the options as they are", async () => {
  const text = await readFile(page, "utf8");
  const fresh = within(within(text, "exit codes", table), "options", tableOfOptions(await allCommands()));
  expect(fresh).toContain("| 130 | SIGINT |");
  expect(fresh).toContain("| `--key-to=<file>` |");
  await expect(fresh).toMatchFileSnapshot("../../docs/cli.md");
});

describe("help", () => {
  test.each([[[]], [["--help"]], [["-h"]], [["help"]]])("of the program: %j", async (words) => {
    expect(await run(words)).toEqual({ code: 0, stdout: `${formatProgramHelp(await allCommands())}\n`, stderr: "" });
  });

  const ofTheProgram = ["the program", async () => formatProgramHelp(await allCommands())] as const;
  const ofACommand = (Object.keys(commands) as CommandName[]).map(
    (name) => [name, async () => formatCommandHelp(name, await commands[name]())] as const,
  );
  test.each([ofTheProgram, ...ofACommand])("of %s fits 80 columns", async (_, help) => {
    const lines = (await help()).split("\n");
    expect(lines.filter((line) => line.length > 80 || line !== line.trimEnd())).toEqual([]);
  });

  test("of the program names every command, and that of a command every option, with what it does", async () => {
    const plain = (text: string) => text.replaceAll(/\s+/g, " ");
    const ofAll = plain(formatProgramHelp(await allCommands()));
    for (const [name, command] of await allCommands()) {
      expect(ofAll).toContain(` ${name} ${command.description}`);
      const ofOne = plain(formatCommandHelp(name, command));
      for (const [option, { type, description, valueHint }] of Object.entries(command.options)) {
        const value = type === "string" ? `=<${valueHint}>` : "";
        const named = type === "positional" ? option.toUpperCase() : `--${option}${value}`;
        expect(ofOne).toContain(` ${named} ${description}`);
      }
    }
  });

  test("of a command is on standard output, has examples, and no colours in a pipe", async () => {
    const { code, stdout, stderr } = await run(["login", "--help"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("EXAMPLES\n\n  ventanilla login\n      asks for everything, in a terminal");
    expect(stdout).not.toContain("\u001B");
  });

  test("with --json is one object", async () => {
    expect(parseLines(await run(["fields", "--help", "--json"]))).toEqual([
      { help: expect.stringContaining("EXAMPLES") },
    ]);
  });

  test("--version prints the package's", async () => {
    const { version } = JSON.parse(await readFile(new URL("../../package.json", import.meta.url), "utf8"));
    expect((await runProcess(["--version"])).stdout).toBe(`${version}\n`);
  });
});
