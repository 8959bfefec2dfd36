import type { Readable, Writable } from "node:stream";
import { styleText } from "node:util";

interface ChoiceOption {
  readonly value: string;
  readonly label: string;
  readonly hint: string;
}

/** The texts of the prompt in the person's language: the prompt of @clack/prompts has English texts only. */
interface ChoiceTexts {
  readonly search: string;
  readonly none: string;
  readonly keys: string;
}

interface SearchableChoice<Option extends ChoiceOption> {
  readonly message: string;
  readonly options: Option[];
  readonly texts: ChoiceTexts;
  readonly filter: (text: string, option: Option) => boolean;
  readonly input: Readable;
  readonly output: Writable;
  readonly signal: AbortSignal | undefined;
}

const SHOWN = 8;

/** A list that the person can filter by typing. @returns the value; a symbol if the prompt was closed. */
export async function askSearchable<Option extends ChoiceOption>(
  choice: SearchableChoice<Option>,
): Promise<string | symbol> {
  const [{ AutocompletePrompt }, { limitOptions, S_BAR, S_BAR_END, S_RADIO_ACTIVE, S_RADIO_INACTIVE, symbol }] =
    await Promise.all([import("@clack/core"), import("@clack/prompts")]);
  const { message, options, texts, filter, input, output, signal } = choice;
  const dim = (text: string) => styleText("dim", text);
  const prompt = new AutocompletePrompt<Option>({
    options,
    filter,
    input,
    output,
    ...(signal && { signal }),
    // Enter was pressed while nothing matches.
    validate: (value) => (value === undefined ? texts.none : undefined),
    render() {
      const head = `${symbol(this.state)}  ${message}`;
      if (this.state === "submit" || this.state === "cancel") {
        const chosen = options.find(({ value }) => this.selectedValues.includes(value));
        return `${head}\n${styleText("gray", S_BAR)}  ${dim(chosen?.label ?? "")}`;
      }
      const bar = styleText("cyan", S_BAR);
      const { filteredOptions, cursor } = this;
      const count = filteredOptions.length === options.length ? "" : dim(` (${filteredOptions.length})`);
      const typed = this.isNavigating ? dim(this.userInput) : this.userInputWithCursor;
      const above = [head, bar, `${bar}  ${dim(`${texts.search}:`)} ${typed}${count}`];
      if (filteredOptions.length === 0) above.push(`${bar}  ${styleText("yellow", texts.none)}`);
      const below = [`${bar}  ${dim(texts.keys)}`, styleText("cyan", S_BAR_END)];
      const list = limitOptions({
        cursor,
        options: filteredOptions,
        columnPadding: 3,
        rowPadding: above.length + below.length,
        maxItems: SHOWN,
        output,
        style: ({ label, hint }, isActive) =>
          isActive
            ? `${styleText("green", S_RADIO_ACTIVE)} ${label}${hint && dim(` (${hint})`)}`
            : dim(`${S_RADIO_INACTIVE} ${label}`),
      });
      return [...above, ...list.map((line) => `${bar}  ${line}`), ...below].join("\n");
    },
  });
  return (await prompt.prompt()) as string | symbol;
}
