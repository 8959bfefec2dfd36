import { createInputError } from "./input-checks.ts";

/**
 * Keeps texts by their ids, for all instances that share it: the single-use ids that were claimed, and the logins that a server keeps. Each change is one
 * atomic step from a known text, so that of two instances which act at once one wins.
 *
 * An id is a text of at most 100 characters: letters, digits, `-`, `_` and `:`.
 */
export interface Store {
  /** The text of an id; `undefined` if there is none, or if its lifetime is over. */
  read(id: string): string | undefined | Promise<string | undefined>;
  /**
   * Replaces the text of an id, if it is the expected one, atomically for all who share the store.
   *
   * @param expected the text that the id must have; `undefined`: it must have none.
   * @param text of at most 400 000 characters. Secrets in it are sealed.
   * @param lifetime milliseconds, by the clock of the store, after which the text is gone.
   * @param isListed whether `list` has to find the id. Default false. A store that finds every id can leave it out.
   * @returns `true` if the id had the expected text and has the new one now, otherwise `false`. Anything else is an error.
   */
  swap(
    id: string,
    expected: string | undefined,
    text: string,
    lifetime: number,
    isListed?: boolean,
  ): boolean | Promise<boolean>;
  /** Removes the text of an id, if it has one. */
  delete(id: string): unknown;
  /**
   * The first ids that begin with a prefix and were written with `isListed`, by the order of their characters' codes. Without it, a session whose
   * instance was lost would not be found. It is called each minute, so it should read an index. Some of the ids may have just expired.
   */
  list(prefix: string, limit: number): readonly string[] | Promise<readonly string[]>;
  /**
   * When it began, in milliseconds since the epoch, if no other process has it: a request that waits for another one then needs no heartbeat, and what came
   * before it may be lost. Default: other processes may have it, and it outlives them.
   */
  readonly startedAt?: number;
}

/** Characters of a text in a store. */
export const STORED_TEXT_LIMIT = 400_000;

/** @throws {BankError} `invalid_input` naming the field, if it is not a store. */
export function checkStore(field: string, store: Store): Store {
  for (const name of ["read", "swap", "delete", "list"] as const) {
    if (typeof store?.[name] !== "function") throw createInputError(field, `must have a function ${name}`);
  }
  return store;
}
