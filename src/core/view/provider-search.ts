import type { ProviderEntry } from "../api/schemas.ts";
import { locales } from "../texts/languages.ts";
import { connectives, listNameWords } from "./bank-name.ts";

/** Other names that people use, by the bank's code: `{ bbva_mx: ["Bancomer"] }`. */
export type ProviderAliases = Readonly<Record<string, readonly string[]>>;

/** A search in the list of banks. */
export interface ProviderSearch {
  /**
   * Words of the name, the code, an alias or the country, in any order, or the initials of the name; accents and case are ignored. If no bank has
   * them, words with one typing error are found too. The first 200 characters count. Default: every bank.
   */
  readonly text?: string;
  /** A country as the list gives it. Default: every country. */
  readonly country?: string | undefined;
  /** Other names of banks: the list has none (contract, section 2.1). Default none. */
  readonly aliases?: ProviderAliases | undefined;
  /**
   * Codes to put first, in this order, such as the banks that a person used before. ventanilla itself stores nothing. Default none.
   */
  readonly first?: readonly string[];
}

const TEXT_LIMIT = 200;

/**
 * The banks that match: first those of this very name, code, alias or initials, then those whose name begins so, then those with the words, then those
 * with words of the country; the rest is the order of the list. The list has no kinds of account: only a bank's detail has them.
 *
 * @example
 * searchProviders(providers, { text: "itau", country: "BR" });
 */
export function searchProviders(
  providers: readonly ProviderEntry[],
  { text = "", country, aliases, first = [] }: ProviderSearch = {},
): readonly ProviderEntry[] {
  const words = listWords(plain(text.slice(0, TEXT_LIMIT)));
  const inCountry = country ? providers.filter((provider) => provider.country === country) : providers;
  const found = words.length === 0 ? inCountry : findBanks(inCountry, words, aliases);
  if (first.length === 0) return found;
  const place = ({ code }: ProviderEntry) => (first.includes(code) ? first.indexOf(code) : first.length);
  return [...found].sort((one, other) => place(one) - place(other));
}

function findBanks(
  providers: readonly ProviderEntry[],
  words: readonly string[],
  aliases: ProviderAliases = {},
): readonly ProviderEntry[] {
  const typed = words.join(" ");
  const ranks: [ProviderEntry[], ProviderEntry[], ProviderEntry[], ProviderEntry[]] = [[], [], [], []];
  for (const provider of providers) {
    const { names, initials, country } = describeBank(provider, aliases);
    const isNamed = (word: string) => word === initials || hasWord(names, word);
    if (words.every(isNamed)) {
      // Each name is a line.
      if (typed === initials || names.includes(`\n ${typed}\n`)) ranks[0].push(provider);
      else ranks[names.includes(`\n ${typed}`) ? 1 : 2].push(provider);
    } else if (words.every((word) => isNamed(word) || isOfCountry(word, country))) {
      ranks[3].push(provider);
    }
  }
  const found = ranks.flat();
  if (found.length > 0) return found;
  return providers.filter((provider) => {
    const { names, country } = describeBank(provider, aliases);
    return words.every((word) => hasSimilar(names, word) || hasSimilar(country, word));
  });
}

/** How people shorten a word. */
const abbreviations: ReadonlyMap<string, string> = new Map([["bco", "banco"]]);

/** Whether a word of a text begins so. */
function hasWord(text: string, word: string): boolean {
  const whole = abbreviations.get(word);
  return text.includes(` ${word}`) || (whole !== undefined && text.includes(` ${whole}`));
}

// Too many words begin like a shorter one, or are similar to it.
const LEAST_LETTERS = 4;
const isLong = (word: string) => word.length >= LEAST_LETTERS;

/** A short word must be a whole one, such as that of El Salvador. */
const isOfCountry = (word: string, country: string): boolean =>
  country.includes(isLong(word) ? ` ${word}` : ` ${word} `);

/** Whether a word of a text begins so, also with one letter changed, added, missing, or in the place of the next one. A space is a letter here. */
function hasSimilar(text: string, word: string): boolean {
  /** Whether the rest of the word stands there. */
  const goesOn = (rest: number, at: number) => {
    let same = 0;
    while (rest + same < word.length && word[rest + same] === text[at + same]) same += 1;
    return rest + same === word.length;
  };
  for (let space = text.indexOf(" "); space >= 0; space = text.indexOf(" ", space + 1)) {
    let rest = 0;
    while (rest < word.length && word[rest] === text[space + 1 + rest]) rest += 1;
    if (rest === word.length) return true;
    const at = space + 1 + rest;
    const isSwapped = word[rest] === text[at + 1] && word[rest + 1] === text[at];
    if (!isLong(word)) continue;
    if (goesOn(rest + 1, at + 1) || goesOn(rest + 1, at) || goesOn(rest, at + 1)) return true;
    if (isSwapped && goesOn(rest + 2, at + 2)) return true;
  }
  return false;
}

/** What a bank is found by, without accents and case. A space stands before each word, and nowhere else. */
interface BankTexts {
  /** Its name, its code, the words of its code, and its aliases, each a line. */
  readonly names: string;
  readonly initials: string;
  readonly country: string;
}

// A list of 50,000 banks is searched at each key press, so each bank is normalised once.
const known = new WeakMap<ProviderEntry, BankTexts>();

function describeBank(provider: ProviderEntry, aliases: ProviderAliases): BankTexts {
  const before = known.get(provider);
  const texts = before ?? readTexts(provider);
  if (!before) known.set(provider, texts);
  const others = Object.hasOwn(aliases, provider.code) ? (aliases[provider.code] ?? []) : [];
  return others.length === 0 ? texts : { ...texts, names: `${texts.names}${others.map(toLine).join("")}` };
}

function readTexts({ name, code, country }: ProviderEntry): BankTexts {
  const words = listNameWords(name)
    .map(plain)
    .filter((word) => !connectives.test(word));
  return {
    names: `\n${toLine(name)}${toLine(code)}${code.includes("_") ? toLine(code.replaceAll("_", " ")) : ""}`,
    initials: words.map(([letter]) => letter).join(""),
    country: nameCountry(country),
  };
}

const toLine = (text: string) => ` ${listWords(plain(text)).join(" ")}\n`;

const countries = new Map<string, string>();

/** The names of a country in our languages, between spaces. */
function nameCountry(code: string): string {
  const before = countries.get(code);
  if (before !== undefined) return before;
  const names = /^[A-Z]{2}$/.test(code) ? locales.map((locale) => findRegion(locale, code)) : [];
  const text = ` ${listWords(plain(names.join(" "))).join(" ")} `;
  countries.set(code, text);
  return text;
}

/** React Native's engine has no names of countries. */
function findRegion(locale: string, code: string): string {
  const { DisplayNames }: Partial<typeof Intl> = Intl;
  return (DisplayNames && new DisplayNames([locale], { type: "region" }).of(code)) ?? "";
}

/** The countries of the list, each once, by their codes. */
export function listCountries(providers: readonly ProviderEntry[]): readonly string[] {
  return [...new Set(providers.map(({ country }) => country).filter((country) => country !== ""))].sort();
}

const listWords = (text: string): readonly string[] => text.match(/[\p{L}\p{N}_]+/gu) ?? [];

/** Without accents and case. */
export const plain = (text: string) =>
  (/[^ -~]/.test(text) ? text.normalize("NFD").replaceAll(/\p{M}/gu, "") : text).toLowerCase();
