import { HandlerError, InputError } from "../api/errors.ts";
import { collectFingerprints, createHandlerError } from "../api/handler-error.ts";
import type { Secret } from "../api/secret.ts";

/**
 * Remembers which single-use ids were taken: ids of sealed tokens and of attempts. All instances that take the same tokens share
 * one store.
 */
export interface ClaimStore {
  /**
   * Takes an id, atomically for everybody who shares the store.
   *
   * @param id text of at most 100 characters: letters, digits, `-`, `_` and `:`.
   * @param expiresAt when the store may forget the id: a minute after it can't be used any more.
   * @returns `true` where the id was free and is now taken, `false` where it was taken before. Anything else is an error.
   */
  claim(id: string, expiresAt: Date): boolean | Promise<boolean>;
}

/** Milliseconds until a store that does not respond is an error. */
const CLAIM_TIMEOUT = 10_000;

/** Milliseconds for which an id is remembered after it expired: the clocks of two instances differ, and a claim takes its time. */
const CLOCK_TOLERANCE = 60_000;

/**
 * Takes an id, or says that it was taken.
 *
 * @throws {HandlerError} `handler_failed` naming `claimStore`, where the store threw, did not respond within 10 seconds or returned
 * anything but `true` or `false`: then nothing is sent.
 */
export async function claim(
  store: ClaimStore,
  id: string,
  expiresAt: Date,
  secrets: readonly Secret[] = [],
): Promise<boolean> {
  const failed = (detail: string) => new HandlerError("handler_failed", { field: "claimStore", detail });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(failed(`no response within ${CLAIM_TIMEOUT} ms`)), CLAIM_TIMEOUT);
  });
  const response = (async () => store.claim(id, new Date(expiresAt.getTime() + CLOCK_TOLERANCE)))().catch(
    (error: unknown) => {
      // A store gets ids alone, and an id is no secret; what it throws may hold more.
      throw createHandlerError("claimStore", error, collectFingerprints(secrets));
    },
  );
  try {
    const claimed: unknown = await Promise.race([response, timeout]);
    // Redis says null, Postgres a row count, a forgotten `return` undefined: none of these may count as a first use.
    if (typeof claimed !== "boolean") throw failed("returned neither true nor false");
    return claimed;
  } finally {
    clearTimeout(timer);
  }
}

/** @throws {InputError} `invalid_input` naming `claimStore`, where this is no store. */
export function checkClaimStore(store: ClaimStore): ClaimStore {
  if (typeof store?.claim === "function") return store;
  throw new InputError("invalid_input", { field: "claimStore", detail: "must have a function claim(id, expiresAt)" });
}

/**
 * A store in this process's memory.
 *
 * @param limit the most ids that are remembered. Default 100 000. Where all of them still count, `claim` throws a `RangeError`:
 * a login that must be begun again is better than one that is sent twice.
 */
export function createMemoryClaimStore(limit = 100_000): ClaimStore {
  const expiries = new Map<string, number>();
  return {
    claim(id, expiresAt) {
      const now = Date.now();
      if ((expiries.get(id) ?? 0) > now) return false;
      if (expiries.size >= limit) {
        for (const [taken, time] of expiries) if (time <= now) expiries.delete(taken);
        if (expiries.size >= limit) throw new RangeError("the store is full");
      }
      expiries.set(id, expiresAt.getTime());
      return true;
    },
  };
}

let processStore: ClaimStore | undefined;

/** The default: one store for everything in this process. It says once on the console that it knows nothing of other processes. */
export function processClaimStore(): ClaimStore {
  if (!processStore) {
    processStore = createMemoryClaimStore();
    // biome-ignore lint/suspicious/noConsole: nobody gave a hook, and a second process would let every token in once more.
    console.warn(
      "ventanilla: single-use ids are remembered in the memory of this process. Where several processes take the same tokens, give " +
        "each one the same claimStore, see ventanilla/tokens. Where there is only one, claimStore: createMemoryClaimStore() says so.",
    );
  }
  return processStore;
}
