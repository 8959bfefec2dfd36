import type { StandardSchemaV1 } from "@standard-schema/spec";
import { illFormed } from "../api/input-checks.ts";
import { MASK } from "../api/secret.ts";
import type { FormField, FormValues } from "../login/form-fields.ts";
import { formTexts, type Locale } from "../texts/languages.ts";

/** The schema of a form, for any form library that takes a Standard Schema. */
export type FormSchema = StandardSchemaV1<FormValues, FormValues>;

/**
 * A text without the spaces around it, which keyboards of phones add, and digits without any, which copied codes have. A password
 * stays as it is.
 */
export function trimText({ input, inputMode }: FormField, text: string): string {
  if (input !== "text") return text;
  return inputMode === "numeric" ? text.replaceAll(/\s/g, "") : text.trim();
}

/** What was typed, by field name, with its texts trimmed. */
export function readTyped<Value>(fields: readonly FormField[], values: Readonly<Record<string, Value>>) {
  // A bank can name a field `constructor`: an inherited member is not its value.
  const typed = new Map<string, Value | string>(Object.entries(values));
  for (const field of fields) {
    const value = typed.get(field.name);
    if (typeof value === "string") typed.set(field.name, trimText(field, value));
  }
  return typed;
}

/**
 * The schema of a form. Its output has texts without the spaces around them, and leaves out optional fields that are empty. Its
 * issues name the field and say in the person's language what is wrong. They don't contain what was typed.
 */
export function formSchema(fields: readonly FormField[], locale: Locale): FormSchema {
  return {
    "~standard": {
      version: 1,
      vendor: "ventanilla",
      validate: (values) => {
        if (typeof values !== "object" || values === null) {
          return { issues: [{ message: formTexts[locale].needed, path: [] }] };
        }
        const typed = readTyped<unknown>(fields, values as Readonly<Record<string, unknown>>);
        const issues = fields.flatMap((field) => {
          const fault = findFault(field, typed.get(field.name) ?? "");
          return fault ? [{ message: formTexts[locale][fault], path: [field.name] }] : [];
        });
        if (issues.length > 0) return { issues };
        const filled = fields.filter(({ name }) => typed.get(name)).map(({ name }) => [name, typed.get(name)]);
        return { value: Object.fromEntries(filled) };
      },
    },
  };
}

function findFault({ required, choices }: FormField, value: unknown): "needed" | "unsendable" | "choose" | undefined {
  if (value === "") {
    if (!required) return undefined;
    return choices.length > 0 ? "choose" : "needed";
  }
  if (choices.length > 0) return choices.some((choice) => choice.value === value) ? undefined : "choose";
  if (typeof value !== "string") return "needed";
  return value === MASK || illFormed.test(value) ? "unsendable" : undefined;
}
