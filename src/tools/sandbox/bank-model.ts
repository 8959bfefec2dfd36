import { type SandboxResponse, wrongCredentials } from "./sandbox-responses.ts";

export interface Choice {
  readonly name: string;
  readonly label_en: string;
  readonly label_es: string;
}

/** An auth field of the contract (section 2.2), and the field that narrows its choices, which is not sent. */
export interface AuthField {
  readonly name: string;
  readonly type: string;
  readonly interactive: boolean;
  readonly optional?: boolean;
  readonly label_en?: string;
  readonly label_es?: string;
  readonly choices?: readonly Choice[];
  readonly default?: string;
  /** The field that narrows the choices, and the choices that remain for each of its values. */
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

/** A step of an account's login. */
export type Step = InteractionStep | ClientsStep | PauseStep | RefusedStep;

/** The key in a response: a new one, or the client's key, which stays valid either way. The first response of a login has a new one. */
export type KeyPolicy = "new" | "same";

export interface InteractionStep {
  readonly step: "interaction";
  /** The interactive field that is asked for. */
  readonly field: string;
  readonly context: string;
  readonly answer: string;
  /** Another right answer. */
  readonly otherAnswer?: string;
  /** Whether any answer is accepted, because the person approves elsewhere. */
  readonly takesAny?: true;
  /** The fields that are asked for at the same time, with their right answers. `field` is then a list in the response. */
  readonly together?: Readonly<Record<string, string>>;
  /** Members of the response that differ from the contract. */
  readonly irregular?: { readonly field?: null | undefined; readonly context?: object };
  /** Decides the error of a missing answer: B1003 for a code, B1005 for a question. */
  readonly asks: "code" | "question";
  /** The response to a wrong answer. `ask_again` ends the interaction at the third one, the others at once. */
  readonly wrong: "wrong_credentials" | "B1002" | "B1004" | "ask_again";
  /** The response to a late answer. */
  readonly late: "Invalid key" | "B1006";
  readonly key: KeyPolicy;
}

export interface ClientsStep {
  readonly step: "clients";
  readonly clients: ReadonlyMap<string, string>;
  /** Whether the choice replaces the session key. The old one is then invalid. */
  readonly chosen: KeyPolicy;
}

interface PauseStep {
  readonly step: "pause";
}

interface RefusedStep {
  readonly step: "refused";
  readonly response: SandboxResponse;
}

export interface Account {
  readonly username: string;
  readonly password: string;
  /** The values of the bank's own non-interactive fields. */
  readonly fields?: Readonly<Record<string, string>>;
  readonly shows: string;
  /** The login follows these steps and stops at the first one that sends a response. After the last one it is logged in. */
  readonly script: readonly Step[];
  /** The key of the `logged_in` response. `absent`: it has none, and the previous one stays valid. Default: `same`. */
  readonly loggedInKey?: KeyPolicy | "absent";
  /** The response to `GET /transfer/destinations`. Default: the bank's destinations. */
  readonly destinations?: SandboxResponse;
  /** How many sessions may be open at once; one is already open elsewhere when the sandbox starts. Default: no limit. */
  readonly sessionLimit?: number;
}

export interface Bank {
  readonly code: string;
  readonly country: string;
  readonly name: string;
  readonly accountTypes: readonly AccountType[];
  readonly authFields: readonly AuthField[];
  /** Whether its detail differs from the contract on purpose: it is in the list of banks only with the option `malformed`. */
  readonly isMalformed?: true;
  /** Elements of its lists that differ from the contract; each is the last one of its list. */
  readonly badElements?: {
    readonly authFields: readonly unknown[];
    readonly accountTypes: readonly unknown[];
    readonly destinations: readonly unknown[];
  };
  /** Members of the provider detail beyond the contract. */
  readonly extraMembers?: Readonly<Record<string, unknown>>;
  readonly destinations: readonly Destination[];
  readonly accounts: readonly Account[];
  /** The response to a wrong username or password. Default: `wrong_credentials` with a message and HTTP 403. */
  readonly wrongCredentials?: SandboxResponse;
}

/** A value of the user that narrows the choices of another field. */
export interface Chosen {
  readonly field: string;
  readonly value: string;
}

/** The `provider` object of a provider detail (contract, section 2.2). */
export function describeProvider(bank: Bank, chosen: Chosen | undefined): Record<string, unknown> {
  return {
    name: bank.name,
    country: bank.country,
    auth_fields: [
      ...bank.authFields.map((field) => describeField(field, chosen)),
      ...(bank.badElements?.authFields ?? []),
    ],
    account_type: [...bank.accountTypes, ...(bank.badElements?.accountTypes ?? [])],
    logo: toLogo(bank),
    // Beyond the contract: real details have them, and some other clients need them.
    ...(!bank.isMalformed && {
      aliases: [bank.code.replaceAll("_", " ")],
      bank: { code: bank.code, name: bank.name, logo: toLogo(bank) },
      methods: {
        accounts: true,
        credit_cards: true,
        accounts_movements: true,
        credit_cards_movements: true,
        personal_info: true,
        transfers: bank.destinations.length > 0,
        enrollments: false,
      },
      endpoints_status: null,
    }),
    ...bank.extraMembers,
  };
}

const toLogo = ({ code }: Bank): string => `https://example.com/logos/${code}.svg`;

function describeField({ narrowedBy, ...field }: AuthField, chosen: Chosen | undefined): Record<string, unknown> {
  const left = chosen && narrowedBy?.field === chosen.field ? narrowedBy.leaves.get(chosen.value) : undefined;
  return left ? { ...field, choices: field.choices?.filter((choice) => left.includes(choice.name)) } : field;
}

export function findMissingField(bank: Bank, form: ReadonlyMap<string, string>): string | undefined {
  const extra = bank.authFields.filter((field) => !field.interactive && !field.optional).map((field) => field.name);
  return ["username", "password", ...extra].find((name) => !form.get(name));
}

/** The account of a first login, or the response that refuses it. */
export function findAccount(bank: Bank, form: ReadonlyMap<string, string>): Account | SandboxResponse {
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
