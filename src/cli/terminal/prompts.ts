import { BankError, type FormField, type Secret, searchProviders, secret } from "../../index.ts";
import type { ProgramContext } from "../command.ts";
import type { Output } from "./output.ts";
import { printable } from "./printable.ts";

// Loaded only if there is a person to ask.
const loadClack = () => import("@clack/prompts");

/**
 * A prompt was closed without an answer: by Ctrl-C, which is a key in a prompt, by a signal, or because the login went on without it. It is
 * a fault of this library, because a login passes those on unchanged when a handler throws them.
 */
export class Interruption extends BankError<"request_aborted"> {
  constructor() {
    super("request_aborted");
  }

  override get name() {
    return "Interruption" as const;
  }
}

/** Asks a person, on standard error: standard output is for results. A signal closes the prompt; by default that of the program. */
export class Prompts {
  /** Whether there is a person to ask. */
  readonly isAvailable: boolean;
  readonly #program: ProgramContext;
  readonly #output: Output;

  constructor(program: ProgramContext, output: Output) {
    this.#program = program;
    this.#output = output;
    this.isAvailable =
      program.stdin.isTTY === true && program.stderr.isTTY === true && program.environment["TERM"] !== "dumb";
  }

  /** Asks for a value that is not shown. */
  async askHidden(message: string, signal?: AbortSignal): Promise<Secret> {
    const { password } = await loadClack();
    const validate = this.#required(true);
    return secret(readValue(await password({ ...this.#common(message, signal), validate })) ?? "");
  }

  /** Asks for one field of a form. @returns `undefined` for an optional field that was left empty. */
  async askField(field: FormField, signal?: AbortSignal): Promise<Secret | undefined> {
    const { required, choices, initial, input } = field;
    // A hidden field is a confirmation. A no cancels.
    if (field.input === "hidden") {
      return (await this.confirm(this.#output.text("confirmed"), signal)) ? secret(field.initial) : undefined;
    }
    const clack = await loadClack();
    const common = this.#common(required ? field.label : `${field.label} (${this.#output.text("leaveEmpty")})`, signal);
    const validate = this.#required(required);
    const ask = () => {
      if (input === "select") {
        const options = [...choices.map(toOption), ...(required ? [] : [{ value: "", label: "–" }])];
        return clack.select({ ...common, options, initialValue: initial });
      }
      if (input === "password") return clack.password({ ...common, validate });
      // The same text is shown and sent.
      return clack.text({ ...common, validate, initialValue: printable(initial) });
    };
    const value = readValue(await ask());
    return value ? secret(value) : undefined;
  }

  /** Asks for one of several choices, which typing narrows. */
  async choose(
    message: string,
    choices: readonly { value: string; label: string; hint: string }[],
    signal?: AbortSignal,
  ): Promise<string> {
    const { autocomplete, select } = await loadClack();
    const prompt = { ...this.#common(message, signal), options: choices.map(toOption), maxItems: 8, filter: isMatch };
    return readValue(await (choices.length > 8 ? autocomplete(prompt) : select(prompt)));
  }

  /** Asks for a yes or a no. */
  async confirm(message: string, signal?: AbortSignal): Promise<boolean> {
    const { confirm } = await loadClack();
    const answers = { active: this.#output.text("yes"), inactive: this.#output.text("no") };
    return readValue(await confirm({ ...this.#common(message, signal), ...answers }));
  }

  #common(message: string, signal = this.#program.signal) {
    return { input: this.#program.stdin, output: this.#program.stderr, message: printable(message), signal };
  }

  #required(isRequired: boolean) {
    return (value: string | undefined) => (value || !isRequired ? undefined : this.#output.text("needed"));
  }
}

function toOption({ value, label, hint = "" }: { value: string; label: string; hint?: string }) {
  return { value, label: printable(label) || printable(value), hint: printable(hint) };
}

/** The value of a prompt. Throws an `Interruption` if the prompt was closed. */
function readValue<Value>(value: Value): Exclude<Value, symbol> {
  if (typeof value === "symbol") throw new Interruption();
  return value as Exclude<Value, symbol>;
}

/** As `providers --search` does it: words in any order, accents and case don't count. */
function isMatch(text: string, { value, label = "" }: { value: string; label?: string }): boolean {
  return searchProviders([{ code: value, name: label, country: "" }], { text }).length > 0;
}
