import type { ProviderEntry } from "../../../machines/provider.types.ts";
import { createInputError } from "./input-checks.ts";

/**
 * Takes in countries by their codes (contract, section 2.1).
 *
 * @returns the member `countries` of a relay's query: the same text for the same countries.
 */
export function parseCountries(countries: readonly string[]): string {
  const text = Array.isArray(countries) ? countries.join(",").toUpperCase() : "";
  if (!isCountries(text)) throw createInputError("countries", "must be one or more codes of two letters, such as UY");
  return [...new Set(text.split(","))].sort().join(",");
}

/** Whether a text can be that member. */
export const isCountries = (text: string): boolean => /^[A-Z]{2}(,[A-Z]{2})*$/.test(text);

/** The banks of these countries, and those that the service gives no country. Default: all. */
export function filterByCountry(
  providers: readonly ProviderEntry[],
  countries: string | undefined,
): readonly ProviderEntry[] {
  if (countries === undefined) return providers;
  const wanted = new Set(["", ...countries.split(",")]);
  return providers.filter(({ country }) => wanted.has(country.toUpperCase()));
}
