import { type Command, defineCommand, type NamedCommands } from "../command.ts";
import { commonOptions } from "../terminal/output.ts";

const shells = ["bash", "zsh", "fish"] as const;

export const completion = defineCommand({
  description: "Print the completion script of a shell",
  options: {
    shell: { type: "positional", description: "bash, zsh or fish", required: true, choices: shells },
    ...commonOptions,
  },
  examples: [
    ["source <(ventanilla completion bash)", "in ~/.bashrc"],
    ["ventanilla completion fish > ~/.config/fish/completions/ventanilla.fish", "for fish"],
  ],
  async run({ values, output, allCommands }) {
    const { shell } = values;
    const script = createCompletion(shell, await allCommands());
    output.result({ shell, script }, ...script.split("\n"));
    return "success";
  },
});

/** The completion script of a shell, made from the commands' own definitions. */
export function createCompletion(shell: (typeof shells)[number], commands: NamedCommands): string {
  const rows = commands.map(([name, command]) => toRow(name, command));
  return { bash, zsh, fish }[shell](rows);
}

type Row = ReturnType<typeof toRow>;

/** What a shell completes of one command. */
function toRow(name: string, { options, description }: Command) {
  const entries = Object.entries(options);
  const places = entries.filter(([, { type }]) => type === "positional");
  const named = entries
    .filter(([, { type }]) => type !== "positional")
    .map(([option, { type, valueHint, description, choices = [] }]) => {
      const takes = type === "boolean" ? "nothing" : valueHint === "file" ? "file" : "value";
      return { name: `--${option}`, description, takes, choices } as const;
    });
  const help = { name: "--help", description: "Show the help", takes: "nothing", choices: [] } as const;
  return {
    name,
    description,
    options: [...named, help],
    /** Its argument, and what that may be. */
    place: places[0]?.[0],
    words: places.flatMap(([, { choices = [] }]) => choices),
    takesFile: places[0]?.[0] === "file",
  };
}

function bash(rows: readonly Row[]): string {
  return [
    "# bash completion of ventanilla: source <(ventanilla completion bash)",
    "_ventanilla() {",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: bash's own.
    '  local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" options="" words="" files=""',
    "  COMPREPLY=()",
    // In --option=value the sign is a word of its own.
    // biome-ignore lint/suspicious/noTemplateCurlyInString: bash's own.
    '  if [ "$before" = = ]; then before="${COMP_WORDS[COMP_CWORD-2]}"; elif [ "$word" = = ]; then word=""; fi',
    '  if [ "$COMP_CWORD" -eq 1 ]; then',
    `    COMPREPLY=($(compgen -W "${rows.map(({ name }) => name).join(" ")} --help --version" -- "$word"))`,
    "    return",
    "  fi",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: bash's own.
    '  case "${COMP_WORDS[1]}" in',
    ...rows.flatMap(({ name, options, words, takesFile }) => [
      `    ${name})`,
      `      options="${options.map((option) => option.name).join(" ")}"`,
      `      words="${words.join(" ")}"`,
      ...options
        .filter(({ choices }) => choices.length > 0)
        .map(({ name, choices }) => `      [ "$before" = ${name} ] && words="${choices.join(" ")}"`),
      `      files="${[...options.filter(({ takes }) => takes === "file").map((option) => option.name), ...(takesFile ? ["FILE"] : [])].join(" ")}"`,
      "      ;;",
    ]),
    "  esac",
    '  if [[ "$before" == --* && " $files " == *" $before "* || "$word" != -* && " $files " == *" FILE "* ]]; then',
    // Line by line, because a name may hold what separates or matches words; bash 3.2 of macOS has no mapfile.
    "    local file",
    '    while IFS= read -r file; do COMPREPLY+=("$file"); done < <(compgen -f -- "$word")',
    '  elif [[ "$word" == -* ]]; then',
    '    COMPREPLY=($(compgen -W "$options" -- "$word"))',
    "  else",
    '    COMPREPLY=($(compgen -W "$words" -- "$word"))',
    "  fi",
    "}",
    "complete -o filenames -F _ventanilla ventanilla",
  ].join("\n");
}

function zsh(rows: readonly Row[]): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const list = (words: readonly string[]) => (words.length > 0 ? `(${words.join(" ")})` : "");
  const spec = ({ name, description, takes, choices }: Row["options"][number]) => {
    const value = { nothing: "", file: ":file:_files", value: `:value:${list(choices)}` }[takes];
    return quoted(`${name}${value && "="}[${description.replaceAll(/[[\]:]/g, " ")}]${value}`);
  };
  return [
    "#compdef ventanilla",
    "# zsh completion of ventanilla: ventanilla completion zsh > a folder of $fpath/_ventanilla",
    "_ventanilla() {",
    "  local -a commands",
    "  commands=(",
    ...rows.map(({ name, description }) => `    ${quoted(`${name}:${description.replaceAll(":", " ")}`)}`),
    "  )",
    "  if (( CURRENT == 2 )); then",
    "    _describe command commands",
    "    return",
    "  fi",
    '  local command="$words[2]"',
    "  shift words",
    "  (( CURRENT -= 1 ))",
    '  case "$command" in',
    ...rows.flatMap(({ name, options, place, words, takesFile }) => [
      `    ${name})`,
      `      _arguments ${[
        ...options.map(spec),
        ...(place === undefined ? [] : [quoted(`1:${place}:${takesFile ? "_files" : list(words)}`)]),
      ].join(" \\\n        ")}`,
      "      ;;",
    ]),
    "  esac",
    "}",
    'if [ "$funcstack[1]" = "_ventanilla" ]; then _ventanilla "$@"; else compdef _ventanilla ventanilla; fi',
  ].join("\n");
}

function fish(rows: readonly Row[]): string {
  const quoted = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
  return [
    "# fish completion of ventanilla: ventanilla completion fish > ~/.config/fish/completions/ventanilla.fish",
    "complete -c ventanilla -f",
    ...rows.flatMap(({ name, description, options, words, takesFile }) => {
      const condition = `-n ${quoted(`__fish_seen_subcommand_from ${name}`)}`;
      return [
        `complete -c ventanilla -n __fish_use_subcommand -a ${name} -d ${quoted(description)}`,
        ...options.map(({ name: option, description: meaning, takes, choices }) => {
          const values = choices.length > 0 ? ` -a ${quoted(choices.join(" "))}` : "";
          const value = { nothing: "", file: " -r -F", value: ` -x${values}` }[takes];
          return `complete -c ventanilla ${condition} -l ${option.slice(2)}${value} -d ${quoted(meaning)}`;
        }),
        ...(words.length > 0 ? [`complete -c ventanilla ${condition} -a ${quoted(words.join(" "))}`] : []),
        ...(takesFile ? [`complete -c ventanilla ${condition} -F`] : []),
      ];
    }),
  ].join("\n");
}
