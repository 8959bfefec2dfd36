import { createRandomId } from "../../core/api/random-id.ts";
import { KeyRing, type SealKeys } from "../../core/tokens/sealed-token.ts";
import { CLOCK_TOLERANCE, createRecords, type Store } from "../../core/tokens/store.ts";
import { toNetworks } from "./caller-address.ts";
import { createRateLimit, parseRateLimit, type RateLimit, type RateLimitOptions } from "./rate-limit.ts";

/** What `createSharedRateLimit` takes. */
export interface SharedRateLimitOptions extends RateLimitOptions {
  /** A store that all instances share. */
  readonly store: Store;
  /** Makes names of which the store can't tell who the callers are: the `sealKey` of the relay. */
  readonly key: SealKeys;
}

/**
 * The rate limit of `createRateLimit`, counted by all instances together: logins of one caller, and those of one user at one bank. Each caller and
 * each user has one row in the store for a window. Reads are counted by each instance. It counts whole windows: at the turn of two of them twice as many can
 * come at once.
 *
 * @throws {BankError} `invalid_input` naming the option that can't be used.
 * @example
 * createRelay({ …, rateLimit: createSharedRateLimit({ store, key: sealKey, login: 5 }) });
 */
export function createSharedRateLimit({ store, key, ...options }: SharedRateLimitOptions): RateLimit {
  const own = createRateLimit(options);
  const keys = new KeyRing(key, "key");
  const records = createRecords(store);
  const { login, window, user: users } = parseRateLimit(options);

  /** Counts a login in the row of its window. @returns the milliseconds until the next window, if as many as the budget were counted. */
  async function take(name: string, budget: number, time: number): Promise<number> {
    const number = Math.floor(Date.now() / time);
    const end = (number + 1) * time;
    const id = `limit:${(await keys.sign(`ventanilla-limit-1 ${name}`)).slice(0, 32)}:${number}`;
    // Most callers log in once in a window, so the first try does not read.
    let text: string | undefined;
    // After each swap that fails another login was counted: as many as the budget are enough tries.
    for (let tries = 0; tries <= budget; tries += 1) {
      const count = Number.parseInt(text ?? "0", 10) || 0;
      if (count >= budget) break;
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
    if (kind === "user" && user !== undefined) return take(`user ${user}`, users.login, users.window);
    if (kind !== "login" || caller === undefined) return 0;
    const [address = caller] = toNetworks(caller);
    return take(`caller ${address}`, login, window);
  };
}
