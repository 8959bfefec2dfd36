import { type ArgsDef, type CommandDef, defineCommand } from "citty";
import type { EndStatus } from "./exit-codes.ts";
import type { Given } from "./settings/settings.ts";

/** What a command is run with. */
export interface CommandContext {
  readonly given: Given;
  readonly environment: NodeJS.ProcessEnv;
  /** Aborted by Ctrl-C and by the signals that end a program. */
  readonly signal: AbortSignal;
  /** What `completion` describes. */
  readonly allCommands: () => Promise<NamedCommands>;
}

/** A command: what citty parses and describes, with examples for its help, and how it ends. */
export interface Command {
  readonly definition: CommandDef<ArgsDef>;
  readonly options: ArgsDef;
  readonly description: string;
  /** Lines of a terminal, each with what it does. */
  readonly examples: readonly (readonly [line: string, meaning: string])[];
}

/** Commands by their names, in the order of the help. */
export type NamedCommands = readonly (readonly [name: string, command: Command])[];

export function commandOf({
  name,
  description,
  options,
  examples,
  run,
}: {
  name: string;
  description: string;
  options: ArgsDef;
  examples: Command["examples"];
  run: (context: CommandContext) => Promise<EndStatus>;
}): Command {
  const definition = defineCommand<ArgsDef>({
    meta: { name, description },
    args: options,
    run: ({ args, data }) => run({ ...(data as Omit<CommandContext, "given">), given: args }),
  });
  return { definition, options, description, examples };
}
