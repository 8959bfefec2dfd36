import type { LinkSettings } from "../../../machines/link.types.ts";
import type { ProviderDetail } from "../../../machines/provider.types.ts";
import type { OutcomeCode } from "../../core/api/failures.ts";
import { toProviderResponse } from "../../core/api/parse-response.ts";
import type { FormValues } from "../../core/login/form-fields.ts";
import { type SandboxAccount, sandboxAccounts } from "../sandbox/account-table.ts";
import { type Bank, type Chosen, describeProvider } from "../sandbox/bank-model.ts";
import { banks } from "../sandbox/banks/index.ts";
import type { Fault, RequestName } from "./path-types.ts";

/** A response of the bank, as the statechart sees it. */
export type ScriptedResponse =
  | "started"
  | "started, no key"
  | "client"
  /** The field, and the bank's text if it differs from the account's. */
  | { readonly asks: string; readonly context?: string }
  | { readonly refuses: OutcomeCode };

/** A first login and the second logins that follow it. */
export interface Attempt {
  /** The user who logs in. Default: the scenario's account. */
  readonly account?: SandboxAccount;
  /** What the person fills in. Default: the right values of the account. */
  readonly values?: FormValues;
  /** What the person answers, in order. Default: the account's right answers. */
  readonly answers?: readonly (string | FormValues)[];
  /** What the bank says to the first login, and then to each answer. */
  readonly says: readonly ScriptedResponse[];
}

/** A fault. Its response has a meaning for the statechart; the default is that of the sandbox's response. */
export type ScriptedFault = Fault & { readonly meaning?: ScriptedResponse | undefined };

/** The bank's behaviour on one path: an account of the sandbox, and faults for what no account shows. */
export interface Scenario {
  /** What follows "when" in a sentence: `the bank asks for a one-time code`. */
  readonly when: string;
  readonly account: SandboxAccount;
  /** The last one is repeated. */
  readonly attempts: readonly Attempt[];
  /** The bank's responses to logins after `GET /logout/`. Default: those of the attempts. */
  readonly afterLogout?: Attempt;
  readonly faults: readonly ScriptedFault[];
  /** What the bank asks at the login, and its clients, if they differ from the account's: a fault responds with them. */
  readonly ownTexts?: { readonly provider: object; readonly clients: Readonly<Record<string, string>> };
  /** The settings that show it. Default: the contract's. */
  readonly settings: LinkSettings;
  /** The user of a bank whose form is filled in first, and not sent: then the person chooses the account's bank. */
  readonly leaves?: SandboxAccount;
  /** A request that the path must contain, even if a shorter path has none. */
  readonly passes?: RequestName;
  /** Whether it ends because the time to answer is over. */
  readonly isLate?: true;
  /** Whether the screen changes its language or theme while the person types and while the bank asks. */
  readonly changesAppearance?: true;
}

/** The account of a user of a bank. */
export function findAccount(provider: string, username: string): SandboxAccount {
  const found = sandboxAccounts.find((one) => one.provider === provider && one.username === username);
  if (!found) throw new Error(`The sandbox has no ${username} at ${provider}.`);
  return found;
}

/** What the user of an account fills in. */
export function toFormValues({ username, password, fields }: SandboxAccount): FormValues {
  return { username, password, ...fields };
}

/** The right answers of an account. */
export function listAnswers({ answers = [] }: SandboxAccount): readonly (string | FormValues)[] {
  return answers.map(({ field, answer, together }) => (together ? { [field]: answer, ...together } : answer));
}

/** The bank's fields for an account, as the client reads them; narrowed, if a choice was made. */
export function toProviderDetail(
  { ownTexts }: Pick<Scenario, "ownTexts">,
  code: string,
  chosen?: Chosen,
): ProviderDetail {
  const provider = ownTexts?.provider ?? describeProvider(banks.get(code) as Bank, chosen);
  const wire = {
    request: "GET /provider/{code}/",
    baseUrl: "",
    httpStatus: 200,
    secrets: [],
    isOfRelay: false,
    login: undefined,
  } as const;
  const read = toProviderResponse({ ...wire, status: "success", body: { provider } }, code);
  if (read.status !== "success") throw new Error(`The sandbox refuses ${code}.`);
  return read.provider;
}

/** The bank's question to the user of an account, for a field: its text, and all fields that the bank asks for together. */
export function findQuestion({ provider, username }: SandboxAccount, field: string) {
  const script = banks.get(provider)?.accounts.find((account) => account.username === username)?.script ?? [];
  const step = script.find((step) => step.step === "interaction" && step.field === field);
  const { context, together } = step?.step === "interaction" ? step : { context: "", together: undefined };
  return { field, fields: [field, ...Object.keys(together ?? {})], context };
}

export function scenario(
  provider: string,
  username: string,
  when: string,
  attempts: readonly Attempt[],
  rest: Partial<Scenario> = {},
): Scenario {
  return { when, account: findAccount(provider, username), attempts, faults: [], settings: {}, ...rest };
}

export const asks = (field: string, context?: string) => ({ asks: field, ...(context !== undefined && { context }) });
export const refuses = (code: OutcomeCode) => ({ refuses: code });
export const says = (...responses: ScriptedResponse[]): readonly Attempt[] => [{ says: responses }];

/** The connection breaks, or no response arrives: at the first such request unless another number is given. */
export const fault = (request: RequestName, what: "broken" | "held", number = 1): ScriptedFault => ({
  request,
  number,
  what,
});

/** A response instead of the sandbox's, and its meaning for the statechart. */
export const responds = (
  request: RequestName,
  what: { readonly http?: number; readonly body: object },
  meaning: ScriptedResponse | undefined,
  number: number | "always" = 1,
): ScriptedFault => ({ request, ...(number !== "always" && { number }), what, meaning });

/** The scenarios in which a request is refused, breaks, or gets no response. */
export function failing(base: Scenario, refusal: ScriptedFault): readonly Scenario[] {
  const { request } = refusal;
  return [
    { ...base, when: `${base.when} is refused`, faults: [refusal] },
    { ...base, when: `${base.when} breaks`, faults: [fault(request, "broken")] },
    { ...base, when: `${base.when} gets no response`, faults: [fault(request, "held")] },
  ];
}
