import { readFile } from "node:fs/promises";
import { runCommand } from "citty";
import { InputError } from "../index.ts";
import type { EndStatus } from "./exit-codes.ts";
import { helpOf, helpOfAll } from "./help.ts";
import { nearestWord } from "./nearest-word.ts";
import { allCommands, commands, isCommand } from "./program.ts";
import { checkArguments } from "./settings/arguments.ts";
import { outputOf } from "./settings/settings.ts";
import { Interruption } from "./terminal/interruption.ts";
import { type Output, paint } from "./terminal/output.ts";

/** What the program is run with. */
export interface Surroundings {
  readonly environment: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  /** Called where the person interrupts a prompt, which sends no signal. */
  readonly interrupt: () => void;
}

/** Runs the program with the words of its command line, and tells how it ended. It never throws. */
export async function run(
  words: readonly string[],
  { environment, signal, interrupt }: Surroundings,
): Promise<EndStatus> {
  const output = outputOf({ json: words.includes("--json"), ...localeOf(words) }, environment);
  try {
    const [name, ...rest] = words;
    if (name === undefined || name === "--help" || name === "-h" || name === "help")
      return await showHelp(rest[0], output);
    if (name === "--version" || name === "-v") return await showVersion(output);
    // What stands there may be a secret, so it is not repeated.
    if (!isCommand(name)) {
      const nearest = nearestWord(name, Object.keys(commands));
      const detail = `is not known; ${nearest === undefined ? "" : `did you mean ${nearest}? `}see --help`;
      throw new InputError("invalid_input", { field: "COMMAND", detail });
    }
    if (rest.includes("--help") || rest.includes("-h")) return await showHelp(name, output);
    const { definition, options } = await commands[name]();
    checkArguments(rest, options);
    checkPlaces(rest, options);
    const { result } = await runCommand(definition, { rawArgs: rest, data: { environment, signal, allCommands } });
    return result as EndStatus;
  } catch (error) {
    if (!(error instanceof Interruption)) return output.thrown(error);
    interrupt();
    return output.outcome("cancelled");
  }
}

/** citty's own errors repeat what was typed. */
function checkPlaces(words: readonly string[], options: Parameters<typeof checkArguments>[1]): void {
  const needed = Object.entries(options).find(([, { type, required }]) => type === "positional" && required);
  if (!needed) return;
  const values = new Set(
    Object.entries(options)
      .filter(([, { type }]) => type === "string")
      .map(([name]) => `--${name}`),
  );
  const isGiven = words.some(
    (word, index) => (!word.startsWith("-") || word === "-") && !values.has(words[index - 1] ?? ""),
  );
  if (!isGiven) throw new InputError("missing_field", { field: needed[0].toUpperCase() });
}

async function showHelp(name: string | undefined, output: Output): Promise<EndStatus> {
  const text = isCommand(name) ? helpOf(name, await commands[name]()) : await helpOfAll();
  const lines = text.split("\n").map((line) => {
    const [heading = ""] = /^(USAGE|OPTIONS|ARGUMENTS|EXAMPLES|COMMANDS)/.exec(line) ?? [];
    return [paint("bold", heading), line.slice(heading.length)];
  });
  output.result({ help: text }, ...lines);
  return "success";
}

async function showVersion(output: Output): Promise<EndStatus> {
  const { version } = JSON.parse(await readFile(packageFile(), "utf8")) as { version: string };
  output.result({ version }, version);
  return "success";
}

// The command is bundled into `dist/src/cli`.
function packageFile(): URL {
  return new URL("../../../package.json", import.meta.url);
}

function localeOf(words: readonly string[]): { locale?: string } {
  const index = words.findIndex((word) => word === "--locale" || word.startsWith("--locale="));
  const value = words[index]?.split("=")[1] ?? words[index + 1];
  return index >= 0 && value !== undefined ? { locale: value } : {};
}
