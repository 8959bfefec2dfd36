import type { OptionDefinition, OptionDefinitions } from "./arguments.ts";
import type { Command, NamedCommands } from "./command.ts";

// The width of a new terminal window.
const WIDTH = 80;
const help: Row = ["--help", "Show this help"];

type Row = readonly [name: string, meaning: string];

/** The help of one command, without colours. */
export function formatCommandHelp(name: string, { description, options, examples }: Command): string {
  const entries = Object.entries(options);
  const places = entries.filter(([, { type }]) => type === "positional");
  const usage = places.map(([place, { required }]) => (required ? `<${upper(place)}>` : `[${upper(place)}]`));
  const placeRows = places.map(([place, { description }]) => [upper(place), description] as const);
  return [
    `${description} (ventanilla ${name})`,
    "",
    ["USAGE ventanilla", name, "[OPTIONS]", ...usage].join(" "),
    "",
    ...(places.length > 0 ? ["ARGUMENTS", "", ...formatTable(placeRows), ""] : []),
    "OPTIONS",
    "",
    ...formatOptions(options),
    "",
    ...formatExamples(examples),
  ].join("\n");
}

/** The help of the program, without colours. */
export function formatProgramHelp(commands: NamedCommands): string {
  return [
    "Logs in to banks, from a terminal and from scripts.",
    "",
    "USAGE ventanilla COMMAND [OPTIONS]",
    "",
    "COMMANDS",
    "",
    ...formatTable(commands.map(([name, { description }]) => [name, description])),
    "",
    "OPTIONS",
    "",
    ...formatTable([["--version", "Print the version"], help]),
    "",
    ...formatExamples([
      ["ventanilla login", "a login on the embedded sandbox, which offers its accounts"],
      ["ventanilla COMMAND --help", "the options of a command, and more examples"],
    ]),
    "",
    "docs/cli.md has a guide and every exit code.",
  ].join("\n");
}

/** The options and their descriptions, as lines. */
function formatOptions(options: OptionDefinitions): string[] {
  const named = Object.entries(options).filter(([, { type }]) => type !== "positional");
  return formatTable([...named.map(([name, definition]) => toRow(name, definition)), help]);
}

const upper = (place: string) => place.toUpperCase();

function toRow(option: string, { type, description, valueHint = "value", default: value }: OptionDefinition): Row {
  const name = type === "boolean" ? `--${option}` : `--${option}=<${valueHint}>`;
  return [name, value === undefined ? description : `${description} (default ${value})`];
}

/** Names in a first column and their meanings, wrapped, in a second. */
function formatTable(rows: readonly Row[]): string[] {
  const column = Math.max(...rows.map(([name]) => name.length)) + 4;
  return rows.flatMap(([name, meaning]) => {
    const [first, ...rest] = wrap(meaning, WIDTH - column);
    return [`  ${name}`.padEnd(column) + first, ...rest.map((line) => " ".repeat(column) + line)];
  });
}

/** The lines of each example, with its meaning below. */
function formatExamples(examples: Command["examples"]): string[] {
  const lines = examples.flatMap(([line, meaning]) => [
    ...line.split("\n").map((part) => `  ${part}`),
    ...wrap(meaning, WIDTH - 6).map((part) => `      ${part}`),
  ]);
  return ["EXAMPLES", "", ...lines];
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
