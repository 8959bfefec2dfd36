import { claim } from "../tokens/claim-store.ts";
import { invalidKey, outcomeUnknown, type RelayAnswer } from "./answers.ts";
import { ATTEMPT_LIFETIME } from "./attempts.ts";
import type { OpenedKey } from "./keys.ts";
import type { Call } from "./routes.ts";

/**
 * Takes an attempt before anything of it is sent to the bank.
 *
 * @returns why nothing may be sent; undefined where it may.
 * @throws {HandlerError} `handler_failed` naming `claimStore`.
 */
export async function claimAttempt({ settings, attemptId }: Call): Promise<RelayAnswer | undefined> {
  const expiresAt = new Date(Date.now() + ATTEMPT_LIFETIME);
  return (await claim(settings.claimStore, `attempt:${attemptId}`, expiresAt)) ? undefined : outcomeUnknown;
}

/** The same of a key that is good for one use. */
export async function claimKey({ settings }: Call, { id, expiresAt }: OpenedKey): Promise<RelayAnswer | undefined> {
  return (await claim(settings.claimStore, id, expiresAt)) ? undefined : invalidKey;
}
