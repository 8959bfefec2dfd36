import { InputError, type Locale } from "../../index.ts";
import { localeIn } from "../terminal/command-texts.ts";
import { Output } from "../terminal/output.ts";

/** The options of every command. */
export const commonOptions = {
  json: { type: "boolean", description: "One JSON object per line on standard output, and nothing else" },
  locale: { type: "string", description: "en, es or pt (VENTANILLA_LOCALE, LANG)", valueHint: "language" },
} as const;

/** The language and the form of what is printed. What names no language of ours counts as not set. */
export function createOutput(
  { json, locale }: { json: boolean; locale: string | undefined },
  environment: NodeJS.ProcessEnv,
  configured?: Locale,
): Output {
  const system = [environment["LC_ALL"], environment["LC_MESSAGES"], environment["LANG"]].find((value) => value);
  const candidates = [locale, environment["VENTANILLA_LOCALE"], configured, system];
  return new Output({ locale: candidates.map(localeIn).find((found) => found !== undefined) ?? "en", json });
}

/** @throws {InputError} `invalid_input` for a language that there are no texts in. */
export function checkLocale(locale: string | undefined): void {
  if (locale !== undefined && !["en", "es", "pt"].includes(locale)) {
    throw new InputError("invalid_input", { field: "--locale", detail: "must be en, es or pt" });
  }
}
