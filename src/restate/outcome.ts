import type { EndedOutcome } from "../login/outcome.ts";
import { endedOutcome } from "../login/outcome.ts";
import { openSessionKey, type SealOptions } from "./sealed.ts";
import type { DurableState } from "./view.ts";

/**
 * How a durable login ended, as `login()` tells it, its key opened.
 *
 * @throws {BankError} the fault that ended it.
 */
export async function outcomeOf(
  { state, key: sealed, ...rest }: DurableState,
  options: Pick<SealOptions, "id" | "sealKey">,
): Promise<EndedOutcome> {
  const key = sealed === undefined ? undefined : await openSessionKey(sealed, options);
  return endedOutcome({ ...rest, state: state === "cancelled" ? "idle" : state, key });
}
