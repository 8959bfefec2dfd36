import type { Readable, Writable } from "node:stream";
import type { OptionDefinitions, OptionValues } from "./arguments.ts";
import type { CommandStatus } from "./exit-codes.ts";

/** A stream that may be a terminal. */
export type OutputStream = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** The parts of a process that the program uses. A test passes its own. */
export interface ProgramContext {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly environment: NodeJS.ProcessEnv;
  /** Aborted by Ctrl-C and by the signals that end a program. */
  readonly signal: AbortSignal;
}

/** The input of a command. */
export interface CommandContext<Options extends OptionDefinitions> {
  readonly values: OptionValues<Options>;
  readonly program: ProgramContext;
  /** For `completion`. */
  readonly allCommands: () => Promise<NamedCommands>;
}

/** A command, with its help. */
export interface Command<Options extends OptionDefinitions = OptionDefinitions> {
  readonly description: string;
  readonly options: Options;
  /** Command lines, and what they do. */
  readonly examples: readonly (readonly [line: string, meaning: string])[];
  run(context: CommandContext<Options>): Promise<CommandStatus>;
}

/** Commands by their names, in the order of the help. */
export type NamedCommands = readonly (readonly [name: string, command: Command])[];

/** Infers the types of the options for `run`. */
export function defineCommand<const Options extends OptionDefinitions>(command: Command<Options>): Command<Options> {
  return command;
}
