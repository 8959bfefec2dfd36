import { readFile } from "node:fs/promises";
import type { BankError } from "../../index.ts";
import type { Command, NamedCommands, ProgramContext } from "./command.ts";
import { type CommandResult, signalCodes, toExitCode } from "./exit-codes.ts";
import { Output, paint } from "./terminal/output.ts";
import { Interruption } from "./terminal/prompts.ts";
import { UsageFault } from "./usage-fault.ts";

/** The commands by their names, each loaded when it is run. */
export const commands = {
  login: async () => (await import("./commands/login-command.ts")).login,
  providers: async () => (await import("./commands/providers-command.ts")).providers,
  fields: async () => (await import("./commands/fields-command.ts")).fields,
  destinations: async () => (await import("./commands/destinations-command.ts")).destinations,
  logout: async () => (await import("./commands/logout-command.ts")).logout,
  batch: async () => (await import("./commands/batch-command.ts")).batch,
  link: async () => (await import("./commands/link-command.ts")).link,
  serve: async () => (await import("./commands/serve-command.ts")).serve,
  mcp: async () => (await import("./commands/mcp-command.ts")).mcp,
  sandbox: async () => (await import("./commands/sandbox-command.ts")).sandbox,
  play: async () => (await import("./commands/play-command.ts")).play,
  view: async () => (await import("./commands/view-command.ts")).view,
  diagram: async () => (await import("./commands/diagram-command.ts")).diagram,
  completion: async () => (await import("./commands/completion-command.ts")).completion,
} satisfies Record<string, () => Promise<Command>>;

export type CommandName = keyof typeof commands;

/** All commands, for the help, the completion and the documentation. */
export async function allCommands(): Promise<NamedCommands> {
  const names = Object.keys(commands) as CommandName[];
  return Promise.all(names.map(async (name) => [name, (await commands[name]()) as Command] as const));
}

/** Runs a command line. It never throws. @returns the exit code. */
export async function run(words: readonly string[], program: ProgramContext): Promise<number> {
  // The output of mcp consists of messages of its protocol.
  const json = words.includes("--json") && words[0] !== "mcp";
  const output = new Output({ json, locale: findLocale(words) }, program);
  try {
    return toExitCode(await runCommand(words, program, output));
  } catch (error) {
    if (!(error instanceof Interruption)) return toExitCode(output.thrown(error));
    output.outcome("cancelled");
    // In a prompt, Ctrl-C is a key and sends no signal.
    return signalCodes.SIGINT;
  }
}

async function runCommand(
  [name, ...rest]: readonly string[],
  program: ProgramContext,
  output: Output,
): Promise<CommandResult> {
  if (name === undefined || ["--help", "-h", "help"].includes(name)) return showHelp(rest[0], output);
  if (name === "--version" || name === "-v") return showVersion(output);
  if (name === "__complete") {
    // The scripts of `completion` call it. The words to complete may contain --json.
    const { complete } = await import("./commands/completion-command.ts");
    const lines = complete(rest, await allCommands());
    new Output({ json: false, locale: undefined }, program).result({}, ...lines);
    return "success";
  }
  // Loaded here: the version is printed without it.
  const { findNearestCommand, parseArguments } = await import("./command-line.ts");
  if (!isCommand(name)) throw createUnknownCommandError(name, findNearestCommand(name, Object.keys(commands)));
  if (rest.includes("--help") || rest.includes("-h")) return showHelp(name, output);
  const command: Command = await commands[name]();
  const values = parseArguments(rest, command.options, program.environment);
  return command.run({ values, program, output });
}

function isCommand(word: string | undefined): word is CommandName {
  return word !== undefined && Object.hasOwn(commands, word);
}

/** The typed word may be a secret, so it is repeated only if it is similar to the name of a command. */
function createUnknownCommandError(typed: string, nearest: string | undefined): BankError {
  const fact =
    nearest === undefined
      ? "There is no such command: see ventanilla --help"
      : `There is no command ${typed}. Did you mean ${nearest}?`;
  return new UsageFault(fact, { field: "COMMAND" });
}

async function showHelp(name: string | undefined, output: Output): Promise<CommandResult> {
  const { formatCommandHelp, formatProgramHelp } = await import("./command-line.ts");
  const text = isCommand(name)
    ? formatCommandHelp(name, await commands[name]())
    : formatProgramHelp(await allCommands());
  const lines = text.split("\n").map((line) => {
    const [heading = ""] = /^(Usage|Options|Arguments|Examples|Commands):/.exec(line) ?? [];
    return [paint("bold", heading), line.slice(heading.length)];
  });
  output.result({ help: text }, ...lines);
  return "success";
}

async function showVersion(output: Output): Promise<CommandResult> {
  // The command is bundled into `dist/src/programs/cli`.
  const file = new URL("../../../../package.json", import.meta.url);
  const { version } = JSON.parse(await readFile(file, "utf8")) as { version: string };
  output.result({ version }, version);
  return "success";
}

/** The value of `--locale`, read first, so that errors of the command line are in that language, too. */
function findLocale(words: readonly string[]): string | undefined {
  const index = words.findLastIndex((word) => word === "--locale" || word.startsWith("--locale="));
  return index < 0 ? undefined : (words[index]?.split("=")[1] ?? words[index + 1]);
}
