import { type Answer, wrongCredentials } from "./answers.ts";
import type { Step } from "./script.ts";

export interface Choice {
  readonly name: string;
  readonly label_en: string;
  readonly label_es: string;
}

/** An auth field as it stands on the wire (contract, section 2.2), and what narrows its choices, which does not. */
export interface AuthField {
  readonly name: string;
  readonly type: string;
  readonly interactive: boolean;
  readonly optional?: boolean;
  readonly label_en?: string;
  readonly label_es?: string;
  readonly choices?: readonly Choice[];
  readonly default?: string;
  /** The field whose value leaves only some of the choices, and which ones each value leaves. */
  readonly narrowedBy?: { readonly field: string; readonly leaves: ReadonlyMap<string, readonly string[]> };
}

export interface AccountType {
  readonly name: "pers" | "corp" | "smes";
  readonly label_en: string;
  readonly label_es: string;
}

export interface Destination {
  readonly id: number;
  readonly name: string;
}

export interface Account {
  readonly username: string;
  readonly password: string;
  /** The values of the bank's own non-interactive fields. */
  readonly fields?: Readonly<Record<string, string>>;
  readonly shows: string;
  readonly script: readonly Step[];
  /** How many sessions may be open at once; one is already open elsewhere when the sandbox starts. Default: no limit. */
  readonly sessionLimit?: number;
}

export interface Bank {
  readonly code: string;
  readonly country: string;
  readonly name: string;
  readonly accountTypes: readonly AccountType[];
  readonly authFields: readonly AuthField[];
  /** Members of the provider detail beyond the contract. */
  readonly extraMembers?: Readonly<Record<string, unknown>>;
  readonly destinations: readonly Destination[];
  readonly accounts: readonly Account[];
  /** What a wrong username or password is met with. Default: `wrong_credentials` with a message and HTTP 403. */
  readonly wrongCredentials?: Answer;
}

/** A choice made by the user that narrows the choices of another field. */
export interface Chosen {
  readonly field: string;
  readonly value: string;
}

/** The `provider` object of a provider detail (contract, section 2.2). */
export function describeProvider(bank: Bank, chosen: Chosen | undefined): Record<string, unknown> {
  return {
    name: bank.name,
    country: bank.country,
    auth_fields: bank.authFields.map((field) => describeField(field, chosen)),
    account_type: bank.accountTypes,
    logo: `https://example.com/logos/${bank.code}.svg`,
    ...bank.extraMembers,
  };
}

function describeField({ narrowedBy, ...field }: AuthField, chosen: Chosen | undefined): Record<string, unknown> {
  const left = chosen && narrowedBy?.field === chosen.field ? narrowedBy.leaves.get(chosen.value) : undefined;
  return left ? { ...field, choices: field.choices?.filter((choice) => left.includes(choice.name)) } : field;
}

export function firstMissingField(bank: Bank, form: ReadonlyMap<string, string>): string | undefined {
  const extra = bank.authFields.filter((field) => !field.interactive && !field.optional).map((field) => field.name);
  return ["username", "password", ...extra].find((name) => !form.get(name));
}

/** The account that a first login opens, or what the bank says instead. */
export function findAccount(bank: Bank, form: ReadonlyMap<string, string>): Account | Answer {
  const account = bank.accounts.find(({ username }) => username === form.get("username"));
  const accepted =
    account?.password === form.get("password") &&
    bank.authFields.every((field) => field.interactive || isAccepted(field, form.get(field.name), account));
  return account && accepted ? account : (bank.wrongCredentials ?? wrongCredentials);
}

function isAccepted(field: AuthField, value: string | undefined, account: Account | undefined): boolean {
  if (!value) return true; // only an optional field can get here without a value
  const fields = account?.fields;
  if (fields && Object.hasOwn(fields, field.name)) return fields[field.name] === value;
  return field.choices?.some((choice) => choice.name === value) ?? true;
}
