import type { ProviderEntry } from "../api/schemas.ts";

/** What to look for in the list of banks. */
export interface ProviderSearch {
  /** Words of the name or the code, in any order; accents and case don't count. Default: every bank. */
  readonly text?: string;
  /** A country as the list gives it. Default: every country. */
  readonly country?: string | undefined;
  /**
   * Codes to put first, in this order, such as the banks that a person used before and let you remember. ventanilla
   * itself remembers nothing. Default none.
   */
  readonly first?: readonly string[];
}

/**
 * The banks that match, in the order of the list (interface.md, section 2.1).
 *
 * @example
 * searchProviders(providers, { text: "itau", country: "BR" });
 */
export function searchProviders(
  providers: readonly ProviderEntry[],
  { text = "", country, first = [] }: ProviderSearch = {},
): readonly ProviderEntry[] {
  const words = plainWords(text).filter((word) => word !== "");
  const rank = ({ code }: ProviderEntry) => (first.includes(code) ? first.indexOf(code) : first.length);
  const found = providers.filter(
    (provider) =>
      (!country || provider.country === country) &&
      words.every((word) => wordsOf(provider).some((candidate) => candidate.startsWith(word))),
  );
  return first.length === 0 ? found : found.sort((one, other) => rank(one) - rank(other));
}

// A list is searched at each key: 50,000 banks are taken apart once.
const known = new WeakMap<ProviderEntry, readonly string[]>();

function wordsOf(provider: ProviderEntry): readonly string[] {
  const words =
    known.get(provider) ?? plainWords(`${provider.name} ${provider.code.replaceAll("_", " ")} ${provider.code}`);
  known.set(provider, words);
  return words;
}

/** The countries of the list, each once, by their codes. */
export function countriesOf(providers: readonly ProviderEntry[]): readonly string[] {
  return [...new Set(providers.map(({ country }) => country).filter((country) => country !== ""))].sort();
}

/** The words, without accents and case. */
function plainWords(text: string): string[] {
  return text
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .split(/[^\p{L}\p{N}_]/u);
}
