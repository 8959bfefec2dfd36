import { readFile } from "node:fs/promises";
import { InputError } from "../index.ts";
import { parseArguments } from "./arguments.ts";
import type { Command } from "./command.ts";
import type { EndStatus } from "./exit-codes.ts";
import { formatCommandHelp, formatProgramHelp } from "./help.ts";
import { nearestWord } from "./nearest-word.ts";
import { allCommands, commands, isCommand } from "./program.ts";
import { createOutput } from "./settings/output-settings.ts";
import { type Output, paint } from "./terminal/output.ts";
import { Interruption } from "./terminal/prompts.ts";

/** What the program is run with. */
export interface Surroundings {
  readonly environment: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  /** Called where the person interrupts a prompt, which sends no signal. */
  readonly interrupt: () => void;
}

/** Runs the program with the words of its command line, and tells how it ended. It never throws. */
export async function runProgram(
  words: readonly string[],
  { environment, signal, interrupt }: Surroundings,
): Promise<EndStatus> {
  const output = createOutput({ json: words.includes("--json"), locale: findLocale(words) }, environment);
  try {
    const [name, ...rest] = words;
    if (name === undefined || ["--help", "-h", "help"].includes(name)) return await showHelp(rest[0], output);
    if (name === "--version" || name === "-v") return await showVersion(output);
    if (!isCommand(name)) throw createUnknownCommandError(name);
    if (rest.includes("--help") || rest.includes("-h")) return await showHelp(name, output);
    const command: Command = await commands[name]();
    return await command.run({ values: parseArguments(rest, command.options), environment, signal, allCommands });
  } catch (error) {
    if (!(error instanceof Interruption)) return output.thrown(error);
    interrupt();
    return output.outcome("cancelled");
  }
}

/** What was typed may be a secret, so it is not repeated. */
function createUnknownCommandError(typed: string): InputError {
  const nearest = nearestWord(typed, Object.keys(commands));
  const detail = `is not known; ${nearest === undefined ? "" : `did you mean ${nearest}? `}see --help`;
  return new InputError("invalid_input", { field: "COMMAND", detail });
}

async function showHelp(name: string | undefined, output: Output): Promise<EndStatus> {
  const text = isCommand(name)
    ? formatCommandHelp(name, await commands[name]())
    : formatProgramHelp(await allCommands());
  const lines = text.split("\n").map((line) => {
    const [heading = ""] = /^(USAGE|OPTIONS|ARGUMENTS|EXAMPLES|COMMANDS)/.exec(line) ?? [];
    return [paint("bold", heading), line.slice(heading.length)];
  });
  output.result({ help: text }, ...lines);
  return "success";
}

async function showVersion(output: Output): Promise<EndStatus> {
  // The command is bundled into `dist/src/cli`.
  const file = new URL("../../../package.json", import.meta.url);
  const { version } = JSON.parse(await readFile(file, "utf8")) as { version: string };
  output.result({ version }, version);
  return "success";
}

/** The value of `--locale`, before anything else is read: errors of the command line are in the person's language too. */
function findLocale(words: readonly string[]): string | undefined {
  const index = words.findIndex((word) => word === "--locale" || word.startsWith("--locale="));
  return index < 0 ? undefined : (words[index]?.split("=")[1] ?? words[index + 1]);
}
