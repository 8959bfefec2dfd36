import type { LoginSettings } from "../../../machines/login.types.ts";
import type { BankClient } from "../api/client.ts";
import { type OptionParsers, parseObject, parseOptions } from "../api/input-checks.ts";
import { createLoginMachine } from "./create-login-machine.ts";
import { type CredentialTexts, createCredentials } from "./credentials.ts";
import { type AnsweringHandlers, handlerParsers, type LoginHandlers } from "./handlers.ts";
import { runLogin } from "./login-run.ts";
import type { EndedOutcome, LoginOutcome, LoginOutcomeWithoutClients } from "./outcome.ts";
import { toPlainSettings } from "./validation.ts";

/** The options of `login()`. */
export interface LoginOptions extends LoginHandlers {
  /** How the login behaves. Default: by the contract, but `clientSelection` is on if there is an `onSelectClient`. */
  readonly settings?: LoginSettings;
}

/** Checks the options. The requests check the settings: a program can also start the statechart itself. */
export const loginOptions = {
  ...handlerParsers,
  settings: parseObject<LoginSettings>,
} satisfies OptionParsers<LoginOptions>;

/** No client can be chosen: the default. */
interface WithoutClients {
  readonly settings?: LoginSettings & { readonly clientSelection?: false };
  readonly onSelectClient?: never;
}

/** Handlers that answer whatever the bank asks. */
type AnsweringOptions = AnsweringHandlers | (Omit<AnsweringHandlers, "onSelectClient"> & WithoutClients);

/**
 * Logs in without a screen (contract, sections 3 to 5). It resolves to an outcome, and rejects with a fault.
 * If the bank asks for something and no handler answers, the outcome is `awaitingInteraction`, and its `answer` resolves to the next one. With handlers for all
 * that the options let the bank ask, none of which returns an outcome, its type is that of a login that has ended. The credentials are sent once, and once more with
 * each answer.
 *
 * @throws {BankError} `invalid_input` or `missing_field`, naming the field, the option or the setting; nothing was sent.
 * @throws {BankError} `handler_failed`, naming the handler that threw; `cause` is what it threw.
 * @throws {BankError} any other fault of `docs/errors.md`.
 * @example
 * let outcome = await login(client, { provider: "test", username: "12345otp", password: "asdfg" });
 * while (outcome.state === "awaitingInteraction") {
 *   outcome = await outcome.answer(await askThePerson(outcome.interaction));
 * }
 * if (outcome.state === "loggedIn") await client.listTransferDestinations(outcome.key);
 */
export function login(
  client: BankClient,
  credentials: CredentialTexts,
  options: LoginOptions & AnsweringOptions,
): Promise<EndedOutcome>;
export function login(
  client: BankClient,
  credentials: CredentialTexts,
  options?: LoginOptions & WithoutClients,
): Promise<LoginOutcomeWithoutClients>;
export function login(client: BankClient, credentials: CredentialTexts, options?: LoginOptions): Promise<LoginOutcome>;
export async function login(
  client: BankClient,
  credentials: CredentialTexts,
  options: LoginOptions = {},
): Promise<LoginOutcome> {
  const machine = createLoginMachine(client);
  const event = { type: "credentials.submit", credentials: createCredentials(credentials) } as const;
  return runLogin(client, machine, toSettings(options), options, event);
}

/**
 * The settings of the statechart for the options of a login.
 *
 * @throws {BankError} `invalid_input`, naming the option.
 */
export function toSettings(options: LoginOptions): LoginSettings {
  const { onSelectClient, settings } = parseOptions(
    options,
    loginOptions,
    ": how a login behaves belongs in `settings`",
  );
  return toPlainSettings({ clientSelection: onSelectClient !== undefined, ...settings });
}
