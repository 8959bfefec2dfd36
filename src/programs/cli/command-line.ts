import { CommanderError, Option, Command as Parser } from "commander";
import { BankError } from "../../index.ts";
import type { OptionDefinition, OptionDefinitions, OptionValues } from "./arguments.ts";
import type { Command, NamedCommands } from "./command.ts";
import { UsageFault } from "./usage-fault.ts";

// The width of a new terminal window.
const WIDTH = 80;

// Options that users may try and that don't exist on purpose.
const secretNames =
  /^(user(name)?|pass(word|wd|phrase)?|pwd|pin|otp|totp|token|code|answer|answers|personal-?question|secrets?|credentials?|(api|session|seal)?-?key|field|fields|document-?number|company-?code)$/i;

/**
 * Reads the options and arguments of a command line. A word that may be a secret is refused with the reason.
 *
 * @param environment the variables that can replace options.
 */
export function parseArguments<const Options extends OptionDefinitions>(
  words: readonly string[],
  definitions: Options,
  environment: NodeJS.ProcessEnv = {},
): OptionValues<Options> {
  const parser = createParser("", definitions);
  const variables = readVariables(definitions, environment);
  const { env } = process;
  try {
    // Commander reads the process's variables. A test gives its own.
    process.env = variables;
    parser.parse(words, { from: "user" });
  } catch (error) {
    throw error instanceof CommanderError ? toInputError(error, words, definitions) : error;
  } finally {
    process.env = env;
  }
  const values = { ...parser.opts() };
  parser.registeredArguments.forEach((argument, index) => {
    values[argument.name()] = parser.processedArgs[index];
  });
  const named = Object.entries(definitions).map(([name, { type, multiple }]) => {
    const value = values[new Option(`--${name}`).attributeName()];
    return [name, value ?? (type === "boolean" ? false : multiple ? [] : undefined)];
  });
  return Object.fromEntries(named);
}

/** The variables of options that are set. An empty one counts as unset, and commander would take each value of a flag's variable as true. */
function readVariables(definitions: OptionDefinitions, environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const variables = Object.values(definitions).flatMap(({ type, variable = "" }) => {
    const text = environment[variable];
    const isSet = type === "boolean" ? readFlag(variable, text) : Boolean(text);
    return isSet ? [[variable, text]] : [];
  });
  return Object.fromEntries(variables);
}

const flags: Readonly<Record<string, boolean>> = {
  "": false,
  true: true,
  "1": true,
  yes: true,
  false: false,
  "0": false,
  no: false,
};

function readFlag(field: string, text = ""): boolean {
  const isSet = flags[text.toLowerCase()];
  if (isSet !== undefined) return isSet;
  throw new BankError("invalid_input", { field, detail: "must be true or false" });
}

/** The known command that is nearest to a mistyped word. */
export function findNearestCommand(typed: string, known: readonly string[]): string | undefined {
  const program = createQuietParser("ventanilla");
  for (const name of known) program.command(name);
  try {
    program.parse([typed], { from: "user" });
  } catch (error) {
    return findSuggestion(error);
  }
  return undefined;
}

export function formatCommandHelp(name: string, { description, options, examples }: Command): string {
  return formatHelp(createParser(`ventanilla ${name}`, options).description(description), examples);
}

export function formatProgramHelp(commands: NamedCommands): string {
  const program = createQuietParser("ventanilla")
    .description("Logs in to banks, from a terminal and from scripts.")
    .usage("COMMAND [options]")
    .option("--version", "Print the version")
    .configureHelp({ helpWidth: WIDTH, subcommandTerm: (command) => command.name() });
  for (const [name, { description }] of commands) program.command(name).description(description);
  const help = formatHelp(program, [
    ["ventanilla login", "a login on the embedded sandbox, which offers its accounts"],
    ["ventanilla COMMAND --help", "the options of a command, and more examples"],
  ]);
  return `${help}\n\ndocs/cli.md has a guide and every exit code.`;
}

/** A parser that prints nothing: commander's errors repeat what was typed, which may be a secret. */
function createQuietParser(name: string): Parser {
  return new Parser(name)
    .exitOverride()
    .configureOutput({ writeOut: () => {}, writeErr: () => {} })
    .configureHelp({ helpWidth: WIDTH })
    .helpOption("--help", "Show this help")
    .helpCommand(false);
}

function createParser(name: string, definitions: OptionDefinitions): Parser {
  const parser = createQuietParser(name);
  for (const [name, definition] of Object.entries(definitions)) {
    const { type, description, valueHint = "value", required, default: value, variable, group } = definition;
    const read = (text: string, before?: unknown) => readValue(name, definition, text, before);
    if (type === "positional") {
      parser.argument(required ? `<${name}>` : `[${name}]`, description, read, value);
      continue;
    }
    const option =
      type === "boolean"
        ? new Option(`--${name}`, description)
        : new Option(`--${name} <${valueHint}>`, description).default(value).argParser(read);
    if (group) option.helpGroup(`${group}:`);
    // The description in the help names the variable.
    parser.addOption(variable === undefined ? option : option.env(variable));
  }
  return parser;
}

function readValue(
  name: string,
  { type, choices, multiple }: OptionDefinition,
  text: string,
  before: unknown,
): string | readonly string[] {
  const isOption = type === "string";
  const field = isOption ? `--${name}` : name.toUpperCase();
  if (isOption && (text === "" || text.startsWith("--"))) {
    throw new UsageFault(`${field} needs a value.`, { field });
  }
  // The content of a credentials file, or a key, in place of a file name.
  if (isOption && /^\s*[{[]/.test(text) && name !== "answer-command") {
    throw new BankError("secret_in_argument", { field });
  }
  if (choices && !choices.includes(text)) {
    const listed = new Intl.ListFormat("en-GB", { type: "disjunction" }).format(choices);
    throw new BankError("invalid_input", { field, detail: `must be ${listed}` });
  }
  return multiple ? [...(Array.isArray(before) ? before : []), ...text.split(/[\s,]+/).filter(Boolean)] : text;
}

function toInputError(error: CommanderError, words: readonly string[], definitions: OptionDefinitions): BankError {
  switch (error.code) {
    case "commander.missingArgument": {
      const [name = ""] = Object.entries(definitions).find(([, { required }]) => required) ?? [];
      return new BankError("missing_field", { field: name.toUpperCase() });
    }
    case "commander.optionMissingArgument":
      // The option exists and is the last word, so its value is missing.
      return new UsageFault(`${words.at(-1)} needs a value.`, { field: words.at(-1) });
    case "commander.excessArguments": {
      // An unexpected argument of a command that reads secrets is most likely a secret.
      const field = "arguments";
      if (takesSecrets(definitions)) {
        return new BankError("secret_in_argument", { field, detail: "more words than this command takes" });
      }
      return new UsageFault("There are more words than this command takes: see --help.", { field });
    }
    default:
      return createUnknownOptionError(error, definitions);
  }
}

function createUnknownOptionError(error: CommanderError, definitions: OptionDefinitions): BankError {
  const [, word = ""] = /'(.*)'/s.exec(error.message) ?? [];
  const [, name = ""] = /^--?([^=]*)/.exec(word) ?? [];
  const plain = name.replace(/^no-/, "").replaceAll("_", "-");
  // The value of a flag is most likely a secret, too: --password-stdin=….
  const isFlag = Object.hasOwn(definitions, name) && definitions[name]?.type === "boolean";
  if (secretNames.test(plain) || isFlag) return new BankError("secret_in_argument", { field: `--${plain}` });
  const isShort = !word.startsWith("--");
  // -pSECRET or -p SECRET, as other programs accept it.
  if (isShort && /^[pu]/i.test(name) && takesSecrets(definitions))
    return new BankError("secret_in_argument", { field: word.slice(0, 2) });
  const field = /^[a-z-]{1,24}$/.test(name) && !isShort ? `--${name}` : word.slice(0, 2);
  const nearest = findSuggestion(error);
  const help = nearest === undefined ? "See --help." : `Did you mean ${nearest}?`;
  return new UsageFault(`There is no option ${field}. ${help}`, { field });
}

/** The name that commander suggests for a mistyped word. */
function findSuggestion(error: unknown): string | undefined {
  return error instanceof CommanderError ? /\(Did you mean ([\w-]+)\?\)$/.exec(error.message)?.[1] : undefined;
}

function takesSecrets(definitions: OptionDefinitions): boolean {
  return ["password-stdin", "key-from", "answer-command"].some((name) => Object.hasOwn(definitions, name));
}

/** The help, followed by the examples with their meanings. */
function formatHelp(parser: Parser, examples: Command["examples"]): string {
  const help = parser.createHelp();
  const indent = (text: string, by: string) => text.replaceAll(/^/gm, by);
  const shown = examples.map(([line, meaning]) => [
    indent(line, "  "),
    indent(help.boxWrap(meaning, WIDTH - 6), "      "),
  ]);
  return [parser.helpInformation().trimEnd(), "", "Examples:", ...shown.flat()].join("\n");
}
