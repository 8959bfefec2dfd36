import type { Actor, SnapshotFrom } from "xstate";
import type { loginMachine } from "../../../machines/login.ts";
import type { PausedLogin } from "../../../machines/login.types.ts";
import { toAbsoluteUrl } from "../api/base-url.ts";
import type { BankClient } from "../api/client.ts";
import { BankError } from "../api/errors.ts";
import {
  checkObject,
  createInputError,
  LONGEST_TIMER,
  type OptionParsers,
  optional,
  parseMilliseconds,
  parseOptions,
  unchecked,
} from "../api/input-checks.ts";
import type { SealKeys } from "../tokens/sealed-token.ts";
import { readState } from "./login-state.ts";
import { sealPausedLogin } from "./paused-token.ts";

/** The actor of a login: what `createActor(createLoginMachine(client))` returns, and the `actor` of an open outcome. */
export type LoginActor = Actor<typeof loginMachine>;

/** The options of `pause`. */
export interface PauseOptions {
  /** One key, or a list whose first one seals the token. */
  readonly key: SealKeys;
  /**
   * Milliseconds until the token can't be used any more, rounded up to whole seconds. Default: until the time to answer or to choose
   * runs out (`answerTimeout`, `deadline`); without such a time 2 147 483 647, about 24 days.
   */
  readonly sealTtl?: number;
}

const pauseOptions = { key: unchecked, sealTtl: optional(parseMilliseconds) } satisfies OptionParsers<PauseOptions>;

/**
 * Turns the actor of a login that waits, for an answer or a choice of client, into one URL-safe sealed token, and stops it. An open
 * outcome has the same as its verb. The token holds the credentials, encrypted with the key: a person who has both has the
 * credentials. Pausing is not part of the contract: the login continues with the second login of the contract, section 3, as if it
 * had not been paused. A picture that the bank asks about is left out, because it does not fit into a cookie.
 *
 * @throws {BankError} `login_not_waiting` in any other state: a request that runs can't be moved, because
 * the credentials would be sent again.
 * @param client that of the login: the token can be resumed only at its service.
 * @throws {BankError} `invalid_input` naming `key`, `sealTtl`, `login`, `baseUrl` or an unknown option.
 * @example
 * const token = await pause(client, actor, { key: sealKey });
 */
export async function pause(
  client: Pick<BankClient, "baseUrl">,
  login: LoginActor,
  options: PauseOptions,
): Promise<string> {
  const { key, sealTtl } = parseOptions(options, pauseOptions);
  checkObject("client", client);
  if (typeof login?.getSnapshot !== "function") throw createInputError("login", "must be the actor of a login");
  const longest = Date.now() + (sealTtl ?? LONGEST_TIMER);
  const snapshot = login.getSnapshot();
  const paused = toPausedLogin(snapshot);
  const open = sealTtl === undefined ? snapshot.context.expiresAt : undefined;
  const expiresAt = new Date(Math.min(longest, open ?? longest));
  const token = await sealPausedLogin(paused, { keys: key, audience: toAbsoluteUrl(client.baseUrl), expiresAt });
  // If an answer arrived while the token was created, the login is no longer the one that was sealed. If the login was paused
  // meanwhile, it already has a token.
  const { status, context } = login.getSnapshot();
  if (status !== "active" || context !== snapshot.context) {
    throw new BankError("login_not_waiting", { detail: "went on" });
  }
  login.stop();
  return token;
}

function toPausedLogin(snapshot: SnapshotFrom<typeof loginMachine>): PausedLogin {
  const { state } = readState(snapshot);
  const { id, settings, provider, credentials, key, interaction, clients, expiresAt, sessionReplaced } =
    snapshot.context;
  if (snapshot.status === "stopped") throw new BankError("login_not_waiting", { detail: "was stopped" });
  if (key === undefined || !snapshot.hasTag("open")) {
    throw new BankError("login_not_waiting", { detail: `is ${state}` });
  }
  return {
    id,
    settings,
    provider,
    credentials,
    key,
    interaction: state === "awaitingInteraction" ? interaction : undefined,
    clients,
    expiresAt,
    sessionReplaced,
  };
}
