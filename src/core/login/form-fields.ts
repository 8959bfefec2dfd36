import type { AccountType, AuthField, ProviderDetail } from "../../../machines/provider.types.ts";
import type { Secret } from "../api/secret.ts";
import {
  accountTypeLabels,
  bankLanguages,
  fieldLabels,
  type LanguageOptions,
  readLanguage,
  toLocale,
} from "../texts/languages.ts";

/** One value of a field with choices. */
export interface FormChoice {
  /** The value to send. */
  readonly value: string;
  /** The label to show, in the person's language if the bank has it. */
  readonly label: string;
}

/** A field for a screen: the bank's auth field (contract, section 2.2) in the terms of HTML. */
export interface FormField {
  /** The name to send it under. */
  readonly name: string;
  /** The label, in the person's language if it is known. */
  readonly label: string;
  /** `select` if there are choices; `password` hides what is typed; `hidden`: show nothing, and send `initial`. */
  readonly input: "text" | "password" | "select" | "hidden";
  /** For the attribute `autocomplete`. With `username` and `current-password` a browser fills in what it has saved for the page's origin. */
  readonly autocomplete: "username" | "current-password" | "new-password" | "one-time-code" | "off";
  /** For the attribute `inputmode`. */
  readonly inputMode: "text" | "numeric" | "tel" | "email";
  /** Whether it may not be left empty. */
  readonly required: boolean;
  /** Empty unless `input` is `select`. */
  readonly choices: readonly FormChoice[];
  /** The first value; empty for none. */
  readonly initial: string;
  /**
   * The known user name, to use in place of `initial`. It is a secret, so that a view holds nothing that was typed: call
   * `reveal(prefill)` where you render the input.
   */
  readonly prefill?: Secret;
}

/** The options of a form's fields. */
export interface FieldOptions extends LanguageOptions {
  /**
   * Lets the browser fill in the user name and the password that it has saved for the page's origin, and save new ones: only for an origin
   * that serves bank logins alone. Elsewhere the saved login is that of the page itself, and the bank would get it. Default false.
   */
  readonly savedLogins?: boolean | undefined;
}

/** The typed values, by field name. They stay in the form; `submit` gives them to the statechart once, as secrets. */
export type FormValues = Readonly<Record<string, string>>;

// Every bank requires these two (contract, section 4.1), even if it does not list them.
const always: readonly AuthField[] = [
  { name: "username", type: "text", interactive: false, optional: false },
  { name: "password", type: "password", interactive: false, optional: false },
];

/**
 * The fields of a first login, in the bank's order: the interactive ones are asked for later, by `interaction_required`.
 * Without the bank's detail, the two fields that every bank takes. A known user name is the `prefill` of the field `username`
 * (contract, section 4.1).
 */
export function credentialFields(
  detail: ProviderDetail | undefined,
  options: FieldOptions,
  username?: Secret,
): readonly FormField[] {
  // Some banks list `provider` too (contract, section 4.1): it is already known.
  const listed = detail?.auth_fields.filter(({ name, interactive }) => !interactive && name !== "provider") ?? [];
  const unlisted = always.filter(({ name }) => !listed.some((field) => field.name === name));
  return [...unlisted, ...listed].map((field) => {
    const shown = formField(field, options);
    return username && shown.name === "username" && shown.input !== "select" ? { ...shown, prefill: username } : shown;
  });
}

/** The field for a screen from an auth field. */
export function formField(field: AuthField, options: FieldOptions): FormField {
  const choices = toChoices(field, options);
  const input = choices.length > 0 ? "select" : isHidden(field) ? "password" : "text";
  // With a default that is not among the choices, the form would show another value than it sends.
  const isOffered = input !== "select" || choices.some(({ value }) => value === field.default);
  return {
    name: field.name,
    label: formatLabel(field, options),
    input,
    autocomplete: toAutocomplete(field, options),
    inputMode: toInputMode(field),
    // User name and password are never optional.
    required: !field.optional || always.some(({ name }) => name === field.name),
    choices,
    initial: (isOffered && field.default) || "",
  };
}

/** The values that can be sent, if the bank lists them. */
export function toChoices({ choices }: AuthField, language: LanguageOptions): readonly FormChoice[] {
  return (choices ?? []).map((choice) => ({ value: choice.name, label: formatLabel(choice, language) }));
}

/** A kind of account that the bank operates with. */
export interface AccountTypeView {
  /** The contract's word: `pers`, `corp`, `smes`, or one not known here. */
  readonly name: string;
  /** The label to show, in the person's language if the bank has it. */
  readonly label: string;
}

/** The kinds of account of a bank (contract, section 2.2), in its order. */
export function labelAccountTypes(
  types: readonly AccountType[],
  language: LanguageOptions,
): readonly AccountTypeView[] {
  return types.map((type) => ({
    name: type.name,
    label: formatLabel(type, language, accountTypeLabels(language)),
  }));
}

/** A label in the language, else in the nearest language that has one, else the name in words. */
function formatLabel(
  labelled: { name: string; [member: string]: unknown },
  language: LanguageOptions,
  labels: Readonly<Record<string, string>> = fieldLabels(language),
): string {
  // For banks without labels, and for languages that the contract does not have.
  const known = Object.hasOwn(labels, labelled.name) ? labels[labelled.name] : undefined;
  const languages = bankLanguages[toLocale(language.locale)];
  const spoken = readLanguage(language);
  const ofBank = languages.map((name) => labelled[`label_${name}`]);
  // A bank may have labels in more languages than the contract.
  const nearest = languages.some((name) => name === spoken) ? [...ofBank, known] : [known, ...ofBank];
  const candidates = [labelled[`label_${spoken}`], ...nearest];
  return (
    (candidates.find((label) => typeof label === "string" && label.trim() !== "") as string) ??
    formatFieldName(labelled.name)
  );
}

/** Turns `document_number` into `Document number`. */
function formatFieldName(name: string): string {
  const words = name.replaceAll(/[_-]+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function isHidden(field: AuthField): boolean {
  // A one-time code is not hidden: a person who copies it from a telephone has to see what is typed.
  return (field.type === "password" || field.name === "password") && !isOneTimeCode(field);
}

/** Whether a field is named after a one-time code. */
export const isCodeName = (name: string): boolean => /^(otp|token|code|sms)/.test(name);

/** Whether a field asks for a one-time code. */
export function isOneTimeCode({ name, type, interactive, choices }: AuthField): boolean {
  return interactive && isCodeName(name) && type !== "choice" && !choices?.length;
}

// Measured in Chromium 156 and Firefox 153 with a login saved for the origin: with `current-password` and with `off` both fill in user name and
// password as the form shows, Firefox with `one-time-code` too. With `new-password` neither fills in anything. A click on the password opens a
// menu with the saved login, in Firefox also with a password that it makes up; a person who types on notices neither.
function toAutocomplete(field: AuthField, { savedLogins = false }: FieldOptions): FormField["autocomplete"] {
  if (savedLogins && field.name === "username") return "username";
  if (savedLogins && field.name === "password") return "current-password";
  if (isHidden(field)) return "new-password";
  return isOneTimeCode(field) ? "one-time-code" : "off";
}

function toInputMode(field: AuthField): FormField["inputMode"] {
  const { name, type } = field;
  if (type === "number" || type === "numeric") return "numeric";
  // A token can have letters, and a phone's keyboard for digits has none.
  if (name === "otp" || (isOneTimeCode(field) && !name.startsWith("token"))) return "numeric";
  if (type === "tel" || type === "email") return type;
  return "text";
}
