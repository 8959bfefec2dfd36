import type { ArgDef, ArgsDef } from "citty";
import type { Command } from "./command.ts";
import { allCommands } from "./program.ts";

// A terminal is 80 columns wide until somebody makes it wider.
const WIDTH = 80;
const help: Row = ["--help", "Show this help"];
const documentation = "docs/cli.md has a guide and every exit code.";

/** The help of one command, without colours. */
export function helpOf(name: string, { description, options, examples }: Command): string {
  const entries = Object.entries<ArgDef>(options satisfies ArgsDef);
  const places = entries.filter(([, { type }]) => type === "positional");
  const usage = places.map(([place, { required }]) => (required ? `<${upper(place)}>` : `[${upper(place)}]`));
  const rows = entries
    .filter(([, { type }]) => type !== "positional")
    .map(([option, definition]) => rowOf(option, definition));
  return [
    `${description} (ventanilla ${name})`,
    "",
    ["USAGE ventanilla", name, "[OPTIONS]", ...usage].join(" "),
    "",
    ...(places.length > 0
      ? ["ARGUMENTS", "", ...table(places.map(([place, { description = "" }]) => [upper(place), description])), ""]
      : []),
    "OPTIONS",
    "",
    ...table([...rows, help]),
    "",
    ...examplesOf(examples),
  ].join("\n");
}

/** The help of the program, without colours. */
export async function helpOfAll(): Promise<string> {
  const all = await allCommands();
  return [
    "Logs in to banks, from a terminal and from scripts.",
    "",
    "USAGE ventanilla COMMAND [OPTIONS]",
    "",
    "COMMANDS",
    "",
    ...table(all.map(([name, { description }]) => [name, description])),
    "",
    "OPTIONS",
    "",
    ...table([["--version", "Print the version"], help]),
    "",
    ...examplesOf([
      ["ventanilla login", "a login on the embedded sandbox, which offers its accounts"],
      ["ventanilla COMMAND --help", "the options of a command, and more examples"],
    ]),
    "",
    documentation,
  ].join("\n");
}

const upper = (place: string) => place.toUpperCase();

function rowOf(option: string, { type, description = "", valueHint, default: value }: ArgDef): Row {
  const name = type === "boolean" ? `--${option}` : `--${option}=<${valueHint ?? "value"}>`;
  return [name, value === undefined ? description : `${description} (default ${value})`];
}

type Row = readonly [name: string, meaning: string];

/** Names, and beside each what it means, in lines of their own where one is not enough. */
function table(rows: readonly Row[]): string[] {
  const column = Math.max(...rows.map(([name]) => name.length)) + 4;
  return rows.flatMap(([name, meaning]) => {
    const [first, ...rest] = wrapped(meaning, WIDTH - column);
    return [`  ${name}`.padEnd(column) + first, ...rest.map((line) => " ".repeat(column) + line)];
  });
}

/** An example of several lines ends each but the last with a backslash, as a shell wants it. */
function examplesOf(examples: Command["examples"]): string[] {
  const lines = examples.flatMap(([line, meaning]) => [
    ...line.split("\n").map((part) => `  ${part}`),
    ...wrapped(meaning, WIDTH - 6).map((part) => `      ${part}`),
  ]);
  return ["EXAMPLES", "", ...lines];
}

function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
