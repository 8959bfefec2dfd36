import type { Readable } from "node:stream";
import type { OptionDefinitions, OptionValues } from "./arguments.ts";
import type { CommandResult } from "./exit-codes.ts";
import type { Output, OutputContext } from "./terminal/output.ts";

/** The parts of a process that the program uses. A test passes its own. */
export interface ProgramContext extends OutputContext {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  /** Aborted by Ctrl-C and by the signals that end a program. */
  readonly signal: AbortSignal;
  /** For a command that finishes what it has begun: the first signal aborts the returned signal, and only the second one aborts `signal`. */
  readonly beginDraining: () => AbortSignal;
  /** Reports that a command ends because of a signal, with its own exit code. */
  readonly endBySignal: () => void;
  /** Passes on what Node would write to standard error as prose, such as a deprecation. */
  readonly takeWarnings: (take: (text: string) => void) => void;
}

export interface CommandContext<Options extends OptionDefinitions> {
  readonly values: OptionValues<Options>;
  readonly program: ProgramContext;
  readonly output: Output;
}

export interface Command<Options extends OptionDefinitions = OptionDefinitions> {
  readonly description: string;
  readonly options: Options;
  /** Command lines, and what they do. */
  readonly examples: readonly (readonly [line: string, meaning: string])[];
  run(context: CommandContext<Options>): Promise<CommandResult>;
}

/** Commands by their names, in the order of the help. */
export type NamedCommands = readonly (readonly [name: string, command: Command])[];

/** Infers the types of `run`'s options. */
export function defineCommand<const Options extends OptionDefinitions>(command: Command<Options>): Command<Options> {
  return command;
}
