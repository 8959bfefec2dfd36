import type { ProviderEntry } from "../api/schemas.ts";

/** A search in the list of banks. */
export interface ProviderSearch {
  /**
   * Words of the name or the code, in any order; accents and case are ignored. If no bank has them, words with one typing error are
   * found too. Default: every bank.
   */
  readonly text?: string;
  /** A country as the list gives it. Default: every country. */
  readonly country?: string | undefined;
  /**
   * Codes to put first, in this order, such as the banks that a person used before. ventanilla itself stores nothing. Default none.
   */
  readonly first?: readonly string[];
}

/**
 * The banks that match, in the order of the list (contract, section 2.1). The list has no kinds of account: only a bank's detail has them.
 *
 * @example
 * searchProviders(providers, { text: "itau", country: "BR" });
 */
export function searchProviders(
  providers: readonly ProviderEntry[],
  { text = "", country, first = [] }: ProviderSearch = {},
): readonly ProviderEntry[] {
  const words = plain(text).match(/[\p{L}\p{N}_]+/gu) ?? [];
  const inCountry = country ? providers.filter((provider) => provider.country === country) : providers;
  const find = (patterns: readonly RegExp[]) =>
    inCountry.filter((provider) => patterns.every((pattern) => pattern.test(toSearchText(provider))));
  let found = find(words.map((word) => startsWord(word)));
  if (found.length === 0) found = find(words.map((word) => startsWord(...findSimilar(word))));
  const rank = ({ code }: ProviderEntry) => (first.includes(code) ? first.indexOf(code) : first.length);
  return first.length === 0 ? found : found.sort((one, other) => rank(one) - rank(other));
}

/** What matches a text with a word that begins like one of these. A code is a word, and so is each of its parts. */
const startsWord = (...beginnings: readonly string[]) =>
  // What stands before a word, listed because `\P{L}` takes ten times as long: spaces, marks, dashes and quotation marks.
  new RegExp(`[\\s!-/:-\`{-~\u00a1-\u00bf\u2010-\u201f](?:${beginnings.join("|")})`);

// Too many words are similar to a shorter one.
const LEAST_LETTERS = 4;

/** The word, also with one letter changed, added, missing, or in the place of the next one. */
function findSimilar(word: string): readonly string[] {
  if (word.length < LEAST_LETTERS) return [word];
  return Array.from(word, (letter, at) => {
    const [before, after] = [word.slice(0, at), word.slice(at + 1)];
    return `${before}(?:.?${after}|.${letter}${after}|${after.charAt(0)}${letter}${after.slice(1)})`;
  });
}

// A list of 50,000 banks is searched at each key press, so each bank is normalised once.
const known = new WeakMap<ProviderEntry, string>();

function toSearchText(provider: ProviderEntry): string {
  const before = known.get(provider);
  if (before !== undefined) return before;
  const text = plain(` ${provider.name} ${provider.code}`);
  known.set(provider, text);
  return text;
}

/** The countries of the list, each once, by their codes. */
export function listCountries(providers: readonly ProviderEntry[]): readonly string[] {
  return [...new Set(providers.map(({ country }) => country).filter((country) => country !== ""))].sort();
}

/** Without accents and case. */
export const plain = (text: string) => text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
