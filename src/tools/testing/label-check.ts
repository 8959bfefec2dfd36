import { type Locale, locales } from "../../core/texts/languages.ts";
import type { FieldLabel, FieldLabels } from "./path-types.ts";

/** A wrong label of a field. */
export interface WrongLabel {
  readonly field: string;
  readonly what: "label" | "choice" | "value";
  /** Empty if there is none. */
  readonly shown: string;
  readonly expected: string;
}

interface LabelOptions {
  readonly labelText?: ((field: string) => string | undefined) | undefined;
  readonly locale?: Locale | undefined;
  readonly question?: string | undefined;
}

/** The first label or choice that is not as expected: in the language of the screen, or in the one that fits best. */
export function findWrongLabel(
  expected: Readonly<Record<Locale, FieldLabels>>,
  shown: FieldLabels,
  { labelText, locale, question }: LabelOptions,
): WrongLabel | undefined {
  // A screen may leave its form out.
  if (Object.keys(shown).length === 0) return undefined;
  const wrong = (locale ? [locale] : locales).map((locale) =>
    Object.entries(expected[locale]).flatMap(([field, label]) => {
      const own = labelText?.(field);
      return listWrong(field, own === undefined ? label : { ...label, label: own }, shown[field], question);
    }),
  );
  return wrong.reduce((best, other) => (other.length < best.length ? other : best))[0];
}

function listWrong(
  field: string,
  { label, choices = [] }: FieldLabel,
  shown: FieldLabel | undefined,
  question: string | undefined,
): WrongLabel[] {
  // A mark or a hint may follow. A screen may label the field of an answer with the bank's question.
  const isLabelled = [label, question].some((text) => text && shown?.label.includes(text));
  const offered = shown?.choices ?? [];
  return [
    ...(isLabelled ? [] : [{ field, what: "label" as const, shown: shown?.label.trim() ?? "", expected: label }]),
    // A driver that does not read choices returns none.
    ...(offered.length === 0 ? [] : choices).flatMap(({ value, label }, index): WrongLabel[] => {
      const found = offered.find((choice) => choice.value === value);
      if (found?.label.trim() === label) return [];
      const other = offered.find((choice) => choice.label.trim() === label);
      if (other) return [{ field, what: "value", shown: other.value, expected: value }];
      // Instead of a missing choice: the one at its place, if it has no other meaning.
      const atPlace = offered.filter((choice) => choice.value !== "")[index];
      return [{ field, what: "choice", shown: (found ?? atPlace)?.label ?? "", expected: label }];
    }),
  ];
}
