import { defineCommand, type NamedCommands } from "../command.ts";
import { commonOptions } from "../terminal/output.ts";

// Each script asks the command for completions of the last word. If there are none, the shell offers files.
const scripts = {
  bash: `# bash completion of ventanilla: source <(ventanilla completion bash)
_ventanilla() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("\${line%% *}")
  done < <(ventanilla __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _ventanilla ventanilla`,
  zsh: `#compdef ventanilla
# zsh completion of ventanilla: ventanilla completion zsh > a folder of $fpath/_ventanilla
_ventanilla() {
  local offered="$(ventanilla __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)"
  local -a lines=("\${(@f)offered}")
  lines=("\${(@)lines/ /:}")
  if [ -n "$offered" ]; then
    _describe ventanilla lines
  else
    compset -P '*='
    _files
  fi
}
if [ "$funcstack[1]" = "_ventanilla" ]; then _ventanilla "$@"; else compdef _ventanilla ventanilla; fi`,
  fish: `# fish completion of ventanilla: ventanilla completion fish > ~/.config/fish/completions/ventanilla.fish
function __ventanilla
  set -l words (commandline -opc) (commandline -ct)
  set -l offered (ventanilla __complete $words[2..] 2>/dev/null)
  if test (count $offered) -gt 0
    string replace ' ' \\t -- $offered
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c ventanilla -f -a '(__ventanilla)'`,
} as const;

export const completion = defineCommand({
  description: "Print the completion script of a shell",
  options: {
    shell: { type: "positional", description: "bash, zsh or fish", required: true, choices: ["bash", "zsh", "fish"] },
    ...commonOptions,
  },
  examples: [
    ["source <(ventanilla completion bash)", "in ~/.bashrc"],
    ["ventanilla completion fish > ~/.config/fish/completions/ventanilla.fish", "for fish"],
  ],
  async run({ values: { shell }, output }) {
    const script = scripts[shell];
    output.result({ shell, script }, ...script.split("\n"));
    return "success";
  },
});

type Offer = readonly [word: string, description: string];

/** The completions of the last word, a line for each: a word, a space, its description. None if it may be a file. */
export function complete(typedWords: readonly string[], commands: NamedCommands): string[] {
  // Bash makes the sign of --option=value a separate word.
  const words = typedWords.map((word) => (word === "=" ? "" : word));
  const typed = words.at(-1) ?? "";
  return listOffers(words, commands)
    .filter(([word]) => word.startsWith(typed))
    .map(([word, description]) => `${word} ${description}`);
}

function listOffers(words: readonly string[], commands: NamedCommands): readonly Offer[] {
  const help: Offer = ["--help", "Show the help"];
  if (words.length < 2) {
    const offers = commands.map(([name, { description }]): Offer => [name, description]);
    return [...offers, help, ["--version", "Print the version"]];
  }
  const typed = words.at(-1) ?? "";
  const before = words.findLast((word, index) => index < words.length - 1 && word !== "");
  const [, command] = commands.find(([name]) => name === words[0]) ?? [];
  const entries = Object.entries(command?.options ?? {});
  const listChoices = (option: string, prefix = ""): Offer[] => {
    const [, { choices = [], description = "" } = {}] = entries.find(([name]) => name === option) ?? [];
    return choices.map((choice) => [prefix + choice, description]);
  };
  const [prefix, named = ""] = /^--([^=]+)=/.exec(typed) ?? [];
  if (prefix !== undefined) return listChoices(named, prefix);
  const takesValue = entries.find(([name, { type }]) => `--${name}` === before && type === "string");
  if (takesValue) return listChoices(takesValue[0]);
  const places = entries.filter(([, { type }]) => type === "positional");
  if (!typed.startsWith("-")) return places.flatMap(([name]) => listChoices(name));
  const options = entries.filter((entry) => !places.includes(entry));
  return [...options.map(([name, { description }]): Offer => [`--${name}`, description]), help];
}
