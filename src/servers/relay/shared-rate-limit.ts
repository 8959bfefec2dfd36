import { createRandomId } from "../../core/api/random-id.ts";
import { KeyRing, type SealKeys } from "../../core/tokens/sealed-token.ts";
import { CLOCK_TOLERANCE, createRecords, type Store } from "../../core/tokens/store.ts";
import { toNetworks } from "./caller-address.ts";
import type { RateLimit } from "./own-rate-limit.ts";

/** So many logins in so many milliseconds. */
interface Budget {
  readonly size: number;
  readonly window: number;
}

/** What instances count together. */
interface SharedBudgets {
  readonly store: Store;
  readonly key: SealKeys;
  readonly callers: Budget;
  readonly users: Budget;
}

/**
 * Counts the logins of one caller, and those of one user at one bank, for all instances together, beside the rate limit of one instance. Each caller and
 * each user has one row in the store for a window. It counts whole windows: at the turn of two of them twice as many can come at once.
 */
export function shareRateLimit(own: RateLimit, { store, key, callers, users }: SharedBudgets): RateLimit {
  const keys = new KeyRing(key, "key");
  const records = createRecords(store);

  /** Counts a login in the row of its window. @returns the milliseconds until the next window, if as many as the budget were counted. */
  async function take(name: string, { size, window }: Budget): Promise<number> {
    const number = Math.floor(Date.now() / window);
    const end = (number + 1) * window;
    const id = `limit:${(await keys.sign(`ventanilla-limit-1 ${name}`)).slice(0, 32)}:${number}`;
    // Most callers log in once in a window, so the first try does not read.
    let text: string | undefined;
    // After each swap that fails another login was counted: as many as the budget are enough tries.
    for (let tries = 0; tries <= size; tries += 1) {
      const count = Number.parseInt(text ?? "0", 10) || 0;
      if (count >= size) break;
      // The mark tells this login from another one that is counted at the same time.
      const counted = `${count + 1} ${createRandomId()}`;
      text = await records.swap(id, text, counted, end - Date.now() + CLOCK_TOLERANCE);
      if (text === counted) return 0;
    }
    return Math.max(1, end - Date.now());
  }

  return async (attempt) => {
    // First: what one instance refuses by itself does not reach the store.
    const wait = (await own(attempt)) ?? 0;
    const { kind, caller, user } = attempt;
    if (wait > 0) return wait;
    if (kind === "user" && user !== undefined) return take(`user ${user}`, users);
    if (kind !== "login" || caller === undefined) return 0;
    const [address = caller] = toNetworks(caller);
    return take(`caller ${address}`, callers);
  };
}
