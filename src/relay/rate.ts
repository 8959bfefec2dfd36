import { InputError } from "../api/errors.ts";
import { milliseconds, wholeNumber } from "../api/options.ts";

/** A request that a caller wants to make. */
export interface RelayAttempt {
  /** As `callerOf` tells; undefined where it can't be told. */
  readonly caller: string | undefined;
  /** `login` for `POST /login/`, each of its answers included; `read` for everything else. */
  readonly kind: "login" | "read";
}

/**
 * Says whether a request may be made: the milliseconds to wait where it may not, else 0 or nothing. It is asked once per
 * request, before its body is read, and after the origin was checked. If it throws, the request is refused.
 */
export type RateLimit = (attempt: RelayAttempt) => number | undefined | Promise<number | undefined>;

/** What `createRateLimit` takes: how many requests one caller may make per `window`, and at once. */
export interface RateLimitOptions {
  /** Logins and answers to questions. Default 10. */
  readonly login?: number;
  /** Everything else. Default 120. */
  readonly read?: number;
  /** In which a spent budget is whole again, in milliseconds. Default 60 000. */
  readonly window?: number;
  /** The budgets that all callers share who can't be told apart. Default ten times those of one caller. */
  readonly unknown?: { readonly login?: number; readonly read?: number };
  /** The most callers that are remembered. Beyond, the one longest unseen is forgotten, and its budget is whole again. Default 10 000. */
  readonly callers?: number;
}

interface Bucket {
  left: number;
  /** When `left` was true, in milliseconds since the epoch. */
  at: number;
}

/**
 * A rate limit in this process's memory: a token bucket per caller and kind. Several instances count each for itself.
 *
 * @throws {InputError} `invalid_input` naming the option that can't be used.
 * @example
 * createRelay({ …, rateLimit: createRateLimit({ login: 5 }) });
 */
export function createRateLimit(options: RateLimitOptions = {}): RateLimit {
  const login = budget("login", options.login ?? 10);
  const read = budget("read", options.read ?? 120);
  const window = milliseconds("window", options.window ?? 60_000);
  const limit = budget("callers", options.callers ?? 10_000);
  const own = { login, read };
  const shared = {
    login: budget("unknown.login", options.unknown?.login ?? login * 10),
    read: budget("unknown.read", options.unknown?.read ?? read * 10),
  };
  const buckets = { login: new Map<string, Bucket>(), read: new Map<string, Bucket>() };
  // Apart from the callers, so that no flood of them can make it forgotten.
  const everybody = { login: newBucket(shared.login), read: newBucket(shared.read) };

  return ({ caller, kind }) => {
    if (caller === undefined) return take(everybody[kind], shared[kind], window);
    const known = buckets[kind];
    const bucket = known.get(caller) ?? newBucket(own[kind]);
    // A Map keeps the order of insertion: whoever asks goes to its end.
    known.delete(caller);
    known.set(caller, bucket);
    const [oldest] = known.keys();
    if (known.size > limit && oldest !== undefined) known.delete(oldest);
    return take(bucket, own[kind], window);
  };
}

const newBucket = (size: number): Bucket => ({ left: size, at: Date.now() });

function take(bucket: Bucket, size: number, window: number): number {
  const now = Date.now();
  // A clock that was set back gives nothing, and takes nothing.
  bucket.left = Math.min(size, bucket.left + (Math.max(0, now - bucket.at) * size) / window);
  bucket.at = now;
  // A thousandth of a request may be lost in the arithmetic.
  if (bucket.left < 0.999) return Math.ceil(((1 - bucket.left) * window) / size);
  bucket.left = Math.max(0, bucket.left - 1);
  return 0;
}

function budget(field: string, value: number): number {
  if (wholeNumber(field, value) === 0) throw new InputError("invalid_input", { field, detail: "must be at least 1" });
  return value;
}
