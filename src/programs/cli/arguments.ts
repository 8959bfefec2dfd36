import { parseArgs } from "node:util";
import { BankError } from "../../index.ts";

/** An option of a command, or a positional argument. The parser, the help, the completion and `docs/cli.md` read it. */
export interface OptionDefinition {
  readonly type: "string" | "boolean" | "positional";
  readonly description: string;
  /** The name of the value in the help; a shell completes `file`. */
  readonly valueHint?: string;
  /** The values that it may have. */
  readonly choices?: readonly string[];
  readonly default?: string;
  /** Whether it can be given several times: its value is a list. */
  readonly multiple?: boolean;
  /** Whether the command needs this argument. */
  readonly required?: boolean;
}

export type OptionDefinitions = Readonly<Record<string, OptionDefinition>>;

/** The values of a command's options, by their names. */
export type OptionValues<Options extends OptionDefinitions> = {
  readonly [Name in keyof Options]: Options[Name] extends { type: "boolean" }
    ? boolean
    : Options[Name] extends { multiple: true }
      ? readonly string[]
      : Options[Name] extends { required: true } | { default: string }
        ? Value<Options[Name]>
        : Value<Options[Name]> | undefined;
};

/** An option without a value. */
export const flag = (description: string) => ({ type: "boolean", description }) as const;

/** An option with a value. */
export const option = <const More extends Pick<OptionDefinition, "choices" | "default" | "multiple"> = object>(
  valueHint: string,
  description: string,
  more?: More,
) => ({ type: "string", valueHint, description, ...(more as More) }) as const;

type Value<Definition> = Definition extends { choices: readonly (infer Choice)[] } ? Choice : string;

type OptionToken = Extract<NonNullable<ReturnType<typeof parseArgs>["tokens"]>[number], { kind: "option" }>;

// Options that people try and that don't exist on purpose.
const secretNames =
  /^(user(name)?|pass(word|wd|phrase)?|pwd|pin|otp|totp|token|code|answer|answers|personal-?question|secrets?|credentials?|(api|session|seal)?-?key|field|fields|document-?number|company-?code)$/i;

// A timer of the platform can wait no longer.
const LONGEST = 24 * 24 * 3600;

/** Reads the options and arguments of a command line. A word that may be a secret is refused with the reason. */
export function parseArguments<const Options extends OptionDefinitions>(
  words: readonly string[],
  definitions: Options,
): OptionValues<Options> {
  const entries = Object.entries(definitions);
  const options = Object.fromEntries(
    entries.flatMap(([name, { type }]) => (type === "positional" ? [] : [[name, { type }] as const])),
  );
  const values: Record<string, string | boolean | readonly string[] | undefined> = Object.fromEntries(
    entries.map(([name, { type, multiple, default: value }]) => [
      name,
      type === "boolean" ? false : multiple ? [] : value,
    ]),
  );
  const free = entries.filter(([, { type }]) => type === "positional");
  // Not strict, because the errors of `parseArgs` repeat what was typed.
  const { tokens } = parseArgs({ args: [...words], options, strict: false, allowPositionals: true, tokens: true });
  for (const token of tokens) {
    if (token.kind === "option") {
      const value = readOption(token, words[token.index] ?? "", definitions);
      const list = values[token.name];
      values[token.name] = Array.isArray(list) ? [...list, value] : value;
    } else if (token.kind === "positional") {
      const [name] = free.shift() ?? [];
      if (name === undefined) throw createSurplusError(definitions);
      values[name] = token.value;
    }
  }
  for (const [name, { type, choices }] of entries) {
    const value = values[name];
    if (choices === undefined || typeof value !== "string" || choices.includes(value)) continue;
    const field = type === "positional" ? name.toUpperCase() : `--${name}`;
    const listed = new Intl.ListFormat("en-GB", { type: "disjunction" }).format(choices);
    throw new BankError("invalid_input", { field, detail: `must be ${listed}` });
  }
  const missing = free.find(([, { required }]) => required);
  if (missing) throw new BankError("missing_field", { field: missing[0].toUpperCase() });
  return values as OptionValues<Options>;
}

/** Parses the number of an option. */
export function parseNumber(option: string, text: string, { least = 0 }: { least?: number } = {}): number {
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least) return value;
  throw new BankError("invalid_input", { field: option, detail: `must be a number from ${least} on` });
}

/** Parses the seconds of an option. @returns milliseconds. */
export function parseSeconds(option: string, text: string): number {
  const seconds = parseNumber(option, text, { least: 0.001 });
  if (seconds <= LONGEST) return Math.round(seconds * 1000);
  throw new BankError("invalid_input", { field: option, detail: "must be 24 days at most" });
}

function readOption(token: OptionToken, word: string, definitions: OptionDefinitions): string | true {
  const { name, value, inlineValue } = token;
  const definition = Object.hasOwn(definitions, name) ? definitions[name] : undefined;
  const field = `--${name}`;
  if (!word.startsWith("--") || definition === undefined || definition.type === "positional") {
    throw createUnknownOptionError(word, definitions);
  }
  if (definition.type === "boolean") {
    // The value of a flag is most likely a secret: --password-stdin=….
    if (value !== undefined) throw new BankError("secret_in_argument", { field });
    return true;
  }
  if (value === undefined || value === "" || (!inlineValue && value.startsWith("--"))) {
    throw new BankError("invalid_input", { field, detail: "needs a value" });
  }
  // A whole credentials file, or a key, in place of the name of a file.
  if (/^\s*[{[]/.test(value) && name !== "answer-command") throw new BankError("secret_in_argument", { field });
  return value;
}

function createUnknownOptionError(word: string, definitions: OptionDefinitions): BankError {
  const [, name = ""] = /^--?([^=]*)/.exec(word) ?? [];
  const plain = name.replace(/^no-/, "").replaceAll("_", "-");
  if (secretNames.test(plain)) return new BankError("secret_in_argument", { field: `--${plain}` });
  const isShort = !word.startsWith("--");
  // -pSECRET or -p SECRET, as other programs take it.
  if (isShort && /^[pu]/i.test(name) && takesSecrets(definitions))
    return new BankError("secret_in_argument", { field: word.slice(0, 2) });
  const field = /^[a-z-]{1,24}$/.test(name) && !isShort ? `--${name}` : word.slice(0, 2);
  return new BankError("invalid_input", { field, detail: "is no option of this command; see --help" });
}

/** The surplus argument of a command that takes secrets in other ways is most likely a secret. */
function createSurplusError(definitions: OptionDefinitions): BankError {
  const details = { field: "arguments", detail: "more words than this command takes" };
  return takesSecrets(definitions)
    ? new BankError("secret_in_argument", details)
    : new BankError("invalid_input", details);
}

function takesSecrets(definitions: OptionDefinitions): boolean {
  return ["password-stdin", "key-from", "answer-command"].some((name) => Object.hasOwn(definitions, name));
}
