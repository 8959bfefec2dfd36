import { toAbsoluteUrl } from "../api/base-url.ts";
import type { BankClient } from "../api/client.ts";
import { BankError } from "../api/errors.ts";
import { createInputError, type OptionParsers, optional, parseOptions, unchecked } from "../api/input-checks.ts";
import { createDefaultStore } from "../tokens/memory-store.ts";
import type { SealKeys } from "../tokens/sealed-token.ts";
import { checkStore, claim, type Store } from "../tokens/store.ts";
import { createLoginMachine } from "./create-login-machine.ts";
import { type AnsweringHandlers, handlerParsers, type LoginHandlers } from "./handlers.ts";
import { runLogin } from "./login-run.ts";
import type { EndedOutcome, LoginOutcome } from "./outcome.ts";
import { unsealPausedLogin } from "./paused-token.ts";

/** The options of `resume`. */
export interface ResumeOptions extends LoginHandlers {
  /** One key, or a list: any of them opens the token. */
  readonly key: SealKeys;
  /**
   * Lets each token be used once. Default: the memory of this process, with one message on the console. If a token can reach
   * several processes, give a store that they share, see `ventanilla/tokens`.
   */
  readonly claimStore?: Store;
}

const resumeOptions = {
  ...handlerParsers,
  key: unchecked,
  claimStore: optional(checkStore),
} satisfies OptionParsers<ResumeOptions>;

/**
 * Continues a paused login, in this process or another, on this machine or another. The outcome waits as before, and deadlines
 * continue: if a time has run out, the outcome is `expired`. Nothing is sent before an answer.
 *
 * @throws {BankError} the code says what is wrong with the token.
 * @throws {BankError} `invalid_input` naming `key`, `claimStore`, `baseUrl` or an unknown option.
 * @throws {BankError} `handler_failed` naming `claimStore`, if that store threw, did not respond within 10 seconds, or
 * returned neither `true` nor `false`; or naming the handler that threw.
 * @example
 * const outcome = await resume(client, token, { key: sealKey });
 * if (outcome.state === "awaitingInteraction") await outcome.answer(code);
 */
export function resume(
  client: BankClient,
  token: string,
  options: ResumeOptions & AnsweringHandlers,
): Promise<EndedOutcome>;
export function resume(client: BankClient, token: string, options: ResumeOptions): Promise<LoginOutcome>;
export async function resume(client: BankClient, token: string, options: ResumeOptions): Promise<LoginOutcome> {
  const machine = createLoginMachine(client);
  if (typeof token !== "string") throw createInputError("token", "must be a string: await pause()");
  // A store that could not be made must not be replaced by the memory of one process.
  const { key, claimStore } = parseOptions(options, resumeOptions);
  const { paused, id, expiresAt } = await unsealPausedLogin(token, {
    keys: key,
    audience: toAbsoluteUrl(client.baseUrl),
  });
  if (!(await claim(claimStore ?? createDefaultStore(), id, expiresAt))) throw new BankError("token_used");
  const event = { type: "login.resume", paused } as const;
  return runLogin(client, machine, paused.settings, options, event);
}
