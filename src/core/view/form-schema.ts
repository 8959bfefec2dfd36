import type { StandardSchemaV1 } from "@standard-schema/spec";
import { illFormed, parseObject } from "../api/input-checks.ts";
import { MASK } from "../api/secret.ts";
import type { FormField, FormValues } from "../login/form-fields.ts";
import { formTexts, type LanguageOptions } from "../texts/languages.ts";

/** The schema of a form, for any form library that takes a Standard Schema. */
export type FormSchema = StandardSchemaV1<FormValues, FormValues>;

/**
 * A text without the spaces around it, which keyboards of phones add, and digits without any, which copied codes have. A password
 * stays as it is, and a message in place of a code keeps its words.
 */
function trimText({ input, inputMode }: FormField, text: string): string {
  if (input !== "text") return text;
  return inputMode === "numeric" && !/\p{L}/u.test(text) ? text.replaceAll(/\s/g, "") : text.trim();
}

/**
 * Why nothing was sent: a text in the person's language, by the name of the field that is wrong. The name `""` is the whole screen: there is no connection.
 * The texts don't contain what was typed.
 */
export type FieldErrors = Readonly<Record<string, string>>;

/**
 * Why nothing can be sent now: the browser knows that it has no connection. Where nothing knows, as in React Native and on a server, there is one.
 */
export function connectionErrors(language: LanguageOptions): FieldErrors | undefined {
  return globalThis.navigator?.onLine === false ? { "": formTexts(language).offline } : undefined;
}

/** What was typed, by field name, with its texts trimmed and without what is empty; or what is wrong with it. */
export function checkForm(
  fields: readonly FormField[],
  values: FormValues | FormData,
  language: LanguageOptions,
):
  | { readonly errors: FieldErrors; readonly filled?: undefined }
  | { readonly errors?: undefined; readonly filled: FormValues } {
  // A page's form may have further controls.
  const given =
    values instanceof FormData
      ? fields.map(({ name }) => [name, values.get(name) ?? ""] as const)
      : Object.entries<unknown>(parseObject("values", values));
  // A bank can name a field `constructor`: an inherited member is not its value.
  const typed = new Map(given);
  for (const field of fields) {
    const value = typed.get(field.name);
    if (typeof value === "string") typed.set(field.name, trimText(field, value));
  }
  const errors = fields.flatMap((field) => {
    const fault = findFault(field, typed.get(field.name) ?? "");
    return fault ? [[field.name, formTexts(language)[fault]]] : [];
  });
  if (errors.length > 0) return { errors: Object.fromEntries(errors) };
  return { filled: Object.fromEntries([...typed].filter(([, value]) => (value ?? "") !== "")) as FormValues };
}

/** The errors of the fields that the bank misses. One that the form does not have is left out. */
export function missingErrors(
  fields: readonly FormField[],
  missing: readonly string[] = [],
  language: LanguageOptions,
): FieldErrors {
  const shown = fields.filter(({ name }) => missing.includes(name));
  const text = ({ choices }: FormField) => formTexts(language)[choices.length > 0 ? "choose" : "needed"];
  return Object.fromEntries(shown.map((field) => [field.name, text(field)]));
}

/**
 * The schema of a form. Its output has texts without the spaces around them, and leaves out optional fields that are empty. Its
 * issues are the errors of its fields.
 */
export function formSchema(fields: readonly FormField[], language: LanguageOptions): FormSchema {
  return {
    "~standard": {
      version: 1,
      vendor: "ventanilla",
      validate: (values) => {
        if (typeof values !== "object" || values === null) {
          return { issues: [{ message: formTexts(language).needed, path: [] }] };
        }
        const { errors, filled } = checkForm(fields, values as FormValues, language);
        if (errors) return { issues: Object.entries(errors).map(([name, message]) => ({ message, path: [name] })) };
        const names = fields.map(({ name }) => name);
        return { value: Object.fromEntries(Object.entries(filled).filter(([name]) => names.includes(name))) };
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
