import { callCallbackInTime, createCallbackError } from "../../core/api/callbacks.ts";
import {
  type OptionParsers,
  parseOptions,
  parseWholeNumber,
  unchecked,
  withDefault,
} from "../../core/api/input-checks.ts";
import type { SealKeys } from "../../core/tokens/sealed-token.ts";
import { checkStore, type Store } from "../../core/tokens/store.ts";
import {
  CALLER_WINDOW,
  createOwnRateLimit,
  type RateLimit,
  type RateLimitRequest,
  USER_WINDOW,
} from "./own-rate-limit.ts";
import { createSharedRateLimit } from "./shared-rate-limit.ts";

export interface RateLimitOptions {
  /** Logins that one caller may make in a minute, and at once. Default 10. */
  readonly login?: number;
  /** Everything else that one caller may send in a minute, answers to questions included. Default 120. */
  readonly read?: number;
  /** Logins of one user at one bank in ten minutes, from all callers. Answers to questions don't count. Default 5. */
  readonly user?: number;
  /** A store that all instances share: they count logins together, in fixed windows. It needs the `key`. Default: each instance counts for itself. */
  readonly store?: Store;
  /** Makes the names in the store, which then does not reveal the callers: the `sealKey` of the relay. */
  readonly key?: SealKeys;
}

/**
 * A rate limit, in this process's memory or in a store: token buckets per caller and kind, and per user. A caller that is an IPv6 address counts
 * by its network of 64 bits; a network of 48 bits has ten times the budget of one caller, and all unknown callers together a hundred
 * times. With a `store` all instances count logins together, in fixed windows: at the turn of two windows twice as many are possible. Reads are counted by each instance.
 *
 * @throws {BankError} `invalid_input` naming the option that can't be used.
 * @example
 * createRelay({ …, rateLimit: createRateLimit({ login: 5, store, key: sealKey }) });
 */
export function createRateLimit(options: RateLimitOptions = {}): RateLimit {
  const { login, read, user, store, key } = parseOptions(options, rateLimitOptions);
  const own = createOwnRateLimit(login, read, user);
  if (store === undefined && key === undefined) return own;
  return createSharedRateLimit(own, {
    store: checkStore("store", store as Store),
    key: key as SealKeys,
    callers: { size: login, window: CALLER_WINDOW },
    users: { size: user, window: USER_WINDOW },
  });
}

const parseBudget = (field: string, value: number): number => parseWholeNumber(field, value, 1);

const rateLimitOptions = {
  login: withDefault(10, parseBudget),
  read: withDefault(120, parseBudget),
  user: withDefault(5, parseBudget),
  store: unchecked,
  key: unchecked,
} satisfies OptionParsers<RateLimitOptions>;

/** Checks a request with the rate limit. @returns the milliseconds to wait, 0 for none. */
export async function checkRateLimit(rateLimit: RateLimit | false, request: RateLimitRequest): Promise<number> {
  const wait = rateLimit === false ? 0 : ((await callCallbackInTime("rateLimit", () => rateLimit(request))) ?? 0);
  if (typeof wait === "number" && !Number.isNaN(wait)) return wait;
  throw createCallbackError("rateLimit", "returned no number");
}
