import type { ProviderEntry } from "../../../machines/provider.types.ts";
import { locales } from "../texts/languages.ts";
import { connectives, listNameParts, listNameWords } from "./bank-name.ts";

/** Other names that people use, by the bank's code: `{ bbva_mx: ["Bancomer"] }`. */
export type ProviderAliases = Readonly<Record<string, readonly string[]>>;

/** A search in the list of banks. */
export interface ProviderSearch {
  /**
   * Words of the name, the code, an alias or the country, in any order, or the initials of the name; accents and case are ignored. A name may be as a
   * statement has it, with its legal form, and a web address as a card has it. If no bank has the words, those with a typing error are found too, and
   * long ones with two. The first 200 characters count. Default: every bank.
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
 * The banks that match: first those of this very name, code or alias, then those whose code begins with this word, then those with these initials, then
 * those whose name begins so, then those with the words, then those with words of the country; the rest is the order of the list. The list has no kinds of account: only a bank's detail has them.
 *
 * @example
 * searchProviders(providers, { text: "itau", country: "BR" });
 */
export function searchProviders(
  providers: readonly ProviderEntry[],
  { text = "", country, aliases, first = [] }: ProviderSearch = {},
): readonly ProviderEntry[] {
  const typed = text.slice(0, TEXT_LIMIT);
  const words = listWords(plain(typed));
  const isInCountry = (provider: ProviderEntry) => !country || provider.country === country;
  const found = words.length === 0 ? providers.filter(isInCountry) : findBanks(providers, typed, aliases, isInCountry);
  if (first.length === 0) return found;
  const place = ({ code }: ProviderEntry) => (first.includes(code) ? first.indexOf(code) : first.length);
  return [...found].sort((one, other) => place(one) - place(other));
}

// The last part but for the country: `www.itau.com.br` is of Itaú.
const webAddress =
  /(?:https?:\/\/)?(?:www\.)?(?:[\p{L}\p{N}-]+\.)*?([\p{L}\p{N}-]+)(?:\.(?:com|net|org|gob|gov|fin|coop|[a-z]{2}))+(?:[/?#:]\S*|(?=\s|$))/giu;

/** The words that name the bank: without the legal form that a statement adds, and without the rest of a web address. */
const listOwnWords = (text: string): readonly string[] =>
  listWords(plain(listNameParts(text.replaceAll(webAddress, "$1")).join(" ")));

function findBanks(
  providers: readonly ProviderEntry[],
  text: string,
  aliases: ProviderAliases | undefined,
  isInCountry: (provider: ProviderEntry) => boolean,
): readonly ProviderEntry[] {
  const list = prepare(providers);
  const trees = aliases
    ? [list.tree, createTree(providers.map((provider) => toAliasText(provider, aliases)))]
    : [list.tree];
  const own = listOwnWords(text);
  // "SA" may be the beginning of a word, "S.A." is not.
  for (const words of /[./]/.test(text) ? [own] : [listWords(plain(text)), own]) {
    const found = findNamed(list, trees, words, isInCountry);
    if (found.length > 0) return found;
  }
  for (const faults of [1, 2]) {
    // A word as long as a book would take as long to compare with two faults.
    const countFaults = ({ length }: string) =>
      length > 7 && length < 25 ? faults : length > (own.length > 1 ? 2 : 3) ? 1 : 0;
    const similar = rateBanks(
      list,
      own,
      (country, word) => findBranches(country, word, countFaults(word)).length > 0,
      (word) => markBanks(new Uint8Array(providers.length), trees, word, countFaults(word)),
    );
    const found = providers.filter((provider, at) => similar[at] && isInCountry(provider));
    if (found.length > 0) return found;
  }
  return [];
}

/** The banks with these words, the best first. */
function findNamed(
  list: PreparedList,
  trees: readonly WordTree[],
  words: readonly string[],
  isInCountry: (provider: ProviderEntry) => boolean,
): readonly ProviderEntry[] {
  const { providers } = list;
  const mark = (word: string) => markBanks(new Uint8Array(providers.length), trees, word);
  const typed = words.join(" ");
  const beginning = new Uint8Array(providers.length);
  for (const tree of trees) markBeginning(beginning, tree, words[0] ?? "", typed);
  for (const at of list.initials.get(typed) ?? []) beginning[at] = Math.max(2, beginning[at] ?? 0);
  const ranks = rateBanks(list, words, isOfCountry, (word) => {
    const named = mark(word);
    const whole = abbreviations.get(word);
    if (whole) markBanks(named, trees, whole);
    for (const at of list.initials.get(word) ?? []) named[at] = 1;
    return named;
  });
  for (let at = 0; at < ranks.length; at += 1) if (ranks[at] === 2) ranks[at] = 2 + (beginning[at] ?? 0);
  return listByRank(providers, ranks, isInCountry);
}

/** The banks with a rank from 6 to 1 in a country, the highest first. */
function listByRank(
  providers: readonly ProviderEntry[],
  ranks: Uint8Array,
  isInCountry: (provider: ProviderEntry) => boolean,
): readonly ProviderEntry[] {
  let count = 0;
  for (const rank of ranks) if (rank > 0) count += 1;
  // In one piece: a list that grows to 50,000 entries takes longer than their search.
  const found = new Array<ProviderEntry>(count);
  count = 0;
  for (const rank of [6, 5, 4, 3, 2, 1].filter((rank) => ranks.includes(rank))) {
    for (let at = 0; at < ranks.length; at += 1) {
      const provider = providers[at];
      if (ranks[at] !== rank || !provider || !isInCountry(provider)) continue;
      found[count] = provider;
      count += 1;
    }
  }
  found.length = count;
  return found;
}

/** For each bank: 2 if its names have every word, 1 if some words are those of its country, else 0. */
function rateBanks(
  { providers, countries }: PreparedList,
  words: readonly string[],
  isOfCountry: (country: WordTree, word: string) => boolean,
  markNamed: (word: string) => Uint8Array,
): Uint8Array {
  const levels = new Uint8Array(providers.length).fill(2);
  for (const word of new Set(words)) {
    const named = markNamed(word);
    const wanted = new Set(
      countries.filter((country) => isCountryCode(country) && isOfCountry(nameCountry(country), word)),
    );
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
const isOfCountry = ({ text }: WordTree, word: string) => text.includes(isLong(word) ? ` ${word}` : ` ${word} `);

/**
 * The words of a list, sorted as far as the searches so far needed it: a key press in 50,000 banks has no time to look at each word. Words that begin
 * with the same letters are a branch.
 */
interface WordTree {
  /** The texts of all banks in one. A line break or a space stands before each word. */
  readonly text: string;
  /** Where each word begins, branch by branch. It goes on to the end of the text: a space and a line break are letters here. */
  readonly starts: Uint32Array;
  /** The bank of each word. */
  readonly banks: Uint32Array;
  readonly root: Branch;
}

interface Branch {
  /** Its part of the words. */
  readonly from: number;
  readonly to: number;
  /** How many letters its words share. */
  readonly depth: number;
  /** Its branches by the next letter. */
  next?: ReadonlyMap<number, Branch>;
}

const [LINE, SPACE, UNDERSCORE] = [10, 32, 95];

/** @param texts one for each bank; each begins with a line break or a space. */
function createTree(texts: readonly string[]): WordTree {
  const text = texts.concat("\n").join("");
  const [starts, banks] = [new Uint32Array(text.length), new Uint32Array(text.length)];
  let [count, at] = [0, 0];
  texts.forEach(({ length }, bank) => {
    for (const end = at + length; at < end; at += 1) {
      const letter = text.charCodeAt(at);
      if (letter !== SPACE && letter !== LINE) continue;
      starts[count] = at + 1;
      banks[count] = bank;
      count += 1;
    }
  });
  return { text, starts: starts.slice(0, count), banks: banks.slice(0, count), root: { from: 0, to: count, depth: 0 } };
}

function splitBranch({ text, starts, banks }: WordTree, branch: Branch): ReadonlyMap<number, Branch> {
  if (branch.next) return branch.next;
  const { from, to, depth } = branch;
  const readLetter = (start = 0) => text.charCodeAt(start + depth) || 0;
  // By letter: how many words, then where the next one goes. No array: Chinese letters would make it long for each branch.
  const places = new Map<number, number>();
  for (let at = from; at < to; at += 1) {
    const letter = readLetter(starts[at]);
    places.set(letter, (places.get(letter) ?? 0) + 1);
  }
  const next = new Map<number, Branch>();
  let end = from;
  for (const [letter, size] of places) {
    next.set(letter, { from: end, to: end + size, depth: depth + 1 });
    places.set(letter, end);
    end += size;
  }
  if (next.size > 1) {
    const before = { starts: starts.slice(from, to), banks: banks.slice(from, to) };
    for (let at = 0; at < to - from; at += 1) {
      const start = before.starts[at] ?? 0;
      const letter = readLetter(start);
      const place = places.get(letter) ?? 0;
      starts[place] = start;
      banks[place] = before.banks[at] ?? 0;
      places.set(letter, place + 1);
    }
  }
  branch.next = next;
  return next;
}

/** The branches of the words that begin like this one, also with so many letters changed, added, missing, or in the place of the next one. */
function findBranches(tree: WordTree, word: string, faults: number): readonly Branch[] {
  const found = new Set<Branch>();
  const follow = (branch: Branch | undefined, at: number, faults: number) => {
    if (!branch) return;
    if (at === word.length) {
      found.add(branch);
      return;
    }
    const next = splitBranch(tree, branch);
    const letter = word.charCodeAt(at);
    follow(next.get(letter), at + 1, faults);
    if (faults === 0) return;
    const left = faults - 1;
    follow(branch, at + 1, left);
    for (const [other, its] of next) {
      if (other === letter) continue;
      follow(its, at + 1, left);
      follow(its, at, left);
      if (other === word.charCodeAt(at + 1)) follow(splitBranch(tree, its).get(letter), at + 2, left);
    }
  };
  follow(tree.root, 0, faults);
  return [...found];
}

/** Marks the banks with a word that begins like this one, or similarly. */
function markBanks(marks: Uint8Array, trees: readonly WordTree[], word: string, faults = 0): Uint8Array {
  for (const tree of trees) {
    for (const { from, to } of findBranches(tree, word, faults)) {
      for (let at = from; at < to; at += 1) marks[tree.banks[at] ?? 0] = 1;
    }
  }
  return marks;
}

/** Marks the banks with a line that begins with this text by 1, those with a code whose first word it is by 3, those with this very line by 4. */
function markBeginning(marks: Uint8Array, tree: WordTree, firstWord: string, typed: string): void {
  const { text, starts, banks } = tree;
  for (const { from, to } of findBranches(tree, firstWord, 0)) {
    for (let at = from; at < to; at += 1) {
      const start = starts[at] ?? 0;
      if (text.charCodeAt(start - 1) !== LINE) continue;
      if (typed !== firstWord && !text.startsWith(typed, start)) continue;
      const bank = banks[at] ?? 0;
      const next = text.charCodeAt(start + typed.length);
      marks[bank] = Math.max(marks[bank] ?? 0, next === LINE ? 4 : next === UNDERSCORE ? 3 : 1);
    }
  }
}

/** What the banks of a list are found by, without accents and case. */
interface PreparedList {
  readonly tree: WordTree;
  readonly providers: readonly ProviderEntry[];
  /** The places of the banks, by the initials of their names. */
  readonly initials: ReadonlyMap<string, readonly number[]>;
  readonly countries: readonly string[];
}

// A long list is searched at each key press, and each view is made from the list alone: an adapter has no place to keep what was prepared, and the
// statechart's context is plain data. Weak: a list that is no longer used is dropped with its texts.
const prepared = new WeakMap<readonly ProviderEntry[], PreparedList>();

/** What was prepared, unless the banks of the list were changed in their place. */
function findPrepared(providers: readonly ProviderEntry[]): PreparedList | undefined {
  const before = prepared.get(providers);
  const isSame =
    before?.providers.length === providers.length && before.providers.every((one, at) => one === providers[at]);
  return isSame ? before : undefined;
}

/** Prepares a list at its first search. */
function prepare(providers: readonly ProviderEntry[]): PreparedList {
  const before = findPrepared(providers);
  if (before) return before;
  const initials = new Map<string, number[]>();
  for (const [at, { name }] of providers.entries()) {
    const letters = toInitials(name);
    const places = initials.get(letters);
    if (places) places.push(at);
    else if (letters !== "") initials.set(letters, [at]);
  }
  const list = {
    tree: createTree(providers.map(toText)),
    providers: [...providers],
    initials,
    countries: listCountries(providers),
  };
  prepared.set(providers, list);
  return list;
}

/** Its name, its code and the words of its code, each a line. */
const toText = ({ name, code }: ProviderEntry): string =>
  `${toLine(name)}${toLine(code)}${code.includes("_") ? toLine(code.replaceAll("_", " ")) : ""}`;

function toAliasText({ code }: ProviderEntry, aliases: ProviderAliases): string {
  const names = Object.hasOwn(aliases, code) ? aliases[code] : undefined;
  return names?.map(toLine).join("") ?? "";
}

const toLine = (text: string) =>
  `\n${plain(text)
    .replaceAll(/[^\p{L}\p{N}_]+/gu, " ")
    .trim()}`;

// No one types the initials of a longer name.
const INITIALS_LIMIT = 100;

function toInitials(name: string): string {
  if (name.length > INITIALS_LIMIT) return "";
  const words = listNameWords(name).filter((word) => !connectives.test(word));
  return plain(words.map(([letter]) => letter).join(""));
}

/** The contract leaves the format of a country open (section 2.1). Only two letters are looked up: a list may have another text for each bank. */
const isCountryCode = (country: string): boolean => /^[a-z]{2}$/i.test(country);

const countryNames = new Map<string, WordTree>();

/** The names of a country in our languages, between spaces. */
function nameCountry(code: string): WordTree {
  const before = countryNames.get(code);
  if (before !== undefined) return before;
  const names = listRegions().map((regions) => regions.of(code.toUpperCase()) ?? "");
  const tree = createTree([` ${listWords(plain(names.join(" "))).join(" ")} `]);
  countryNames.set(code, tree);
  return tree;
}

let regions: readonly Intl.DisplayNames[] | undefined;

/** The names of countries, by language. React Native's engine has none. */
function listRegions(): readonly Intl.DisplayNames[] {
  const { DisplayNames }: Partial<typeof Intl> = Intl;
  regions ??= DisplayNames ? locales.map((locale) => new DisplayNames([locale], { type: "region" })) : [];
  return regions;
}

/** The countries of the list, each once, by their codes. */
export function listCountries(providers: readonly ProviderEntry[]): readonly string[] {
  const before = findPrepared(providers);
  if (before) return before.countries;
  const found = new Set<string>();
  for (const { country } of providers) found.add(country);
  found.delete("");
  return [...found].sort();
}

const listWords = (text: string): readonly string[] => text.match(/[\p{L}\p{N}_]+/gu) ?? [];

/** Without accents and case. */
export const plain = (text: string) =>
  (/[^ -~]/.test(text) ? text.normalize("NFD").replaceAll(/\p{M}+/gu, "") : text).toLowerCase();
