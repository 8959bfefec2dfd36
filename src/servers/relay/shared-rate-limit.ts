import { KeyRing, type SealKeys } from "../../core/tokens/sealed-token.ts";
import { checkStore, claim, type Store } from "../../core/tokens/store.ts";
import { toNetworks } from "./caller-address.ts";
import { createRateLimit, type RateLimit, type RateLimitOptions, withDefaults } from "./rate-limit.ts";

/** What `createSharedRateLimit` takes. */
export interface SharedRateLimitOptions extends RateLimitOptions {
  /** A store that all instances share. */
  readonly store: Store;
  /** Makes names of which the store can't tell who the callers are: the `sealKey` of the relay. */
  readonly key: SealKeys;
}

/**
 * The rate limit of `createRateLimit`, counted by all instances together: logins of one caller, and those of one user at one bank. Each is a claim
 * in the store. Reads are counted by each instance. It counts whole windows: at the turn of two of them twice as many can come at once.
 *
 * @throws {BankError} `invalid_input` naming the option that can't be used.
 * @example
 * createRelay({ …, rateLimit: createSharedRateLimit({ store, key: sealKey, login: 5 }) });
 */
export function createSharedRateLimit({ store, key, ...options }: SharedRateLimitOptions): RateLimit {
  const own = createRateLimit(options);
  const keys = new KeyRing(key, "key");
  checkStore("store", store);
  const { login, window, user: users } = withDefaults(options);

  /** Takes one of the claims of a window. @returns the milliseconds until the next window, if all are taken. */
  async function take(name: string, count: number, time: number): Promise<number> {
    const number = Math.floor(Date.now() / time);
    const end = (number + 1) * time;
    const prefix = `limit:${(await keys.sign(`ventanilla-limit-1 ${name}`)).slice(0, 32)}:${number}`;
    for (let slot = 0; slot < count; slot += 1) {
      if (await claim(store, `${prefix}:${slot}`, new Date(end))) return 0;
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
