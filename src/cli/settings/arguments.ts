import type { ArgsDef } from "citty";
import { BankError, InputError } from "../../index.ts";

// What people type in place of an option that there is on purpose not.
const secretNames =
  /^(user(name)?|pass(word|wd|phrase)?|pwd|pin|otp|totp|token|code|answer|answers|personal-?question|secrets?|credentials?|(api|session|seal)?-?key|field|fields|document-?number|company-?code)$/i;

/**
 * Checks what was typed before anything reads it: unknown options, missing values, too many words. What stands in the place
 * of a secret is refused with the reason, and no value is ever repeated.
 *
 * @throws {BankError} `secret_in_argument`, naming the option.
 * @throws {InputError} `invalid_input`, naming the option.
 */
export function checkArguments(words: readonly string[], definitions: ArgsDef): void {
  const places = Object.values(definitions).filter(({ type }) => type === "positional");
  let filled = 0;
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? "";
    if (!word.startsWith("-") || word === "-") {
      filled += 1;
      if (filled > places.length) throw tooMany(definitions);
      continue;
    }
    if (word === "--") {
      if (filled + words.length - index - 1 > places.length) throw tooMany(definitions);
      return;
    }
    const [name, value] = split(word);
    const definition = Object.hasOwn(definitions, name) ? definitions[name] : undefined;
    if (!word.startsWith("--") || definition === undefined || definition.type === "positional")
      throw refused(word, name);
    if (definition.type === "boolean") {
      // The value of a switch is most likely a secret: --password-stdin=….
      if (value !== undefined) throw new BankError("secret_in_argument", { field: `--${name}` });
      continue;
    }
    const given = value ?? words[index + 1];
    if (given === undefined || given === "" || (value === undefined && given.startsWith("--"))) {
      throw new InputError("invalid_input", { field: `--${name}`, detail: "needs a value" });
    }
    // A whole credentials file, or a key, in the place of its name.
    if (/^\s*[{[]/.test(given) && name !== "answer-command") {
      throw new BankError("secret_in_argument", { field: `--${name}` });
    }
    if (value === undefined) index += 1;
  }
}

function split(word: string): [name: string, value: string | undefined] {
  const [, name = "", value] = /^--?([^=]*)(?:=(.*))?$/s.exec(word) ?? [];
  return [name, value];
}

function refused(word: string, name: string): BankError {
  const plain = name.replace(/^no-/, "").replaceAll("_", "-");
  if (secretNames.test(plain)) return new BankError("secret_in_argument", { field: `--${plain}` });
  // -pSECRET, as other programs have it.
  if (!word.startsWith("--") && /^[pu]./.test(name)) {
    return new BankError("secret_in_argument", { field: word.slice(0, 2) });
  }
  const shown = /^[a-z-]{1,24}$/.test(name) && word.startsWith("--") ? `--${name}` : word.slice(0, 2);
  return new InputError("invalid_input", { field: shown, detail: "is no option of this command; see --help" });
}

/** Where a command takes secrets by other ways, a word too many is most likely one. */
function tooMany(definitions: ArgsDef): BankError {
  const takesSecrets = ["password-stdin", "key-from", "answer-command"].some((name) =>
    Object.hasOwn(definitions, name),
  );
  const details = { field: "arguments", detail: "more words than this command takes" };
  return takesSecrets ? new BankError("secret_in_argument", details) : new InputError("invalid_input", details);
}
