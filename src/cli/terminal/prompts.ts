import { type FormField, type Secret, searchProviders, secret } from "../../index.ts";
import { Interruption } from "./interruption.ts";
import type { Output } from "./output.ts";
import { printable } from "./printable.ts";

// Loaded where there is a person to ask.
const load = () => import("@clack/prompts");

// Prompts go to standard error: standard output is for results.
const place = { input: process.stdin, output: process.stderr };

interface Asking {
  readonly output: Output;
  /** Closes the prompt when its answer is of no use any more. */
  readonly signal: AbortSignal;
}

/** Whether there is a person to ask. */
export function isTerminal(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true && process.env["TERM"] !== "dumb";
}

/** Asks for a value that is not shown. */
export async function askHidden({ message, output, signal }: Asking & { message: string }): Promise<Secret> {
  const clack = await load();
  const validate = (value: string | undefined) => (value ? undefined : output.text("needed"));
  return secret(answered(await clack.password({ ...place, message: printable(message), validate, signal })));
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
    const chosen = answered(await clack.select({ ...place, message, options, initialValue: initial, signal }));
    return chosen === "" ? undefined : secret(chosen);
  }
  if (input === "password" && required) return askHidden({ message, output, signal });
  const validate = (value: string | undefined) => (value || !required ? undefined : output.text("needed"));
  const typed =
    input === "password"
      ? await clack.password({ ...place, message, signal })
      : // What is shown is what is sent.
        await clack.text({ ...place, message, initialValue: printable(initial), validate, signal });
  const value = answered(typed) ?? "";
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
  const question = { ...place, message, options: shown, maxItems: 8, signal, filter: isFound };
  return answered(await (options.length > 8 ? clack.autocomplete(question) : clack.select(question)));
}

/** Asks for a yes or a no. */
export async function askWhether(message: string, signal: AbortSignal): Promise<boolean> {
  const clack = await load();
  return answered(await clack.confirm({ ...place, message: printable(message), signal }));
}

/** What was given; a prompt without an answer was closed. */
function answered<Value>(value: Value): Exclude<Value, symbol> {
  if (typeof value === "symbol") throw new Interruption();
  return value as Exclude<Value, symbol>;
}

/** As `providers --search` does it: words in any order, accents and case don't count. */
function isFound(text: string, { value, label = "" }: { value: string; label?: string }): boolean {
  return searchProviders([{ code: value, name: label, country: "" }], { text }).length > 0;
}
