import * as en from "./en.ts";
import * as es from "./es.ts";
import * as pt from "./pt.ts";

/** The languages that there are texts in. */
export const locales = ["en", "es", "pt"] as const;

/** A language that people read. */
export type Locale = (typeof locales)[number];

type ByLocale<Texts> = Readonly<Record<Locale, Texts>>;
type Words<Names> = { readonly [Name in keyof Names]: string };

// A constant for each use, so that a bundle holds only the texts that it shows.
export const bankLanguages: ByLocale<readonly ("en" | "es")[]> = {
  en: en.bankLanguages,
  es: es.bankLanguages,
  pt: pt.bankLanguages,
};
export const failureTexts: ByLocale<Words<typeof en.failures>> = { en: en.failures, es: es.failures, pt: pt.failures };
export const accountTypeLabels: ByLocale<Words<typeof en.accountTypes>> = {
  en: en.accountTypes,
  es: es.accountTypes,
  pt: pt.accountTypes,
};
export const fieldLabels: ByLocale<Words<typeof en.labels>> = { en: en.labels, es: es.labels, pt: pt.labels };
export const formTexts: ByLocale<Words<typeof en.forms>> = { en: en.forms, es: es.forms, pt: pt.forms };
export const componentTexts: ByLocale<BankLoginTexts> = { en: en.component, es: es.component, pt: pt.component };
export const hostedTexts: ByLocale<Words<typeof en.hosted>> = { en: en.hosted, es: es.hosted, pt: pt.hosted };
export const mcpTexts: ByLocale<Words<typeof en.mcp>> = { en: en.mcp, es: es.mcp, pt: pt.mcp };
export const commandTexts: ByLocale<Words<typeof en.command>> = { en: en.command, es: es.command, pt: pt.command };

/**
 * The words of the component; labels, questions and failures come from the bank and the code table.
 *
 * @useDeclaredType
 */
export type BankLoginTexts = Words<typeof en.component>;

/** The language of a tag, if there are texts in it: `es-UY` and `es_UY.UTF-8` are `es`. */
export function findLocale(tag: string | undefined): Locale | undefined {
  const [language] = tag?.toLowerCase().split(/[-_.]/) ?? [];
  return locales.find((locale) => locale === language);
}

/** The language for a tag; `en` if there are no texts in it. */
export const toLocale = (tag: string | undefined): Locale => findLocale(tag) ?? "en";

/** Puts values into a text: `fillIn("{count} banks", { count: 3 })`. */
export function fillIn(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}
