import { HandlerError, thrownBy } from "../api/errors.ts";

/**
 * Remembers which single-use ids were taken: ids of sealed tokens and of attempts. All instances that take the same tokens share
 * one store.
 */
export interface ClaimStore {
  /**
   * Takes an id, atomically for everybody who shares the store.
   *
   * @param id text of at most 100 characters: letters, digits, `-`, `_` and `:`.
   * @param expiresAt when the store may forget the id.
   * @returns `true` where the id was free and is now taken, `false` where it was taken before. Anything else is an error.
   */
  claim(id: string, expiresAt: Date): boolean | Promise<boolean>;
}

/** Milliseconds until a store that does not respond is an error. */
const CLAIM_TIMEOUT = 10_000;

/**
 * Takes an id, or says that it was taken.
 *
 * @throws {HandlerError} `handler_failed` naming `claimStore`, where the store threw, did not respond within 10 seconds or returned
 * anything but `true` or `false`: then nothing is sent.
 */
export async function claim(store: ClaimStore, id: string, expiresAt: Date): Promise<boolean> {
  const failed = (detail: string) => new HandlerError("handler_failed", { field: "claimStore", detail });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(failed(`no response within ${CLAIM_TIMEOUT} ms`)), CLAIM_TIMEOUT);
  });
  const response = (async () => store.claim(id, expiresAt))().catch((error: unknown) => {
    throw failed(thrownBy(error));
  });
  try {
    const claimed: unknown = await Promise.race([response, timeout]);
    // Redis says null, Postgres a row count, a forgotten `return` undefined: none of these may count as a first use.
    if (typeof claimed !== "boolean") throw failed("returned neither true nor false");
    return claimed;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * A store in this process's memory. Where it is full of ids that have not expired, it takes no further one: a login that must
 * be begun again is better than one that is sent twice.
 *
 * @param limit the most ids that are remembered. Default 100 000.
 */
export function createMemoryClaimStore(limit = 100_000): ClaimStore {
  const expiries = new Map<string, number>();
  return {
    claim(id, expiresAt) {
      const known = expiries.get(id);
      if (known !== undefined && known > Date.now()) return false;
      if (expiries.size >= limit) {
        for (const [taken, time] of expiries) if (time <= Date.now()) expiries.delete(taken);
      }
      if (expiries.size >= limit) return false;
      expiries.set(id, expiresAt.getTime());
      return true;
    },
  };
}
