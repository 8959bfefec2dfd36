import { createRandomId } from "../../core/api/random-id.ts";
import { KeyRing, type SealKeys } from "../../core/tokens/sealed-token.ts";
import { CLOCK_TOLERANCE, createRecords, type Store } from "../../core/tokens/store.ts";
import { toNetworks } from "./caller-address.ts";
import type { RateLimit } from "./own-rate-limit.ts";

interface Budget {
  readonly size: number;
  readonly window: number;
}

interface SharedBudgets {
  readonly store: Store;
  readonly key: SealKeys;
  readonly callers: Budget;
  readonly users: Budget;
}

/**
 * Counts the logins of one caller, and those of one user at one bank, for all instances together, in addition to the rate limit of each instance. Each caller and
 * each user has one row in the store for a window. The windows are fixed: at the turn of two windows twice as many logins are possible.
 */
export function createSharedRateLimit(own: RateLimit, { store, key, callers, users }: SharedBudgets): RateLimit {
  const keys = new KeyRing(key, "key");
  const records = createRecords(store);

  /** Counts a login in the row of its window. @returns the milliseconds until the next window, if the budget is used up. */
  async function take(name: string, { size, window }: Budget): Promise<number> {
    const number = Math.floor(Date.now() / window);
    const end = (number + 1) * window;
    const id = `limit:${(await keys.sign(`ventanilla-limit-1 ${name}`)).slice(0, 32)}:${number}`;
    // Most callers log in once in a window, so the first try does not read.
    let text: string | undefined;
    // Each failed swap means that another login was counted, so the size of the budget is the limit of tries.
    for (let tries = 0; tries <= size; tries += 1) {
      const count = Number.parseInt(text ?? "0", 10) || 0;
      if (count >= size) break;
      // The mark distinguishes this login from another one that is counted at the same time.
      const counted = `${count + 1} ${createRandomId()}`;
      text = await records.swap(id, text, counted, end - Date.now() + CLOCK_TOLERANCE);
      if (text === counted) return 0;
    }
    return Math.max(1, end - Date.now());
  }

  return async (request) => {
    // First the instance's own limit: what it refuses does not reach the store.
    const wait = (await own(request)) ?? 0;
    const { kind, caller, user } = request;
    if (wait > 0) return wait;
    if (kind === "user" && user !== undefined) return take(`user ${user}`, users);
    if (kind !== "login" || caller === undefined) return 0;
    const [address = caller] = toNetworks(caller);
    return take(`caller ${address}`, callers);
  };
}
