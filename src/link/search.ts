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
  const words = plainWords(text);
  const rank = ({ code }: ProviderEntry) => (first.includes(code) ? first.indexOf(code) : first.length);
  return providers
    .filter((provider) => {
      const found = plainWords(`${provider.name} ${provider.code.replaceAll("_", " ")} ${provider.code}`);
      return (
        (!country || provider.country === country) &&
        words.every((word) => found.some((candidate) => candidate.startsWith(word)))
      );
    })
    .sort((one, other) => rank(one) - rank(other));
}

/** The countries of the list, each once, by their codes. */
export function countriesOf(providers: readonly ProviderEntry[]): readonly string[] {
  return [...new Set(providers.map(({ country }) => country).filter((country) => country !== ""))].sort();
}

/** The words, without accents and case. An empty one begins every word, so it is in nobody's way. */
function plainWords(text: string): string[] {
  return text
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .split(/[^\p{L}\p{N}_]/u);
}
