import { InputError } from "../../index.ts";

/**
 * Splits a command into its words as a shell does, with '…', "…" and \, and nothing else: no variables, no patterns, no
 * pipes. What is put in afterwards stays one word.
 */
export function splitWords(command: string, field: string): [program: string, ...rest: string[]] {
  const words: string[] = [];
  let word: string | undefined;
  let quote = "";
  for (let index = 0; index < command.length; index += 1) {
    const sign = command[index] as string;
    if (quote === "'" ? sign !== "'" : sign === "\\") {
      if (quote !== "'") index += 1;
      word = (word ?? "") + (command[index] ?? "");
    } else if (quote !== "" ? sign === quote : sign === "'" || sign === '"') {
      quote = quote === "" ? sign : "";
      word ??= "";
    } else if (quote === "" && /\s/.test(sign)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? "") + sign;
  }
  if (word !== undefined) words.push(word);
  const [program, ...rest] = words;
  if (quote !== "" || !program) throw new InputError("invalid_input", { field, detail: "must be a command" });
  return [program, ...rest];
}
