import { askHook } from "../api/hooks.ts";
import { createInputError, parseWholeNumber } from "../api/input-checks.ts";

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

/** Milliseconds for which an id is remembered after it expired: the clocks of two instances differ, and a claim takes its time. */
const CLOCK_TOLERANCE = 60_000;

/** Takes an id, or says that it was taken. Where the store fails, it rejects with `handler_failed`, and nothing is sent. */
export function claim(store: ClaimStore, id: string, expiresAt: Date): Promise<boolean> {
  const until = new Date(expiresAt.getTime() + CLOCK_TOLERANCE);
  // Redis says null, Postgres a row count, a forgotten `return` undefined: none of these may count as a first use.
  return askHook("claimStore", () => store.claim(id, until));
}

/** @throws {BankError} `invalid_input` naming `claimStore`, where this is no store. */
export function checkClaimStore(store: ClaimStore): ClaimStore {
  if (typeof store?.claim === "function") return store;
  throw createInputError("claimStore", "must have a function claim(id, expiresAt)");
}

/**
 * A store in this process's memory.
 *
 * @param limit the most ids that are remembered. Default 100 000. Where all of them still count, `claim` throws a `RangeError`:
 * a login that must be begun again is better than one that is sent twice.
 * @throws {BankError} `invalid_input` naming `limit`, if that is no whole number.
 */
export function createMemoryClaimStore(limit = 100_000): ClaimStore {
  parseWholeNumber("limit", limit);
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

/** The default: one store for this process. It warns once on the console that other processes don't share it. */
export function processClaimStore(): ClaimStore {
  if (!processStore) {
    processStore = createMemoryClaimStore();
    // biome-ignore lint/suspicious/noConsole: without a store of the options, a second process would accept every token once more.
    console.warn(
      "ventanilla: single-use ids are remembered in the memory of this process. Where several processes take the same tokens, give " +
        "each one the same claimStore, see ventanilla/tokens. Where there is only one, claimStore: createMemoryClaimStore() says so.",
    );
  }
  return processStore;
}
