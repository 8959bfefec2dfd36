import { askHook, callHookInTime, createHookError } from "../api/hooks.ts";
import { createInputError } from "../api/input-checks.ts";
import { type ClaimStore, createMemoryClaimStore } from "./claim-store.ts";

/**
 * Keeps texts by their ids, each written once but for signs of life, such as the sessions of hosted logins. It is a claim store too. All instances that
 * serve the same sessions share one.
 *
 * Nothing is overwritten: what two instances write at the same time can't be lost, and an instance that is killed between two writes
 * leaves nothing half changed.
 */
export interface RecordStore extends ClaimStore {
  /**
   * Keeps a text under an id that has none, atomically for everybody who shares the store.
   *
   * @param id as that of a claim; the store keeps the two apart.
   * @param text of at most 400 000 characters. Secrets in it are sealed.
   * @param expiresAt when the store may forget the text.
   * @param isListed whether `list` has to find the id. A store that finds every id can leave it out.
   * @returns `true` where the text is now kept, `false` where the id had one before, which stays. Anything else is an error.
   */
  write(id: string, text: string, expiresAt: Date, isListed?: boolean): boolean | Promise<boolean>;
  /**
   * Keeps a text under an id in place of the one that it had: a sign of life, which nobody else writes.
   *
   * @param expiresAt when `read` must have forgotten the text, by the clock of the store.
   */
  replace(id: string, text: string, expiresAt: Date): unknown;
  /** The text of an id; `undefined` where there is none, or it has expired. */
  read(id: string): string | undefined | Promise<string | undefined>;
  /**
   * The first ids that begin with a prefix and were written with `isListed`, by the order of their characters' codes. Without it, nobody would find
   * a session whose instance was lost. It is asked each minute, so it should read an index. Some may have just expired.
   */
  list(prefix: string, limit: number): readonly string[] | Promise<readonly string[]>;
  /** Forgets the text of an id, if it has one. */
  delete(id: string): unknown;
}

/** Comes after every character of an id. */
export const AFTER_ALL = "~";

/** The operations of a record store, for 10 seconds each, with what they return checked. Where the store fails, each rejects with `handler_failed`. */
export interface Records {
  write(id: string, text: string, expiresAt: Date, isListed?: boolean): Promise<boolean>;
  replace(id: string, text: string, expiresAt: Date): Promise<void>;
  read(id: string): Promise<string | undefined>;
  list(prefix: string, limit: number): Promise<readonly string[]>;
  delete(id: string): Promise<void>;
}

/** @throws {BankError} `invalid_input` naming `store`, where this is no record store. */
export function createRecords(store: RecordStore): Records {
  for (const name of ["claim", "write", "replace", "read", "list", "delete"] as const) {
    if (typeof store?.[name] !== "function") throw createInputError("store", `must have a function ${name}`);
  }
  return {
    write: (id, text, expiresAt, isListed = false) =>
      askHook("store", () => store.write(id, text, expiresAt, isListed)),
    async replace(id, text, expiresAt) {
      await callHookInTime("store", () => store.replace(id, text, expiresAt));
    },
    async read(id) {
      const text = await callHookInTime("store", () => store.read(id));
      if (text === undefined || typeof text === "string") return text;
      throw createHookError("store", "returned no text");
    },
    async list(prefix, limit) {
      const ids = await callHookInTime("store", () => store.list(prefix, limit));
      if (Array.isArray(ids)) return ids;
      throw createHookError("store", "returned no list");
    },
    async delete(id) {
      await callHookInTime("store", () => store.delete(id));
    },
  };
}

/**
 * A store in this process's memory, which ends with it.
 *
 * @param limit the most texts that are kept, and the most ids that are claimed. Default 100 000. Where all of them still count, `write`
 * and `claim` throw a `RangeError`.
 * @throws {BankError} `invalid_input` naming `limit`, if that is no whole number.
 */
export function createMemoryRecordStore(limit = 100_000): RecordStore {
  const claims = createMemoryClaimStore(limit);
  const texts = new Map<string, { readonly text: string; readonly expiresAt: number }>();
  const isOver = (id: string) => (texts.get(id)?.expiresAt ?? 0) <= Date.now();
  const forgetExpired = () => {
    for (const id of texts.keys()) if (isOver(id)) texts.delete(id);
  };
  const keep = (id: string, text: string, expiresAt: Date) => {
    if (texts.size >= limit) forgetExpired();
    if (texts.size >= limit && !texts.has(id)) throw new RangeError("the store is full");
    texts.set(id, { text, expiresAt: expiresAt.getTime() });
    return true;
  };
  return {
    ...claims,
    write: (id, text, expiresAt) => isOver(id) && keep(id, text, expiresAt),
    replace: keep,
    read: (id) => (isOver(id) ? undefined : texts.get(id)?.text),
    list(prefix, limit) {
      const found = [...texts.keys()].filter((id) => id.startsWith(prefix) && !isOver(id));
      return found.sort().slice(0, limit);
    },
    delete: (id) => texts.delete(id),
  };
}
