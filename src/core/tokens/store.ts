import { createRandomId } from "../api/bank-request.ts";
import { askHook, callHookInTime, createHookError } from "../api/hooks.ts";
import { createInputError } from "../api/input-checks.ts";

/**
 * Keeps texts by their ids, for all instances that share it: the single-use ids that were claimed, and the sessions of hosted logins. Each change is one
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
  /** Whether no other process has it: a request that waits for another one then needs no heartbeat, and does not ask again and again. Default: others may. */
  readonly isLocal?: true;
}

/** Comes after every character of an id. */
export const AFTER_ALL = "~";

/** Milliseconds for which an id is remembered after it expired: the clocks of two instances differ, and a claim takes its time. */
const CLOCK_TOLERANCE = 60_000;

/** How often a text is replaced again that another instance has changed at the same time. */
const REPLACE_TRIES = 10;

/** @throws {BankError} `invalid_input` naming the field, if it is not a store. */
export function checkStore(field: string, store: Store): Store {
  for (const name of ["read", "swap", "delete", "list"] as const) {
    if (typeof store?.[name] !== "function") throw createInputError(field, `must have a function ${name}`);
  }
  return store;
}

const toLifetime = (expiresAt: Date): number => Math.max(1, expiresAt.getTime() - Date.now());

/**
 * Takes an id, or says that it was taken. It rejects with `handler_failed` if the store fails, and nothing is sent.
 *
 * @param expiresAt when the id can't be used any more. It is remembered for a minute longer.
 */
export function claim(store: Store, id: string, expiresAt: Date): Promise<boolean> {
  // The random mark tells this claim from another one.
  const until = new Date(expiresAt.getTime() + CLOCK_TOLERANCE);
  return createRecords(store, "claimStore").write(id, createRandomId(), until);
}

/**
 * Gives an id a text, whichever it had.
 *
 * @param known the text that it probably has, which saves a read.
 * @returns whether it has the new one; `false` if another instance was faster each time.
 */
export async function replaceText(
  { read, swap }: Pick<Store, "read" | "swap">,
  id: string,
  text: string,
  lifetime: number,
  known?: string,
): Promise<boolean> {
  let expected = known ?? (await read(id));
  for (let tries = 0; tries < REPLACE_TRIES; tries += 1) {
    if (await swap(id, expected, text, lifetime)) return true;
    expected = await read(id);
  }
  return false;
}

/** The operations of a store, for 10 seconds each, with what they return checked. Each rejects with `handler_failed` if the store fails. */
export type Records = ReturnType<typeof createRecords>;

/**
 * @param field the option that names the store in an error.
 * @throws {BankError} `invalid_input` naming the field, if it is not a store.
 */
export function createRecords(store: Store, field = "store") {
  checkStore(field, store);
  async function read(id: string): Promise<string | undefined> {
    const text = await callHookInTime(field, () => store.read(id));
    if (text === undefined || typeof text === "string") return text;
    throw createHookError(field, "returned no text");
  }
  // Redis says null, Postgres a row count, a forgotten `return` undefined: none of these may count as a first use.
  const swap: Store["swap"] = (...change) => askHook(field, () => store.swap(...change));

  /** Replaces a text by another one that has a random mark. */
  async function swapSurely(
    id: string,
    expected: string | undefined,
    text: string,
    expiresAt: Date,
    isListed = false,
  ): Promise<boolean> {
    const change = () => swap(id, expected, text, toLifetime(expiresAt), isListed);
    try {
      return await change();
    } catch {
      // Its answer may have been lost. A read alone would miss a command that still waits in a queue.
      return (await change()) || (await read(id)) === text;
    }
  }

  return {
    read,
    swap: swapSurely,
    /** Keeps a text under an id that has none. @returns `false` if it has one, which stays. */
    write: (id: string, text: string, expiresAt: Date, isListed?: boolean) =>
      swapSurely(id, undefined, text, expiresAt, isListed),
    /** Keeps a text under an id, whichever it had. @param known as that of `replaceText`. */
    async replace(id: string, text: string, expiresAt: Date, known?: string): Promise<void> {
      if (await replaceText({ read, swap }, id, text, toLifetime(expiresAt), known)) return;
      throw createHookError(field, "changed a text each time");
    },
    async list(prefix: string, limit: number): Promise<readonly string[]> {
      const ids = await callHookInTime(field, () => store.list(prefix, limit));
      if (Array.isArray(ids)) return ids;
      throw createHookError(field, "returned no list");
    },
    async delete(id: string): Promise<void> {
      await callHookInTime(field, () => store.delete(id));
    },
  };
}
