import { searchProviders } from "../../../core/view/provider-search.ts";
import { BankError, type FormField, type Secret, secret } from "../../../index.ts";
import type { ProgramContext } from "../command.ts";
import type { Output } from "./output.ts";
import { printable } from "./printable.ts";
import { askSearchable } from "./searchable-choice.ts";

type Clack = typeof import("@clack/prompts");
interface PromptOptions {
  readonly input: ProgramContext["stdin"];
  readonly output: ProgramContext["stderr"];
  readonly message: string;
  readonly signal: AbortSignal;
  readonly showInstructions: boolean;
}

/**
 * A prompt was closed without an answer: by Ctrl-C or Ctrl-D, which are keys in a prompt, by a signal, or because the login continued without it. It is
 * a fault of this library, because a login passes those on unchanged if a handler throws them.
 */
export class Interruption extends BankError {
  constructor() {
    super("request_aborted");
  }

  override get name() {
    return "Interruption" as const;
  }
}

/** Asks a person, on standard error: standard output is for results. A signal closes the prompt; by default the program's. */
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

  async askHidden(message: string, signal?: AbortSignal): Promise<Secret> {
    const validate = this.#required(true);
    return secret(await this.#ask(message, signal, ({ password }, common) => password({ ...common, validate })));
  }

  /**
   * Asks for one field of a form.
   *
   * @param kept what was typed before: an empty line keeps it.
   * @returns `undefined` for an optional field that was left empty.
   */
  async askField(
    field: FormField,
    { signal, kept }: { readonly signal?: AbortSignal; readonly kept?: Secret | undefined } = {},
  ): Promise<Secret | undefined> {
    const { required, choices, initial, input } = field;
    // A hidden field is a confirmation. "No" cancels the login.
    if (field.input === "hidden") {
      return (await this.confirm(this.#output.text("confirmed"), signal)) ? secret(field.initial) : undefined;
    }
    const hint = kept ? "asBefore" : required ? undefined : "leaveEmpty";
    const message = hint ? `${field.label} (${this.#output.text(hint)})` : field.label;
    const validate = this.#required(required && !kept);
    const value = await this.#ask(message, signal, ({ password, select, text }, common) => {
      if (input === "select") {
        const options = [...choices.map(toOption), ...(required ? [] : [{ value: "", label: "–" }])];
        return select({ ...common, options, initialValue: initial });
      }
      if (input === "password") return password({ ...common, validate });
      // The same text is shown and sent.
      return text({ ...common, validate, initialValue: printable(initial) });
    });
    return value ? secret(value) : kept;
  }

  /** Asks for one of several choices, which the person can filter by typing. */
  async choose(message: string, choices: readonly Choice[], signal?: AbortSignal): Promise<string> {
    const options = choices.map(toOption);
    const texts = {
      search: this.#output.text("search"),
      none: this.#output.text("none"),
      keys: this.#output.text("chooseKeys"),
    };
    return this.#ask(message, signal, ({ select }, common) =>
      options.length > 8
        ? askSearchable({ ...common, options, texts, filter: isMatch })
        : select({ ...common, options }),
    );
  }

  async confirm(message: string, signal?: AbortSignal): Promise<boolean> {
    const answers = { active: this.#output.text("yes"), inactive: this.#output.text("no") };
    return this.#ask(message, signal, ({ confirm }, common) => confirm({ ...common, ...answers }));
  }

  /** The value of a prompt. Throws an `Interruption` if the prompt was closed. */
  async #ask<Value>(
    message: string,
    signal = this.#program.signal,
    open: (clack: Clack, common: PromptOptions) => Promise<Value>,
  ): Promise<Exclude<Value, symbol>> {
    const { stdin: input, stderr: output } = this.#program;
    // Loaded only if there is a person to ask.
    const clack = await import("@clack/prompts");
    // Ctrl-D closes the readline interface under a prompt, and the prompt would wait for keys that never come.
    clack.updateSettings({ aliases: { "\u0004": "cancel" } });
    // After Ctrl-Z and `fg` the readline interface leaves its input paused.
    const resumeInput = () => setImmediate(() => input.resume());
    process.on("SIGCONT", resumeInput);
    // The library's hint about the keys is in English only.
    const showInstructions = this.#output.locale === "en";
    const common = { input, output, message: printable(message), signal, showInstructions };
    const value = await open(clack, common).finally(() => process.off("SIGCONT", resumeInput));
    if (typeof value === "symbol") throw new Interruption();
    return value as Exclude<Value, symbol>;
  }

  #required(isRequired: boolean) {
    return (value: string | undefined) => (value || !isRequired ? undefined : this.#output.text("needed"));
  }
}

interface Choice {
  readonly value: string;
  readonly label: string;
  readonly hint?: string;
  readonly country?: string;
}

function toOption({ value, label, hint = "", country = "" }: Choice) {
  return { value, label: printable(label) || printable(value), hint: printable(hint), country };
}

/** As `providers --search` does it: words in any order, accents and case don't count. */
function isMatch(text: string, { value, label = "", country = "" }: Partial<Choice> & Pick<Choice, "value">): boolean {
  return searchProviders([{ code: value, name: label, country }], { text }).length > 0;
}
