import type { LoginSettings } from "../../../machines/login.types.ts";
import type { BankClient } from "../api/client.ts";
import { checkClient, type OptionNames, refuseMisspelt } from "../api/input-checks.ts";
import { createLoginMachine } from "./create-login-machine.ts";
import { type CredentialTexts, createCredentials, credentialNames } from "./credentials.ts";
import { type AnsweringHandlers, type LoginHandlers, loginHandlers } from "./handlers.ts";
import { type RefusalMemory, rememberRefusals } from "./known-refusals.ts";
import { runLogin } from "./login-run.ts";
import type { EndedOutcome, LoginOutcome, LoginOutcomeWithoutClients } from "./outcome.ts";
import { checkSettings, loginSettings, toPlainSettings } from "./validation.ts";

/** The options of `login()`. */
export interface LoginOptions extends CredentialTexts, LoginHandlers, LoginSettings {
  /**
   * Lists the clients after `select_client`, to choose one. Beyond the contract (`/client/`), so opt-in. Default: true if there is an
   * `onSelectClient`.
   */
  readonly clientSelection?: boolean;
  /**
   * Remembers the forms that the bank refuses (`wrong_credentials`), and sends none of them again: the login ends with `known_wrong` at once, in any
   * process that shares the store, until another password is given. Default: nothing is remembered, and each call is one more try at the bank.
   */
  readonly refusals?: RefusalMemory;
  /** Sends the form although `refusals` knows it as refused. If the bank accepts it now, the refusal is forgotten. Default false. */
  readonly ignoreKnownRefusal?: boolean;
}

const loginOptions: OptionNames<LoginOptions> = {
  ...credentialNames,
  ...loginHandlers,
  ...loginSettings,
  refusals: true,
  ignoreKnownRefusal: true,
};

/** No client can be chosen: the default. */
export interface WithoutClients {
  readonly clientSelection?: false;
  readonly onSelectClient?: never;
}

/** Handlers that answer whatever the bank asks. */
export type AnsweringOptions = AnsweringHandlers | (Pick<AnsweringHandlers, "onInteraction"> & WithoutClients);

/**
 * Logs in without a screen (contract, sections 3 to 5). It resolves to an outcome, and rejects with a fault.
 * If the bank asks for something and no handler answers, the outcome is `awaitingInteraction`, and its `answer` resolves to the next one. With handlers for all
 * that the options let the bank ask, none of which returns an outcome, its type is that of a login that has ended. The credentials are sent once, and once more with
 * each answer.
 *
 * @throws {BankError} `invalid_input` or `missing_field`, naming the field, or the option that is misspelt or belongs in `fields`; nothing
 * was sent.
 * @throws {BankError} `handler_failed`, naming the handler that threw; `cause` is what it threw.
 * @throws {BankError} any other fault of `docs/errors.md`.
 * @example
 * let outcome = await login(client, { provider: "test", username: "12345otp", password: "asdfg" });
 * while (outcome.state === "awaitingInteraction") {
 *   outcome = await outcome.answer(await askThePerson(outcome.interaction));
 * }
 * if (outcome.state === "loggedIn") await client.listTransferDestinations(outcome.key);
 */
export function login(client: BankClient, options: LoginOptions & AnsweringOptions): Promise<EndedOutcome>;
export function login(client: BankClient, options: LoginOptions & WithoutClients): Promise<LoginOutcomeWithoutClients>;
export function login(client: BankClient, options: LoginOptions): Promise<LoginOutcome>;
export async function login(client: BankClient, options: LoginOptions): Promise<LoginOutcome> {
  checkClient(client);
  const credentials = { ...createCredentials(toCredentialTexts(options)), others: listOthers(options) };
  const { refusals, ignoreKnownRefusal } = options;
  const bank = refusals === undefined ? client : rememberRefusals(client, refusals, ignoreKnownRefusal);
  const event = { type: "credentials.submit", credentials } as const;
  return runLogin(bank, createLoginMachine(bank), toSettings(options), options, event);
}

/**
 * The values of the form among the options of a login. A whole record of the user may be spread into them: its members are left alone,
 * unless one can only be meant for us.
 *
 * @throws {BankError} `invalid_input`, naming the misspelt option.
 */
export function toCredentialTexts(options: LoginOptions): CredentialTexts {
  refuseMisspelt(options, loginOptions);
  const { provider, username, password, fields } = options;
  return { provider, username, password, ...(fields !== undefined && { fields }) };
}

/** The names that `login()` does not know: a field of the bank among them is misplaced. */
export const listOthers = (options: object): readonly string[] =>
  Object.keys(options).filter((name) => !Object.hasOwn(loginOptions, name));

/**
 * The settings of the statechart for the options of a login.
 *
 * @throws {BankError} `invalid_input`, naming the option.
 */
export function toSettings(options: LoginOptions): LoginSettings {
  // Options may come with a whole record of the user: only the settings among them are checked.
  const names = Object.keys(loginSettings) as (keyof LoginSettings)[];
  const given = names.map((name) => [name, options[name]] as const).filter(([, value]) => value !== undefined);
  const settings: LoginSettings = {
    clientSelection: options.onSelectClient !== undefined,
    ...Object.fromEntries(given),
  };
  checkSettings(settings);
  return toPlainSettings(settings);
}
