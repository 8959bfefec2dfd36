import { BankError, type FormField, type Secret, searchProviders, secret } from "../../index.ts";
import type { Output } from "./output.ts";
import { printable } from "./printable.ts";

// Loaded where there is a person to ask.
const load = () => import("@clack/prompts");

// Prompts go to standard error: standard output is for results.
const streams = { input: process.stdin, output: process.stderr };

interface Asking {
  readonly output: Output;
  /** Closes the prompt when its answer is of no use any more. */
  readonly signal: AbortSignal;
}

/**
 * A prompt was closed without an answer: by Ctrl-C, for which the terminal sends it a key and no signal, by a signal that ends
 * the program, or because its answer is of no use any more. A fault of ours, so that a login whose handler throws it
 * passes it on as it is.
 */
export class Interruption extends BankError<"request_aborted"> {
  constructor() {
    super("request_aborted");
  }

  override get name() {
    return "Interruption" as const;
  }
}

/** Whether there is a person to ask. */
export function isTerminal(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true && process.env["TERM"] !== "dumb";
}

/** Asks for a value that is not shown. */
export async function askHidden({ message, output, signal }: Asking & { message: string }): Promise<Secret> {
  const clack = await load();
  const validate = (value: string | undefined) => (value ? undefined : output.text("needed"));
  return secret(takeAnswer(await clack.password({ ...streams, message: printable(message), validate, signal })));
}

/** Asks for one field of a form; nothing for an optional one that was left empty. */
export async function askField(field: FormField, { output, signal }: Asking): Promise<Secret | undefined> {
  const clack = await load();
  const { required, choices, initial, input } = field;
  // Nothing to type in: whoever says no has not confirmed, and cancels.
  if (field.input === "hidden")
    return (await askWhether(output.text("confirmed"), signal)) ? secret(field.initial) : undefined;
  const message = printable(required ? field.label : `${field.label} (${output.text("leaveEmpty")})`);
  if (input === "select") {
    const options = [
      ...choices.map(({ value, label }) => ({ value, label: printable(label) || printable(value) })),
      ...(required ? [] : [{ value: "", label: "–" }]),
    ];
    const chosen = takeAnswer(await clack.select({ ...streams, message, options, initialValue: initial, signal }));
    return chosen === "" ? undefined : secret(chosen);
  }
  if (input === "password" && required) return askHidden({ message, output, signal });
  const validate = (value: string | undefined) => (value || !required ? undefined : output.text("needed"));
  const typed =
    input === "password"
      ? await clack.password({ ...streams, message, signal })
      : // What is shown is what is sent.
        await clack.text({ ...streams, message, initialValue: printable(initial), validate, signal });
  const value = takeAnswer(typed) ?? "";
  return value === "" ? undefined : secret(value);
}

/** Asks for one of several; what is typed narrows them. */
export async function askChoice(
  message: string,
  options: readonly { value: string; label: string; hint?: string }[],
  { signal }: Asking,
): Promise<string> {
  const clack = await load();
  const shown = options.map(({ value, label, hint = "" }) => ({
    value,
    label: printable(label) || printable(value),
    hint: printable(hint),
  }));
  const question = { ...streams, message, options: shown, maxItems: 8, signal, filter: isMatch };
  return takeAnswer(await (options.length > 8 ? clack.autocomplete(question) : clack.select(question)));
}

/** Asks for a yes or a no. */
export async function askWhether(message: string, signal: AbortSignal): Promise<boolean> {
  const clack = await load();
  return takeAnswer(await clack.confirm({ ...streams, message: printable(message), signal }));
}

/** The answer of a prompt; one without an answer was closed. */
function takeAnswer<Value>(value: Value): Exclude<Value, symbol> {
  if (typeof value === "symbol") throw new Interruption();
  return value as Exclude<Value, symbol>;
}

/** As `providers --search` does it: words in any order, accents and case don't count. */
function isMatch(text: string, { value, label = "" }: { value: string; label?: string }): boolean {
  return searchProviders([{ code: value, name: label, country: "" }], { text }).length > 0;
}
