import * as v from "valibot";
import { BankError } from "../../core/api/errors.ts";
import type { SandboxAnswer } from "./account-table.ts";
import type { Account, AccountType, AuthField, Bank, Destination } from "./bank-model.ts";
import { askCode, selectClient, usernameAndPassword } from "./banks/bank-parts.ts";

/** Your own bank, as the service describes it (contract, sections 2.1 and 2.2), with its users. */
export interface SandboxBank {
  /** The value sent as `provider`: small letters, digits and `_`. The code of a bank of the sandbox replaces that bank. */
  readonly code: string;
  /** Two uppercase letters. */
  readonly country: string;
  readonly name: string;
  /**
   * The fields of its login (contract, section 2.2).
   * @default `username` and `password`
   */
  readonly auth_fields?: readonly SandboxAuthField[];
  /**
   * The account types (contract, section 2.2).
   * @default none
   */
  readonly account_type?: readonly AccountType[];
  /**
   * The transfer destinations of its sessions (contract, section 2.4).
   * @default none
   */
  readonly destinations?: readonly Destination[];
  /** Its users. For all others the credentials are wrong. */
  readonly accounts: readonly SandboxBankAccount[];
}

/** A field of a login (contract, section 2.2). A choice has `choices`, which are beyond the contract. */
export type SandboxAuthField = Omit<AuthField, "narrowedBy">;

/** A user of your own bank. The login has a step for each of these members that is present, in this order. */
export interface SandboxBankAccount {
  readonly username: string;
  readonly password: string;
  /** The right values of the bank's own fields that are not interactive, by their names. */
  readonly fields?: Readonly<Record<string, string>>;
  /** The bank's interactions, one after another, with its text and the right answer (contract, section 3). */
  readonly answers?: readonly (SandboxAnswer & { readonly context: string })[];
  /** The response that ends the login instead of a session: `{ http: 403, body: { status: "user_blocked" } }`. HTTP 200 by default. */
  readonly refusal?: { readonly http?: number; readonly body: { readonly status: string } };
  /** The clients to choose from after `select_client`, by their ids. Beyond the contract. */
  readonly clients?: Readonly<Record<string, string>>;
}

const text = v.pipe(v.string(), v.nonEmpty());
const texts = v.record(v.string(), text);
const labels = { label_en: v.optional(v.string()), label_es: v.optional(v.string()) };

export const ownBanks = v.array(
  v.strictObject({
    code: v.pipe(v.string(), v.regex(/^[a-z0-9_]+$/)),
    country: v.pipe(v.string(), v.regex(/^[A-Z]{2}$/)),
    name: text,
    auth_fields: v.optional(
      v.array(
        v.strictObject({
          name: text,
          type: text,
          interactive: v.boolean(),
          optional: v.optional(v.boolean()),
          ...labels,
          choices: v.optional(v.array(v.strictObject({ name: text, label_en: v.string(), label_es: v.string() }))),
          default: v.optional(v.string()),
        }),
      ),
    ),
    account_type: v.optional(
      v.array(
        v.strictObject({ name: v.picklist(["pers", "corp", "smes"]), label_en: v.string(), label_es: v.string() }),
      ),
    ),
    destinations: v.optional(v.array(v.strictObject({ id: v.pipe(v.number(), v.safeInteger()), name: text }))),
    accounts: v.array(
      v.strictObject({
        username: text,
        password: text,
        fields: v.optional(texts),
        answers: v.optional(
          v.array(v.strictObject({ field: text, answer: text, context: v.string(), together: v.optional(texts) })),
        ),
        refusal: v.optional(
          v.strictObject({
            http: v.optional(v.pipe(v.number(), v.integer(), v.minValue(200), v.maxValue(599))),
            body: v.looseObject({ status: text }),
          }),
        ),
        clients: v.optional(texts),
      }),
    ),
  }),
);

/** @throws {BankError} `invalid_input`, whose field is the path of what is inconsistent. */
export function toBank(bank: SandboxBank, place: number): Bank {
  const { code, country, name, auth_fields = usernameAndPassword, account_type = [], destinations = [] } = bank;
  const accounts = bank.accounts.map((account, index) => {
    for (const [member, named, interactive] of listNamedFields(account)) {
      if (auth_fields.some((field) => field.name === named && field.interactive === interactive)) continue;
      const kind = interactive ? "an interactive field" : "a field of the first login";
      throw createBankError(`banks.${place}.accounts.${index}.${member}`, `must be ${kind} of the bank`);
    }
    return toAccount(account);
  });
  return { code, country, name, authFields: auth_fields, accountTypes: account_type, destinations, accounts };
}

type NamedField = readonly [member: string, name: string, interactive: boolean];

/** The fields that an account names, and whether they have to be interactive. */
function listNamedFields({ fields = {}, answers = [] }: SandboxBankAccount): NamedField[] {
  return [
    ...Object.keys(fields).map((name): NamedField => [`fields.${name}`, name, false]),
    ...answers.flatMap(({ field, together = {} }, index): NamedField[] => [
      [`answers.${index}.field`, field, true],
      ...Object.keys(together).map((name): NamedField => [`answers.${index}.together.${name}`, name, true]),
    ]),
  ];
}

function toAccount({ username, password, fields, answers = [], refusal, clients }: SandboxBankAccount): Account {
  return {
    username,
    password,
    ...(fields && { fields }),
    shows: "",
    script: [
      ...answers.map(({ field, context, answer, together }) =>
        askCode(field, context, answer, { ...(together && { together }) }),
      ),
      ...(refusal ? [{ step: "refused", response: { http: 200, ...refusal } } as const] : []),
      ...(clients ? [selectClient(clients, "same")] : []),
    ],
  };
}

const createBankError = (field: string, detail: string) => new BankError("invalid_input", { field, detail });
