import { BankError } from "../../index.ts";
import { UsageFault } from "./usage-fault.ts";

/** An option of a command, or a positional argument. The parser, the help, the completion and `docs/cli.md` read it. */
export interface OptionDefinition {
  readonly type: "string" | "boolean" | "positional";
  readonly description: string;
  /** The name of the value in the help; a shell completes `file`. */
  readonly valueHint?: string;
  readonly choices?: readonly string[];
  readonly default?: string;
  /** Whether it can be given several times: its value is a list. */
  readonly multiple?: boolean;
  readonly required?: boolean;
  /** The heading that the help has it under. Default `Options`. */
  readonly group?: string;
  /** The environment variable that can replace it. A list is separated by spaces or commas. */
  readonly variable?: string;
}

export type OptionDefinitions = Readonly<Record<string, OptionDefinition>>;

export type OptionValues<Options extends OptionDefinitions> = {
  readonly [Name in keyof Options]: Options[Name] extends { type: "boolean" }
    ? boolean
    : Options[Name] extends { multiple: true }
      ? readonly string[]
      : Options[Name] extends { required: true } | { default: string }
        ? Value<Options[Name]>
        : Value<Options[Name]> | undefined;
};

/** Gives each option a variable: `VENTANILLA_RETURN_TO` for `return-to`. */
export function withVariables<const Options extends OptionDefinitions>(options: Options): Options {
  const named = Object.entries(options).map(([name, definition]) => {
    const variable = `VENTANILLA_${name.toUpperCase().replaceAll("-", "_")}`;
    return [name, { ...definition, variable }];
  });
  return Object.fromEntries(named);
}

export function group<const Options extends OptionDefinitions>(heading: string, options: Options): Options {
  const grouped = Object.entries(options).map(([name, definition]) => [name, { ...definition, group: heading }]);
  return Object.fromEntries(grouped);
}

export const flag = (description: string) => ({ type: "boolean", description }) as const;

export const option = <const More extends Pick<OptionDefinition, "choices" | "default" | "multiple"> = object>(
  valueHint: string,
  description: string,
  more?: More,
) => ({ type: "string", valueHint, description, ...(more as More) }) as const;

type Value<Definition> = Definition extends { choices: readonly (infer Choice)[] } ? Choice : string;

// A longer time overflows the platform's timers.
const MAX_SECONDS = 24 * 24 * 3600;

export function parseNumber(option: string, text: string, { least = 0 }: { least?: number } = {}): number {
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least) return value;
  throw new BankError("invalid_input", { field: option, detail: `must be a number from ${least} on` });
}

/** Parses the count of an option, from 1 on. */
export function parseCount(option: string, text: string): number {
  const count = parseNumber(option, text, { least: 1 });
  if (Number.isSafeInteger(count)) return count;
  throw new BankError("invalid_input", { field: option, detail: "must be a whole number" });
}

/** Parses the seconds of an option. @returns milliseconds. */
export function parseSeconds(option: string, text: string): number {
  const seconds = parseNumber(option, text, { least: 0.001 });
  if (seconds <= MAX_SECONDS) return Math.round(seconds * 1000);
  throw new BankError("invalid_input", { field: option, detail: "must be 24 days at most" });
}

/** The bank of a command: the argument, or the option of the same meaning. */
export function readProvider({
  code,
  provider,
}: {
  readonly code: string | undefined;
  readonly provider: string | undefined;
}): string | undefined {
  if (code !== undefined && provider !== undefined && code !== provider) {
    throw new UsageFault("CODE and --provider are two different banks: give one of them.", { field: "--provider" });
  }
  return code ?? provider;
}
