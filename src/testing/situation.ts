import type { OutcomeCode } from "../api/failures.ts";
import type { LinkSettings } from "../link/settings.ts";
import type { FormValues } from "../login/form.ts";
import { type SandboxAccount, sandboxAccounts } from "../sandbox/accounts.ts";
import type { Fault, RequestName } from "./path.ts";

/** What a bank says to a login, as far as the statechart goes. */
export type LoginWord =
  | "started"
  | "started, no key"
  | "client"
  | { readonly asks: string }
  | { readonly refuses: OutcomeCode };

/** One first login, and what follows it until the next one. */
export interface Attempt {
  /** What the person fills in. Default: what the account takes. */
  readonly values?: FormValues;
  /** What the person answers, in order. Default: the account's right answers. */
  readonly answers?: readonly string[];
  /** What the bank says to the first login, and then to each answer. */
  readonly says: readonly LoginWord[];
}

/** A fault, and what the statechart hears of it where it is an answer. */
export type HeardFault = Fault & { readonly heard?: LoginWord | "logged out" };

/** What a bank does in the course of one path: an account of the sandbox, and faults where no account shows it. */
export interface Situation {
  /** What follows "when" in a sentence: `the bank asks for a one-time code`. */
  readonly when: string;
  readonly account: SandboxAccount;
  /** The last one stands for all that follow. */
  readonly attempts: readonly Attempt[];
  /** What the bank says to logins after `GET /logout/`, where that makes a difference. */
  readonly afterLogout?: Attempt;
  readonly faults: readonly HeardFault[];
  /** The settings that show it. Default: the contract's. */
  readonly settings: LinkSettings;
  /** Whether it ends because the time to answer runs out. */
  readonly isLate?: true;
}

/** The account of a user of a bank. */
export function accountAt(provider: string, username: string): SandboxAccount {
  const found = sandboxAccounts.find((one) => one.provider === provider && one.username === username);
  if (!found) throw new Error(`The sandbox has no ${username} at ${provider}.`);
  return found;
}

/** What the user of an account fills in. */
export function valuesOf({ username, password, fields }: SandboxAccount): FormValues {
  return { username, password, ...fields };
}

/** The right answers of an account. */
export function answersOf({ answers = [] }: SandboxAccount): readonly string[] {
  return answers.map(({ answer }) => answer);
}

export function situation(
  provider: string,
  username: string,
  when: string,
  attempts: readonly Attempt[],
  rest: Partial<Situation> = {},
): Situation {
  return { when, account: accountAt(provider, username), attempts, faults: [], settings: {}, ...rest };
}

export const asks = (field: string) => ({ asks: field });
export const refuses = (code: OutcomeCode) => ({ refuses: code });
export const says = (...words: LoginWord[]): readonly Attempt[] => [{ says: words }];

/** The connection breaks, or no answer comes: at the first such request unless another number is given. */
export const fault = (request: RequestName, what: "broken" | "held", number = 1): HeardFault => ({
  request,
  number,
  what,
});

/** An answer in the sandbox's place, and how it is heard. */
export const answered = (
  request: RequestName,
  what: { readonly http?: number; readonly body: object },
  heard: LoginWord | "logged out",
  number: number | "always" = 1,
): HeardFault => ({ request, ...(number !== "always" && { number }), what, heard });
