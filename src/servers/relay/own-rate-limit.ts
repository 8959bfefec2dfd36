import { toNetworks } from "./caller-address.ts";

/** A request to be checked by a rate limit. */
export interface RateLimitRequest {
  /** What `readCaller` returns; undefined for an unknown caller. */
  readonly caller: string | undefined;
  /**
   * `login` for `POST /login/`, `read` for everything else, answers included. A login comes a second time, as `user`, when
   * its form has been read and before it is sent to the bank.
   */
  readonly kind: "login" | "read" | "user";
  /**
   * Only with `user`: an opaque text that is the same for each login of one user at one bank, for all relays with the same seal
   * key. It is not a secret: the user name can't be found from it without the seal key.
   */
  readonly user?: string;
}

/**
 * Decides whether a request is allowed: it returns the milliseconds to wait if it is not, otherwise 0 or nothing. It is called once per
 * request, after the origin was checked, and before an app's token is checked and the body is read; once more for a login,
 * as `user`. If it throws, takes more than 10 seconds or returns anything else, the request is refused.
 */
export type RateLimit = (request: RateLimitRequest) => number | undefined | Promise<number | undefined>;

/** Milliseconds until a used budget is complete again: a caller's, and a user's. */
export const CALLER_WINDOW = 60_000;
export const USER_WINDOW = 600_000;

// Above this number, the least recently used tenth is forgotten, and its budgets are complete again.
const CALLER_LIMIT = 10_000;
const USER_LIMIT = 100_000;

/** A budget, by its name, from which a request is taken. */
type Spending = readonly [budgets: ReturnType<typeof createBudgets>, name: string];

export function createOwnRateLimit(login: number, read: number, user: number): RateLimit {
  const both = (times: number, limit: number) => ({
    login: createBudgets(login * times, CALLER_WINDOW, limit),
    read: createBudgets(read * times, CALLER_WINDOW, limit),
  });
  const callers = both(1, CALLER_LIMIT);
  const networks = both(10, CALLER_LIMIT);
  // Separate from the callers, so that they can't push it out of the memory.
  const unknownCallers = both(100, 1);
  const users = createBudgets(user, USER_WINDOW, USER_LIMIT);

  return ({ caller, kind, user }) => {
    if (kind === "user") return spend(user === undefined ? [] : [[users, user]]);
    if (caller === undefined) return spend([[unknownCallers[kind], ""]]);
    const [address = caller, wide] = toNetworks(caller);
    return spend([[callers[kind], address], ...(wide === undefined ? [] : [[networks[kind], wide] as const])]);
  };
}

/** Takes one request from each budget, or from none, and returns how long to wait. */
function spend(spendings: readonly Spending[]): number {
  const wait = Math.max(0, ...spendings.map(([budgets, name]) => budgets.wait(name)));
  if (wait === 0) for (const [budgets, name] of spendings) budgets.take(name);
  return wait;
}

interface Bucket {
  left: number;
  /** When `left` was true, in milliseconds since the epoch. */
  at: number;
}

/** Budgets of one size, by name: token buckets that refill within the window. */
function createBudgets(size: number, window: number, limit: number) {
  const buckets = new Map<string, Bucket>();

  function find(name: string): Bucket {
    const now = Date.now();
    const bucket = buckets.get(name) ?? { left: size, at: now };
    // A clock that was set back changes nothing.
    bucket.left = Math.min(size, bucket.left + (Math.max(0, now - bucket.at) * size) / window);
    bucket.at = now;
    // A Map keeps the order of insertion: the name that was used last moves to its end.
    buckets.delete(name);
    buckets.set(name, bucket);
    if (buckets.size > limit) forgetOldest();
    return bucket;
  }

  /** A tenth at once: finding the oldest name of a Map gets slower with each deletion before it. */
  function forgetOldest(): void {
    let left = Math.ceil(limit / 10);
    for (const name of buckets.keys()) {
      if (left-- === 0) return;
      buckets.delete(name);
    }
  }

  return {
    /** Milliseconds until the budget has a request left; 0 for now. */
    wait(name: string): number {
      const { left } = find(name);
      // Rounding may lose a thousandth of a request.
      return left < 0.999 ? Math.ceil(((1 - left) * window) / size) : 0;
    },
    take(name: string): void {
      const bucket = find(name);
      bucket.left = Math.max(0, bucket.left - 1);
    },
  };
}
