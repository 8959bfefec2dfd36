import { stripVTControlCharacters } from "node:util";
import { renderUsage } from "citty";
import type { Command } from "./command.ts";
import { allCommands } from "./program.ts";

const documentation = "docs/cli.md has a guide and every exit code.";

/** The help of one command, without colours. */
export async function helpOf(command: Command): Promise<string> {
  const usage = stripVTControlCharacters(await renderUsage(command.definition, { meta: { name: "ventanilla" } }));
  return `${usage.trim().replaceAll(/ +$/gm, "")}\n\n${examplesOf(command.examples)}`;
}

/** The help of the program, without colours. */
export async function helpOfAll(): Promise<string> {
  const all = await allCommands();
  const width = Math.max(...all.map(([name]) => name.length));
  return [
    "Logs in to banks, from a terminal and from scripts.",
    "",
    "USAGE ventanilla COMMAND [OPTIONS]",
    "",
    "COMMANDS",
    "",
    ...all.map(([name, { description }]) => `  ${name.padEnd(width)}  ${description}`),
    "",
    examplesOf([
      ["ventanilla login", "a login on the embedded sandbox: choose a bank, docs/sandbox.md has the accounts"],
      ["ventanilla COMMAND --help", "the options of a command, and more examples"],
    ]),
    "",
    documentation,
  ].join("\n");
}

function examplesOf(examples: Command["examples"]): string {
  return ["EXAMPLES", "", ...examples.flatMap(([line, meaning]) => [`  ${line}`, `      ${meaning}`])].join("\n");
}
