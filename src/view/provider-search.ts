import type { ProviderEntry } from "../api/schemas.ts";

/** A search in the list of banks. */
export interface ProviderSearch {
  /** Words of the name or the code, in any order; accents and case are ignored. Default: every bank. */
  readonly text?: string;
  /** A country as the list gives it. Default: every country. */
  readonly country?: string | undefined;
  /**
   * Codes to put first, in this order, such as the banks that a person used before. ventanilla itself stores nothing. Default none.
   */
  readonly first?: readonly string[];
}

/**
 * The banks that match, in the order of the list (contract, section 2.1).
 *
 * @example
 * searchProviders(providers, { text: "itau", country: "BR" });
 */
export function searchProviders(
  providers: readonly ProviderEntry[],
  { text = "", country, first = [] }: ProviderSearch = {},
): readonly ProviderEntry[] {
  const words = plain(text).match(/[\p{L}\p{N}_]+/gu) ?? [];
  const rank = ({ code }: ProviderEntry) => (first.includes(code) ? first.indexOf(code) : first.length);
  const found = providers.filter(
    (provider) =>
      (!country || provider.country === country) && words.every((word) => hasWord(toSearchText(provider), word)),
  );
  return first.length === 0 ? found : found.sort((one, other) => rank(one) - rank(other));
}

const wordCharacter = /[\p{L}\p{N}]/u;

/** Whether a word of the text has this beginning. A code is a word, and so is each of its parts. */
function hasWord(text: string, beginning: string): boolean {
  let at = text.indexOf(beginning);
  while (at > 0 && wordCharacter.test(text.charAt(at - 1))) at = text.indexOf(beginning, at + 1);
  return at >= 0;
}

// A list of 50,000 banks is searched at each key press, so each bank is normalised once.
const known = new WeakMap<ProviderEntry, string>();

function toSearchText(provider: ProviderEntry): string {
  const before = known.get(provider);
  if (before !== undefined) return before;
  const text = plain(`${provider.name} ${provider.code}`);
  known.set(provider, text);
  return text;
}

/** The countries of the list, each once, by their codes. */
export function listCountries(providers: readonly ProviderEntry[]): readonly string[] {
  return [...new Set(providers.map(({ country }) => country).filter((country) => country !== ""))].sort();
}

/** Without accents and case. */
const plain = (text: string) => text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
