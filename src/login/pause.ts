import { type Actor, createActor, type InspectionEvent, type SnapshotFrom } from "xstate";
import type { loginMachine } from "../../machines/login.ts";
import type { BankClient } from "../api/client.ts";
import { InputError, PauseError, TokenError } from "../api/errors.ts";
import { absoluteUrl, milliseconds } from "../api/options.ts";
import { type ClaimStore, checkClaimStore, claim, processClaimStore } from "../tokens/claim-store.ts";
import type { SealKeys } from "../tokens/seal.ts";
import { clientOf, loginMachineOf } from "./machine.ts";
import { open, seal } from "./paused-token.ts";
import type { PausedLogin } from "./requests.ts";
import { stateOf } from "./state.ts";
import { watching } from "./watching.ts";

/** A login under way: what `createActor(loginMachineOf(client))` and `resume` give. */
export type LoginActor = Actor<typeof loginMachine>;

/** What `pause` takes. */
export interface PauseOptions {
  /** What seals the token: one key, or a list whose first one seals. */
  readonly key: SealKeys;
  /** Milliseconds until the token can't be used any more, rounded up to whole seconds. Default 600 000, ten minutes. */
  readonly expiresIn?: number;
}

/** What `resume` takes. */
export interface ResumeOptions {
  /** What opens the token: one key, or a list, each of which opens. */
  readonly key: SealKeys;
  /**
   * Makes each token good for one use. Default: this process's memory, which says so once on the console; where a token can
   * reach several processes, give a store that they share, see `ventanilla/tokens`.
   */
  readonly claimStore?: ClaimStore;
  /** Sees the statechart's events, as the option of XState's `createActor`. Secrets in them are opaque. Default none. */
  readonly inspect?: (event: InspectionEvent) => void;
}

/**
 * Turns a login that waits, for an answer or a choice of client, into one URL-safe sealed token, and stops it here. The token
 * holds the credentials, encrypted with the key: whoever has both has them. Not part of the contract: the login goes on with
 * the second login of interface.md, section 3, as if it had not been paused.
 *
 * @throws {PauseError} `login_not_waiting` in any other state: a request under way can't be moved, for taking it up again
 * would send the credentials again.
 * @throws {InputError} `invalid_input` naming `key`, `expiresIn`, `login` or `baseUrl`.
 * @example
 * const token = await pause(actor, { key: process.env.SEAL_KEY });
 */
export async function pause(login: LoginActor, { key, expiresIn = 600_000 }: PauseOptions): Promise<string> {
  const expiresAt = new Date(Date.now() + milliseconds("expiresIn", expiresIn));
  const client = clientOf(login.logic);
  if (!client) {
    throw new InputError("invalid_input", { field: "login", detail: "must run a machine of loginMachineOf(client)" });
  }
  const snapshot = login.getSnapshot();
  const paused = pausedOf(snapshot);
  const token = await seal(paused, { keys: key, audience: absoluteUrl(client.baseUrl), expiresAt });
  // An answer may have come in while the token was made: then the login is no longer the one that was sealed. And what was
  // paused meanwhile has its token already.
  const { status, context } = login.getSnapshot();
  if (status !== "active" || context !== snapshot.context) {
    throw new PauseError("login_not_waiting", { detail: "went on" });
  }
  login.stop();
  return token;
}

/**
 * Takes a paused login up, in this process or another, on this machine or another: the actor waits where it waited, and
 * deadlines go on counting. Nothing is sent. What was asked stands in the snapshot's context; its event was emitted before
 * anybody could listen.
 *
 * @throws {TokenError} the code says what is wrong with the token.
 * @throws {InputError} `invalid_input` naming `key`, `claimStore` or `baseUrl`.
 * @throws {HandlerError} `handler_failed` naming `claimStore`, where that store threw, did not respond within 10 seconds, or
 * returned neither `true` nor `false`.
 * @example
 * const actor = await resume(client, token, { key: process.env.SEAL_KEY });
 * actor.send({ type: "interaction.answer", answer: secret(code) });
 */
export async function resume(
  client: BankClient,
  token: string,
  { key, claimStore, inspect }: ResumeOptions,
): Promise<LoginActor> {
  if (claimStore) checkClaimStore(claimStore);
  const { paused, id, expiresAt } = await open(token, { keys: key, audience: absoluteUrl(client.baseUrl) });
  if (!(await claim(claimStore ?? processClaimStore(), id, expiresAt))) throw new TokenError("token_used");
  const actor = createActor(loginMachineOf(client), {
    input: paused.settings,
    ...(inspect && { inspect: watching(inspect) }),
  });
  actor.start();
  actor.send({ type: "login.resume", paused });
  return actor;
}

function pausedOf(snapshot: SnapshotFrom<typeof loginMachine>): PausedLogin {
  const state = stateOf(snapshot);
  const { settings, provider, credentials, key, interaction, clients, expiresAt, sessionReplaced } = snapshot.context;
  if (snapshot.status === "stopped") throw new PauseError("login_not_waiting", { detail: "was stopped" });
  const isAsked = state === "awaitingInteraction";
  if (key === undefined || !(isAsked || state === "selectClient.choosing")) {
    throw new PauseError("login_not_waiting", { detail: `is ${state}` });
  }
  return {
    settings,
    provider,
    credentials,
    key,
    interaction: isAsked ? interaction : undefined,
    clients,
    expiresAt,
    sessionReplaced,
  };
}
