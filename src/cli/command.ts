import type { Readable, Writable } from "node:stream";
import type { OptionDefinitions, OptionValues } from "./arguments.ts";
import type { CommandStatus } from "./exit-codes.ts";

/** A stream that may be a terminal. */
export type OutputStream = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** What the program is run with: what a process has. A test gives its own. */
export interface ProgramContext {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly environment: NodeJS.ProcessEnv;
  /** Aborted by Ctrl-C and by the signals that end a program. */
  readonly signal: AbortSignal;
}

/** What a command is run with. */
export interface CommandContext<Options extends OptionDefinitions> {
  readonly values: OptionValues<Options>;
  readonly program: ProgramContext;
  /** What `completion` describes. */
  readonly allCommands: () => Promise<NamedCommands>;
}

/** A command: what it takes, what its help and the completion say of it, and what it does. */
export interface Command<Options extends OptionDefinitions = OptionDefinitions> {
  readonly description: string;
  readonly options: Options;
  /** Lines of a terminal, each with what it does. */
  readonly examples: readonly (readonly [line: string, meaning: string])[];
  run(context: CommandContext<Options>): Promise<CommandStatus>;
}

/** Commands by their names, in the order of the help. */
export type NamedCommands = readonly (readonly [name: string, command: Command])[];

/** Gives a command's `run` the types of its options. */
export function defineCommand<const Options extends OptionDefinitions>(command: Command<Options>): Command<Options> {
  return command;
}
