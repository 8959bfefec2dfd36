import type { Command, NamedCommands } from "./command.ts";

/** The commands by their names, each loaded when it is run. */
export const commands = {
  login: async () => (await import("./commands/login-command.ts")).login,
  providers: async () => (await import("./commands/providers-command.ts")).providers,
  fields: async () => (await import("./commands/fields-command.ts")).fields,
  destinations: async () => (await import("./commands/destinations-command.ts")).destinations,
  logout: async () => (await import("./commands/logout-command.ts")).logout,
  batch: async () => (await import("./commands/batch-command.ts")).batch,
  sandbox: async () => (await import("./commands/sandbox-command.ts")).sandbox,
  play: async () => (await import("./commands/play-command.ts")).play,
  view: async () => (await import("./commands/view-command.ts")).view,
  diagram: async () => (await import("./commands/diagram-command.ts")).diagram,
  completion: async () => (await import("./commands/completion-command.ts")).completion,
} satisfies Record<string, () => Promise<Command>>;

export type CommandName = keyof typeof commands;

export function isCommand(word: string | undefined): word is CommandName {
  return word !== undefined && Object.hasOwn(commands, word);
}

/** All commands, for what describes them: the help, the completion, the documentation. */
export async function allCommands(): Promise<NamedCommands> {
  const names = Object.keys(commands) as CommandName[];
  return Promise.all(names.map(async (name) => [name, (await commands[name]()) as Command] as const));
}
