import { InputError } from "../../index.ts";
import { commandOf } from "../command.ts";
import { completionOf, type Shell, shells } from "../completion.ts";
import { commonOptions, outputOf, textOf } from "../settings/settings.ts";

export const completion = commandOf({
  name: "completion",
  description: "Print the completion script of a shell",
  options: {
    shell: { type: "positional", description: "bash, zsh or fish", required: true },
    ...commonOptions,
  },
  examples: [
    ["source <(ventanilla completion bash)", "in ~/.bashrc"],
    ["ventanilla completion fish > ~/.config/fish/completions/ventanilla.fish", "for fish"],
  ],
  async run({ given, environment, allCommands }) {
    const output = outputOf(given, environment);
    const shell = textOf(given, "shell") ?? "";
    if (!(shells as readonly string[]).includes(shell)) {
      throw new InputError("invalid_input", { field: "SHELL", detail: `must be ${shells.join(", ")}` });
    }
    const script = completionOf(shell as Shell, await allCommands());
    output.result({ shell, script }, ...script.split("\n"));
    return "success";
  },
});
