import { BankError, errorOf } from "../api/errors.ts";
import { type LoginOutcome, refusal } from "../login/outcome.ts";
import { openSessionKey, type SealOptions } from "./sealed.ts";
import type { DurableState } from "./view.ts";

/**
 * How a durable login ended, as `login()` tells it, its key opened.
 *
 * @throws {BankError} the fault that ended it.
 */
export async function outcomeOf(
  { state, provider, failure, key: sealed }: DurableState,
  options: Pick<SealOptions, "id" | "sealKey">,
): Promise<LoginOutcome> {
  if (failure?.kind === "fault") throw errorOf(failure);
  const key = sealed === undefined ? undefined : await openSessionKey(sealed, options);
  if (failure) return refusal(failure, provider, key);
  if (state === "cancelled") return { status: "cancelled", provider };
  if (state === "selectClient.resting") return { status: "select_client", provider, key };
  if (state === "loggedIn" && key) return { status: "logged_in", provider, key };
  throw new BankError("unexpected_fault", { detail: `is ${state}` });
}
