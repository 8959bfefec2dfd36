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
  const patterns = words.map((word) => [word, startsWord(word)] as const);
  const ranks: [ProviderEntry[], ProviderEntry[], ProviderEntry[], ProviderEntry[]] = [[], [], [], []];
  for (const provider of providers) {
    const { names, initials, country } = describeBank(provider, aliases);
    const isNamed = ([word, pattern]: (typeof patterns)[number]) => word === initials || pattern.test(names);
    if (patterns.every(isNamed)) {
      // Each name is a line.
      if (typed === initials || `${names}\n`.includes(`\n${typed}\n`)) ranks[0].push(provider);
      else ranks[names.includes(`\n${typed}`) ? 1 : 2].push(provider);
    } else if (patterns.every((one) => isNamed(one) || isOfCountry(one, country))) {
      ranks[3].push(provider);
    }
  }
  const found = ranks.flat();
  return found.length > 0 ? found : findSimilar(providers, words, aliases);
}

/** A short word must be a whole one, such as that of El Salvador: too many countries begin with it. */
const isOfCountry = ([word, pattern]: readonly [word: string, pattern: RegExp], country: string): boolean =>
  isLong(word) ? pattern.test(country) : `${country} `.includes(` ${word} `);

/** The banks that have each word with one typing error at most. */
function findSimilar(providers: readonly ProviderEntry[], words: readonly string[], aliases: ProviderAliases) {
  const isLike = words.map(createSimilar);
  return providers.filter((provider) => {
    const { names, country } = describeBank(provider, aliases);
    const known = listWords(`${names} ${names.replaceAll("_", " ")} ${country}`);
    return isLike.every((isSimilar) => known.some(isSimilar));
  });
}

// Too many words are similar to a shorter one.
const LEAST_LETTERS = 4;
const isLong = (word: string) => word.length >= LEAST_LETTERS;

/** Whether another word begins like this one, also with one letter changed, added, missing, or in the place of the next one. */
function createSimilar(word: string): (other: string) => boolean {
  const tail = (at: number) => word.slice(at);
  return (other) => {
    let at = 0;
    while (at < word.length && word[at] === other[at]) at += 1;
    if (at === word.length) return true;
    if (!isLong(word)) return false;
    return (
      other.startsWith(tail(at + 1), at + 1) ||
      other.startsWith(tail(at + 1), at) ||
      other.startsWith(tail(at), at + 1) ||
      (other[at] === word[at + 1] && other[at + 1] === word[at] && other.startsWith(tail(at + 2), at + 2))
    );
  };
}

/** How people shorten a word. */
const abbreviations: Readonly<Record<string, string>> = { bco: "banco" };

/** Matches a text with a word that begins like this. A code is a word, and so is each of its parts. */
const startsWord = (word: string) => {
  const whole = Object.hasOwn(abbreviations, word) ? `(?:${word}|${abbreviations[word]})` : word;
  // What stands before a word, listed because `\P{L}` takes ten times as long: spaces, marks, dashes and quotation marks.
  return new RegExp(`[\\s!-/:-\`{-~\u00a1-\u00bf\u2010-\u201f]${whole}`);
};

/** What a bank is found by, without accents and case. */
interface BankTexts {
  /** Its name, its code and its aliases, one a line, after an empty one. */
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
  return others.length === 0 ? texts : { ...texts, names: [texts.names, ...others.map(plain)].join("\n") };
}

function readTexts({ name, code, country }: ProviderEntry): BankTexts {
  const words = listNameWords(name)
    .map(plain)
    .filter((word) => !connectives.test(word));
  return {
    names: `\n${plain(name)}\n${plain(code)}`,
    initials: words.map(([letter]) => letter).join(""),
    country: nameCountry(country),
  };
}

const countries = new Map<string, string>();

/** The names of a country in our languages, in one line. */
function nameCountry(code: string): string {
  const before = countries.get(code);
  if (before !== undefined) return before;
  const names = /^[A-Z]{2}$/.test(code) ? locales.map((locale) => findRegion(locale, code)) : [];
  const text = ` ${plain(names.join(" "))}`;
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
export const plain = (text: string) => text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
