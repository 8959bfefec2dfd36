import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import type { OptionDefinition } from "../../../src/programs/cli/arguments.ts";
import { formatCommandHelp, formatProgramHelp } from "../../../src/programs/cli/command-line.ts";
import { complete } from "../../../src/programs/cli/commands/completion-command.ts";
import {
  commandResults,
  type ExitClass,
  exitCodes,
  signalCodes,
  toExitCode,
} from "../../../src/programs/cli/exit-codes.ts";
import { allCommands } from "../../../src/programs/cli/run.ts";
import { serveOptions } from "../../../src/programs/cli/serve/serve-settings.ts";
import { installProgram } from "./installed-program.ts";
import { parseLines, run, runProcess } from "./program.ts";

const all = await allCommands();
const root = new URL("../../../", import.meta.url);

// By hand: what a class of statuses means for a script.
const meanings: Readonly<Record<ExitClass, string>> = {
  done: "The command did what it was asked.",
  report: "The API key, the set-up, the service or the program is at fault.",
  usage: "The command, a file or a value of it is to be corrected.",
  correct: "The bank needs other credentials.",
  retry: "This try is over; a new one may succeed.",
  wait: "The same may succeed later. The bank may have received it: do not repeat it at once.",
  elsewhere: "Close the open sessions, contact the bank or choose another one.",
  person: "A person has to go on: the login waits for an answer or a client.",
  incomplete: "Not every login of the batch is `logged_in`; the results say which.",
  unwritten:
    "A batch could not write to a file, such as on a full disk, and began no more logins. The same may succeed later.",
};

const signals: Readonly<Record<keyof typeof signalCodes, string>> = {
  SIGHUP: "The terminal was closed.",
  SIGINT: "Ctrl-C; the request that ran was aborted.",
  SIGPIPE: "The reader of the output closed its end.",
  SIGTERM: "Something else ended the command; the request that ran was aborted.",
};

// What a code means is in docs/errors.md.
const listOfCodes = [
  "| exit code | meaning | `state`, or `code` of a failure |",
  "|---|---|---|",
  ...Object.entries(exitCodes).map(([name, code]) => {
    const statuses = commandResults.filter((status) => toExitCode(status) === code).map((status) => `\`${status}\``);
    return `| ${code} | ${meanings[name as ExitClass]} | ${statuses.join(", ")} |`;
  }),
  ...Object.entries(signalCodes).map(
    ([name, code]) => `| ${code} | ${signals[name as keyof typeof signals]} | ${name} |`,
  ),
];

test("docs/cli.md has an up-to-date list of the exit codes", async () => {
  const page = await readFile(new URL("docs/cli.md", root), "utf8");
  const place = /(<!-- exit codes: [^>]*-->\n)[\s\S]*?(<!-- end -->)/;
  const fresh = page.replace(place, (_, begin: string, end: string) => [begin, ...listOfCodes, "", end].join("\n"));
  await expect(fresh).toMatchFileSnapshot("../../../docs/cli.md");
});

/** Read elsewhere: one that can hold a password, and the language. */
const findVariable = ({ variable, description }: OptionDefinition) =>
  variable ?? /\((VENTANILLA_\w+)[;,)]/.exec(description)?.[1];

/** The options that docs/cli.md describes for all commands. */
const common = [
  ...["base-url", "allow-http", "api-key-from", "session-key-in", "timeout", "verbose"],
  ...["seal-key-from", "refusals", "json", "locale"],
];

test("each setting but --json has the variable that docs/production.md derives from its option", () => {
  for (const [name, definition] of Object.entries<OptionDefinition>(serveOptions)) {
    const variable = `VENTANILLA_${name.toUpperCase().replaceAll("-", "_")}`;
    expect(findVariable(definition)).toBe(name === "json" ? undefined : variable);
  }
});

test("the options that serve has in common with all commands are in docs/cli.md and docs/production.md", async () => {
  const [cli, production] = await Promise.all(
    ["cli", "production"].map((name) => readFile(new URL(`docs/${name}.md`, root), "utf8")),
  );
  for (const name of common) for (const page of [cli, production]) expect(page).toContain(`--${name}`);
});

test("docs/production.md names each option of serve, and no other", async () => {
  const page = await readFile(new URL("docs/production.md", root), "utf8");
  const named = [...page.matchAll(/`--([\w-]+)/g)].map(([, name]) => name);
  expect(new Set(named)).toEqual(new Set(Object.keys(serveOptions)));
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

  test("has the options under headings, none with more than a dozen", () => {
    for (const [name, command] of all) {
      const sections = formatCommandHelp(name, command).split(/\n\n(?=[A-Z])/);
      for (const section of sections) expect(section.match(/^ {2}--/gm)?.length ?? 0, name).toBeLessThan(13);
    }
    const headings = all.flatMap(([name, command]) =>
      name === "login" ? (formatCommandHelp(name, command).match(/^[A-Z].*(?=:$)/gm) ?? []) : [],
    );
    expect(headings).toEqual([
      "Arguments",
      "Options",
      "What the bank asks",
      "Refused forms",
      "The session key",
      "Paused logins",
      "Watching",
      "The service",
      "Output",
      "Examples",
    ]);
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
      ["--provider", "--password-stdin", "--print-key", "--pause-to"],
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
