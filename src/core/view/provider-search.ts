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
  const isInCountry = (provider: ProviderEntry) => !country || provider.country === country;
  const found = words.length === 0 ? providers.filter(isInCountry) : findBanks(providers, words, aliases, isInCountry);
  if (first.length === 0) return found;
  const place = ({ code }: ProviderEntry) => (first.includes(code) ? first.indexOf(code) : first.length);
  return [...found].sort((one, other) => place(one) - place(other));
}

function findBanks(
  providers: readonly ProviderEntry[],
  words: readonly string[],
  aliases: ProviderAliases | undefined,
  isInCountry: (provider: ProviderEntry) => boolean,
): readonly ProviderEntry[] {
  const list = prepare(providers);
  const texts = aliases ? [list, joinTexts(providers, (provider) => toAliasText(provider, aliases))] : [list];
  const mark = (wanted: string) => markBanks(new Uint8Array(providers.length), texts, wanted);
  const typed = words.join(" ");
  const beginning = mark(`\n${typed}`);
  const exact = beginning.includes(1) ? mark(`\n${typed}\n`) : beginning.slice();
  for (const at of list.initials.get(typed) ?? []) exact[at] = 1;
  const levels = rateBanks(list, words, isOfCountry, (word) => {
    const named = words.length === 1 ? beginning.slice() : mark(`\n${word}`);
    const whole = abbreviations.get(word);
    for (const part of [` ${word}`, ...(whole ? [` ${whole}`, `\n${whole}`] : [])]) markBanks(named, texts, part);
    for (const at of list.initials.get(word) ?? []) named[at] = 1;
    return named;
  });
  const ranks: [ProviderEntry[], ProviderEntry[], ProviderEntry[], ProviderEntry[]] = [[], [], [], []];
  providers.forEach((provider, at) => {
    if (!levels[at] || !isInCountry(provider)) return;
    ranks[levels[at] === 1 ? 3 : exact[at] ? 0 : beginning[at] ? 1 : 2].push(provider);
  });
  const found = ranks[0].concat(ranks[1], ranks[2], ranks[3]);
  if (found.length > 0) return found;
  const similar = rateBanks(list, words, hasSimilar, (word) =>
    markSimilar(new Uint8Array(providers.length), texts, word),
  );
  return providers.filter((provider, at) => similar[at] && isInCountry(provider));
}

/** For each bank: 2 if its names have every word, 1 if some words are those of its country, else 0. */
function rateBanks(
  { providers, countries }: PreparedList,
  words: readonly string[],
  isOfCountry: (country: string, word: string) => boolean,
  markNamed: (word: string) => Uint8Array,
): Uint8Array {
  const levels = new Uint8Array(providers.length).fill(2);
  for (const word of words) {
    const named = markNamed(word);
    const wanted = new Set(countries.filter((country) => isOfCountry(nameCountry(country), word)));
    for (let at = 0; at < levels.length; at += 1) {
      if (named[at] || !levels[at]) continue;
      levels[at] = wanted.size > 0 && wanted.has(providers[at]?.country ?? "") ? 1 : 0;
    }
  }
  return levels;
}

/** How people shorten a word. */
const abbreviations: ReadonlyMap<string, string> = new Map([["bco", "banco"]]);

// Too many words begin like a shorter one, or are similar to it.
const LEAST_LETTERS = 4;
const isLong = (word: string) => word.length >= LEAST_LETTERS;

/** A short word must be a whole one, such as that of El Salvador. */
const isOfCountry = (country: string, word: string) => country.includes(isLong(word) ? ` ${word}` : ` ${word} `);

/** The texts of all banks in one: 50,000 short ones take many times as long to search. A line break or a space stands before each word. */
interface JoinedTexts {
  readonly text: string;
  /** Where the text of each bank ends. */
  readonly ends: Uint32Array;
}

/** Marks the banks whose text has this. */
function markBanks(marks: Uint8Array, texts: readonly JoinedTexts[], wanted: string): Uint8Array {
  for (const { text, ends } of texts) {
    let bank = 0;
    for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, ends[bank])) {
      while ((ends[bank] ?? text.length) <= at) bank += 1;
      marks[bank] = 1;
    }
  }
  return marks;
}

/** Marks the banks whose text has a similar word. */
function markSimilar(marks: Uint8Array, texts: readonly JoinedTexts[], word: string): Uint8Array {
  for (const { text, ends } of texts) {
    let bank = 0;
    for (let at = 0; at < text.length; at += 1) {
      const letter = text.charCodeAt(at);
      if (letter !== SPACE && letter !== LINE) continue;
      while ((ends[bank] ?? text.length) <= at) bank += 1;
      if (marks[bank]) continue;
      if (isSimilar(text, at + 1, word)) marks[bank] = 1;
    }
  }
  return marks;
}

const [LINE, SPACE] = [10, 32];

const hasSimilar = (text: string, word: string): boolean =>
  markSimilar(new Uint8Array(1), [{ text, ends: Uint32Array.of(text.length) }], word)[0] === 1;

/** Whether a text goes on like this word, also with one letter changed, added, missing, or in the place of the next one. A space is a letter here. */
function isSimilar(text: string, start: number, word: string): boolean {
  let same = 0;
  while (same < word.length && text.charCodeAt(start + same) === word.charCodeAt(same)) same += 1;
  if (same === word.length) return true;
  if (!isLong(word)) return false;
  const at = start + same;
  if (hasRest(text, at + 1, word, same + 1) || hasRest(text, at, word, same + 1) || hasRest(text, at + 1, word, same)) {
    return true;
  }
  return text[at] === word[same + 1] && text[at + 1] === word[same] && hasRest(text, at + 2, word, same + 2);
}

/** Whether the rest of a word stands there. */
function hasRest(text: string, at: number, word: string, from: number): boolean {
  let letter = from;
  while (letter < word.length && text.charCodeAt(at + letter - from) === word.charCodeAt(letter)) letter += 1;
  return letter === word.length;
}

/** What the banks of a list are found by, without accents and case. */
interface PreparedList extends JoinedTexts {
  readonly providers: readonly ProviderEntry[];
  /** The places of the banks, by the initials of their names. */
  readonly initials: ReadonlyMap<string, readonly number[]>;
  readonly countries: readonly string[];
}

// A long list is searched at each key press. Weak: a list that nobody uses is dropped with its texts.
const prepared = new WeakMap<readonly ProviderEntry[], PreparedList>();

/** Prepares a list at its first search, and again if its banks were changed in their place. */
function prepare(providers: readonly ProviderEntry[]): PreparedList {
  const before = prepared.get(providers);
  const isSame =
    before?.providers.length === providers.length && before.providers.every((one, at) => one === providers[at]);
  if (before && isSame) return before;
  const initials = new Map<string, number[]>();
  for (const [at, { name }] of providers.entries()) {
    const letters = toInitials(name);
    const places = initials.get(letters);
    if (places) places.push(at);
    else if (letters !== "") initials.set(letters, [at]);
  }
  const list = {
    ...joinTexts(providers, toText),
    providers: [...providers],
    initials,
    countries: listCountries(providers),
  };
  prepared.set(providers, list);
  return list;
}

function joinTexts(providers: readonly ProviderEntry[], toText: (provider: ProviderEntry) => string): JoinedTexts {
  const ends = new Uint32Array(providers.length);
  let end = 0;
  const texts = providers.map((provider, at) => {
    const text = toText(provider);
    end += text.length;
    ends[at] = end;
    return text;
  });
  return { text: [...texts, "\n"].join(""), ends };
}

/** Its name, its code and the words of its code, each a line. */
const toText = ({ name, code }: ProviderEntry): string =>
  `${toLine(name)}${toLine(code)}${code.includes("_") ? toLine(code.replaceAll("_", " ")) : ""}`;

function toAliasText({ code }: ProviderEntry, aliases: ProviderAliases): string {
  const names = Object.hasOwn(aliases, code) ? (aliases[code] ?? []) : [];
  return names.map(toLine).join("");
}

const toLine = (text: string) => `\n${listWords(plain(text)).join(" ")}`;

function toInitials(name: string): string {
  const words = listNameWords(name).filter((word) => !connectives.test(word));
  return plain(words.map(([letter]) => letter).join(""));
}

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
  const found = new Set<string>();
  for (const { country } of providers) found.add(country);
  found.delete("");
  return [...found].sort();
}

const listWords = (text: string): readonly string[] => text.match(/[\p{L}\p{N}_]+/gu) ?? [];

/** Without accents and case. */
export const plain = (text: string) =>
  (/[^ -~]/.test(text) ? text.normalize("NFD").replaceAll(/\p{M}/gu, "") : text).toLowerCase();
