import * as en from "./en.ts";
import * as es from "./es.ts";
import * as pt from "./pt.ts";

/** The languages that there are texts in. */
export const locales = ["en", "es", "pt"] as const;

/** A language that people read. */
export type Locale = (typeof locales)[number];

type ByLocale<Words> = Readonly<Record<Locale, Words>>;
type Words<Names> = { readonly [Name in keyof Names]: string };

/**
 * The words of the component; labels, questions and failures are in the other groups of `Texts`.
 *
 * @useDeclaredType
 */
export type BankLoginTexts = Words<typeof en.component>;

/**
 * Words in place of the built-in ones, whole or in part: for another language, or another tone. `src/core/texts/en.ts` has each of them in English, with
 * what it is for. What is left out is said in the language of `locale`, or in English if there are no texts in it.
 */
export interface Texts {
  /** What happened and what to do, by the codes of `docs/texts.md`. */
  readonly failures?: Partial<Words<typeof en.failures>>;
  /** Labels of fields, by the field's name, for banks that have none in the person's language. */
  readonly labels?: Partial<Words<typeof en.labels>>;
  /** The kinds of account of the contract, section 2.2, for banks that have no labels in the person's language. */
  readonly accountTypes?: Partial<Words<typeof en.accountTypes>>;
  /** Errors of forms, and questions. */
  readonly forms?: Partial<Words<typeof en.forms>>;
  /** The words of `<bank-login>` alone. */
  readonly component?: Partial<BankLoginTexts>;
}

/** The options of every view and text. */
export interface LanguageOptions {
  /** The language of labels and texts: a tag, such as `es-MX` or `navigator.language`. Spain, `es-ES`, has words of its own. Default, and if there are no texts in it: `en`. */
  readonly locale?: string | undefined;
  /** Words in place of the built-in ones, whole or in part. Default: the built-in ones. */
  readonly texts?: Texts | undefined;
}

const endings: Readonly<Record<string, string>> = { ar: "er", ando: "iendo", e: "a", a: "e", ó: "ió" };

/** At a bank in Spain, "ingresar" is to pay money in: a person logs in by "acceder". */
const toSpain = <Said extends object>(words: Said): Said =>
  JSON.parse(
    JSON.stringify(words).replaceAll(
      /ingres(ar|ando|[eaó])(?!\p{L})/giu,
      (word, ending) => `${word < "a" ? "A" : "a"}cced${endings[ending]}`,
    ),
  );

const isSpain = (tag = ""): boolean => /^es[-_]es\b/i.test(tag);

/** Ours, by the tag of a language. */
const createWords = <Said extends object>(ours: ByLocale<Said>) => {
  let spain: Said | undefined;
  return (tag: string | undefined): Said => {
    const words = ours[toLocale(tag)];
    if (!isSpain(tag)) return words;
    spain ??= toSpain(words);
    return spain;
  };
};

/** Ours in the language of the options, and their own words over them. */
const createTexts = <Group extends keyof Texts>(group: Group, ours: ByLocale<Required<NonNullable<Texts[Group]>>>) => {
  const findWords = createWords(ours);
  return ({ locale, texts }: LanguageOptions = {}): Required<NonNullable<Texts[Group]>> => ({
    ...findWords(locale),
    ...texts?.[group],
  });
};

// A constant for each use, so that a bundle holds only the texts that it shows.
export const bankLanguages: ByLocale<readonly ("en" | "es")[]> = {
  en: en.bankLanguages,
  es: es.bankLanguages,
  pt: pt.bankLanguages,
};
export const failureTexts = /* @__PURE__ */ createTexts("failures", {
  en: en.failures,
  es: es.failures,
  pt: pt.failures,
});
export const accountTypeLabels = /* @__PURE__ */ createTexts("accountTypes", {
  en: en.accountTypes,
  es: es.accountTypes,
  pt: pt.accountTypes,
});
export const fieldLabels = /* @__PURE__ */ createTexts("labels", { en: en.labels, es: es.labels, pt: pt.labels });
export const formTexts = /* @__PURE__ */ createTexts("forms", { en: en.forms, es: es.forms, pt: pt.forms });
export const componentTexts = /* @__PURE__ */ createTexts("component", {
  en: en.component,
  es: es.component,
  pt: pt.component,
});
export const hostedTexts = /* @__PURE__ */ createWords<Words<typeof en.hosted>>({
  en: en.hosted,
  es: es.hosted,
  pt: pt.hosted,
});
export const mcpTexts = /* @__PURE__ */ createWords<Words<typeof en.mcp>>({ en: en.mcp, es: es.mcp, pt: pt.mcp });
export const commandTexts = /* @__PURE__ */ createWords<Words<typeof en.command>>({
  en: en.command,
  es: es.command,
  pt: pt.command,
});

/** The language of a tag, if there are texts in it: `es-UY` and `es_UY.UTF-8` are `es`. */
export function findLocale(tag: string | undefined): Locale | undefined {
  const [language] = tag?.toLowerCase().split(/[-_.]/, 1) ?? [];
  return locales.find((locale) => locale === language);
}

/** The same, with the country that has words of its own. */
export const findSpoken = (tag: string | undefined): Locale | "es-ES" | undefined =>
  isSpain(tag) ? "es-ES" : findLocale(tag);

/** The language for a tag; `en` if there are no texts in it. */
export const toLocale = (tag: string | undefined): Locale => findLocale(tag) ?? "en";

/** The language that options ask for, such as `es`: one that we have texts in, or that of their own words; else `en`. */
export function readLanguage({ locale, texts }: LanguageOptions): string {
  const own = texts && /^[a-z]{2,3}(?![a-z0-9])/.exec(locale?.toLowerCase() ?? "")?.[0];
  return own ?? toLocale(locale);
}

/** Puts values into a text: `fillIn("{count} banks", { count: 3 })`. */
export function fillIn(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}
