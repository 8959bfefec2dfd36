import { callCallbackInTime, callPredicate, createCallbackError } from "../api/callbacks.ts";
import { createRandomId } from "../api/random-id.ts";
import { checkStore, type Store } from "../api/store-interface.ts";

export { checkStore, type Store };

/** Sorts after every character of an id. */
export const LAST_CHARACTER = "~";

/** Milliseconds for which an id is remembered after it has expired: the clocks of two instances differ, and a claim takes time. */
export const CLOCK_TOLERANCE = 60_000;

/** How often a text is replaced again if another instance has changed it at the same time. */
const REPLACE_TRIES = 10;

const toLifetime = (expiresAt: Date): number => Math.max(1, expiresAt.getTime() - Date.now());

/**
 * Claims an id, or says that it was claimed before. It rejects with `handler_failed` if the store fails, and nothing is sent.
 *
 * @param expiresAt when the id becomes invalid. It is remembered for a minute longer.
 */
export async function claim(store: Store, id: string, expiresAt: Date): Promise<boolean> {
  // Distinguishes this claim from another one.
  const mark = createRandomId();
  const lifetime = toLifetime(new Date(expiresAt.getTime() + CLOCK_TOLERANCE));
  return (await createRecords(store, "claimStore").swap(id, undefined, mark, lifetime)) === mark;
}

/**
 * Replaces the text of an id, whatever it was.
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

/** The operations of a store, each limited to 10 seconds, with their results checked. Each rejects with `handler_failed` if the store fails. */
export type Records = ReturnType<typeof createRecords>;

/**
 * @param field the option that names the store in an error.
 * @throws {BankError} `invalid_input` naming the field, if it is not a store.
 */
export function createRecords(store: Store, field = "store") {
  checkStore(field, store);
  async function read(id: string): Promise<string | undefined> {
    const text = await callCallbackInTime(field, () => store.read(id));
    if (text === undefined || typeof text === "string") return text;
    throw createCallbackError(field, "returned no text");
  }
  // Redis may return null, Postgres a row count, a forgotten `return` undefined: none of these may count as a first use.
  const swap = (...change: Parameters<Store["swap"]>) => callPredicate(field, () => store.swap(...change));
  return {
    read,
    /**
     * A swap that is repeated if its response is lost, which also covers a client that reconnects and sends it twice.
     *
     * @param text contains a random mark.
     * @returns the text that the id has then: the new one, or another instance's.
     */
    async swap(...change: Parameters<Store["swap"]>): Promise<string | undefined> {
      const [id, , text] = change;
      // A read would miss a command that still waits in a queue.
      const isSwapped = await swap(...change).catch(() => swap(...change));
      return isSwapped ? text : read(id);
    },
    /** Inserts a text under an id that has none. @returns `false` if it has one, which is kept. */
    async write(id: string, text: string, expiresAt: Date, isListed = false): Promise<boolean> {
      const insert = () => swap(id, undefined, text, toLifetime(expiresAt), isListed);
      try {
        return await insert();
      } catch {
        return (await insert()) || (await read(id)) === text;
      }
    },
    /** Replaces the text of an id, whatever it was. @param known as for `replaceText`. */
    async replace(id: string, text: string, expiresAt: Date, known?: string): Promise<void> {
      if (await replaceText({ read, swap }, id, text, toLifetime(expiresAt), known)) return;
      throw createCallbackError(field, "changed a text each time");
    },
    async list(prefix: string, limit: number): Promise<readonly string[]> {
      const ids = await callCallbackInTime(field, () => store.list(prefix, limit));
      if (Array.isArray(ids)) return ids;
      throw createCallbackError(field, "returned no list");
    },
    async delete(id: string): Promise<void> {
      await callCallbackInTime(field, () => store.delete(id));
    },
  };
}
