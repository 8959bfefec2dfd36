import { BankError } from "../../../index.ts";
import type { OptionDefinition, OptionDefinitions, OptionValues, SettingsSection } from "../arguments.ts";
import type { ProgramContext } from "../command.ts";
import { type Fallback, parseArguments } from "../command-line.ts";
import { findConfig, readConfig } from "./config-file.ts";

/** A setting, by its three names. The documentation's table is made of them. */
export interface Setting {
  readonly option: string;
  /** `undefined` for what only a command line says. */
  readonly variable: string | undefined;
  /** Its path in the settings file. */
  readonly member: string | undefined;
}

// Read from these places where they are used, for all commands.
const common: Readonly<Record<string, string>> = {
  "base-url": "baseUrl",
  "session-key-in": "sessionKeyIn",
  locale: "locale",
  timeout: "timeout",
};

/** Their variables can hold a password, so they are read where an argument with one is refused. */
const withPassword = ["store", "refusals"];

// What prints has begun before a file is read, a file does not name another one, and one that others might write runs no code.
const notInFile = ["config", "service"];

const toVariable = (option: string) => `VENTANILLA_${option.toUpperCase().replaceAll("-", "_")}`;
const toMember = (option: string) => option.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The names of a setting: the variable and the member follow from the option. */
export function toSetting(option: string, section: SettingsSection): Setting {
  if (option === "json") return { option, variable: undefined, member: undefined };
  const member = common[option] ?? (notInFile.includes(option) ? undefined : `${section}.${toMember(option)}`);
  return { option, variable: toVariable(option), member };
}

/** Parses a command line whose options can also be given by a variable or, after that, in the settings file. */
export async function parseWithSettings<const Options extends OptionDefinitions>(
  words: readonly string[],
  options: Options,
  section: SettingsSection,
  program: ProgramContext,
): Promise<OptionValues<Options>> {
  const { environment } = program;
  const given: Readonly<Record<string, unknown>> = parseArguments(words, options);
  const path = (given["config"] as string | undefined) ?? (environment["VENTANILLA_CONFIG"] || findConfig(environment));
  // Standard input can be read once.
  const isFile = path !== undefined && path !== "-";
  const members = isFile ? ((await readConfig(path, program))[section] ?? {}) : {};
  const known = Object.keys(options).map((name) => toSetting(name, section).member);
  for (const name of Object.keys(members)) {
    if (known.includes(`${section}.${name}`)) continue;
    throw new BankError("invalid_input", { field: `config.${section}.${name}`, detail: "is not known here" });
  }

  function find(name: string, definition: OptionDefinition): Fallback | undefined {
    const variable = findVariable(name, definition, environment);
    if (variable) return variable;
    const member = toMember(name);
    if (!Object.hasOwn(members, member) || isByVariable(name, environment)) return undefined;
    return { field: `config.${section}.${member}`, value: members[member] };
  }
  return parseArguments(words, options, find);
}

function findVariable(
  name: string,
  { multiple }: OptionDefinition,
  environment: NodeJS.ProcessEnv,
): Fallback | undefined {
  if (Object.hasOwn(common, name) && name !== "timeout") return undefined;
  if (withPassword.includes(name) || name === "json") return undefined;
  // Platforms name the port.
  const variables = [toVariable(name), ...(name === "port" ? ["PORT"] : [])];
  const field = variables.find((variable) => environment[variable]);
  const text = field && environment[field];
  return text ? { field, value: multiple ? text.split(/[\s,]+/).filter((part) => part !== "") : text } : undefined;
}

/** Whether a variable that is read elsewhere comes before the settings file: the key itself, or an address with a password. */
function isByVariable(name: string, environment: NodeJS.ProcessEnv): boolean {
  const variable = toVariable(name.replace(/-from$/, ""));
  return (name.endsWith("-from") || withPassword.includes(name)) && Boolean(environment[variable]);
}
