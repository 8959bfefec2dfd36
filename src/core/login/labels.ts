import { accountTypeLabels, fieldLabels, fillIn, formTexts, type Locale } from "../texts/languages.ts";

/** The label of a known field name: for banks without labels, and for languages that the contract does not have. */
export function knownLabel(name: string, locale: Locale): string | undefined {
  const labels: Readonly<Record<string, string>> = fieldLabels[locale];
  return Object.hasOwn(labels, name) ? labels[name] : undefined;
}

/** The label of a kind of account that the contract names. */
export function knownAccountType(name: string, locale: Locale): string | undefined {
  const labels: Readonly<Record<string, string>> = accountTypeLabels[locale];
  return Object.hasOwn(labels, name) ? labels[name] : undefined;
}

/** Turns `document_number` into `Document number`. */
export function formatFieldName(name: string): string {
  const words = name.replaceAll(/[_-]+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The text for a person whom the bank asks for the same field again. */
export function formatRepeat(answersSent: number, locale: Locale): string {
  return `${formTexts[locale].repeated} ${answersSent}.`;
}

/** The text for a person whose session at a bank has ended. */
export function formatSessionEnd(bank: string, locale: Locale): string {
  return fillIn(formTexts[locale].sessionEnded, { bank });
}

/** The text for a person whom the service asks to wait, in milliseconds. */
export function formatRetryAfter(retryAfter: number, locale: Locale): string {
  const time = retryAfter <= 90_000 ? `${Math.ceil(retryAfter / 1_000)} s` : `${Math.ceil(retryAfter / 60_000)} min`;
  return `${formTexts[locale].timeToWait} ${time}.`;
}
