import { InputError } from "../../index.ts";
import { defineCommand } from "../command.ts";
import { commonOptions, createOutput } from "../settings/output-settings.ts";
import { createCompletion, type Shell, shells } from "../shell-completion.ts";

export const completion = defineCommand({
  description: "Print the completion script of a shell",
  options: {
    shell: { type: "positional", description: "bash, zsh or fish", required: true },
    ...commonOptions,
  },
  examples: [
    ["source <(ventanilla completion bash)", "in ~/.bashrc"],
    ["ventanilla completion fish > ~/.config/fish/completions/ventanilla.fish", "for fish"],
  ],
  async run({ values, environment, allCommands }) {
    const { shell } = values;
    if (!(shells as readonly string[]).includes(shell)) {
      throw new InputError("invalid_input", { field: "SHELL", detail: `must be ${shells.join(", ")}` });
    }
    const script = createCompletion(shell as Shell, await allCommands());
    createOutput(values, environment).result({ shell, script }, ...script.split("\n"));
    return "success";
  },
});
