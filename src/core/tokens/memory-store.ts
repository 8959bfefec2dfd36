import { type OptionParsers, parseOptions, parseWholeNumber, unchecked, withDefault } from "../api/input-checks.ts";
import type { Store } from "./store.ts";

/** Texts by their ids, and when each expires, in milliseconds since the epoch. */
type MemoryRows = Map<string, { readonly text: string; readonly expiresAt: number }>;

interface Memory {
  readonly rows: MemoryRows;
  readonly startedAt: number;
}

/** The options of `createMemoryStore`. */
export interface MemoryStoreOptions {
  /** The most texts and claims that are kept. Default 100 000. */
  readonly limit?: number;
  /** Where they are kept. Default: one map for the process. Give a `new Map()` to a test that must not see the rows of another test. */
  readonly rows?: MemoryRows;
}

const MEMORY: unique symbol = Symbol.for("ventanilla.memory");

/** Shared by two bundles of one program, and by a module that is loaded again during development. */
function findProcessMemory(): Memory {
  const process: { [MEMORY]?: Memory } = globalThis as typeof globalThis & { [MEMORY]?: Memory };
  process[MEMORY] ??= { rows: new Map(), startedAt: Date.now() };
  return process[MEMORY];
}

const memoryStoreOptions = {
  limit: withDefault(100_000, parseWholeNumber),
  rows: unchecked,
} satisfies OptionParsers<MemoryStoreOptions>;

/**
 * The store in the memory of this process, which ends with it. Each call returns the same one. If it is full of texts that have not expired, `swap` throws a
 * `RangeError`: a login that must be begun again is better than one that is sent twice.
 *
 * @throws {BankError} `invalid_input` naming `limit`, if it is not an integer.
 */
export function createMemoryStore(options: MemoryStoreOptions = {}): Store {
  const { limit, rows: given } = parseOptions(options, memoryStoreOptions);
  const { rows, startedAt } = given ? { rows: given, startedAt: 0 } : findProcessMemory();
  const read = (id: string) => {
    const row = rows.get(id);
    return row && row.expiresAt > Date.now() ? row.text : undefined;
  };
  return {
    startedAt,
    read,
    swap(id, expected, text, lifetime) {
      if (read(id) !== expected) return false;
      if (rows.size >= limit && !rows.has(id)) {
        for (const other of rows.keys()) if (read(other) === undefined) rows.delete(other);
        if (rows.size >= limit) throw new RangeError("the store is full");
      }
      rows.set(id, { text, expiresAt: Date.now() + lifetime });
      return true;
    },
    delete: (id) => rows.delete(id),
    list(prefix, limit) {
      const found = [...rows.keys()].filter((id) => id.startsWith(prefix) && read(id) !== undefined);
      return found.sort().slice(0, limit);
    },
  };
}

let hasWarned = false;

/** The default of `claimStore`. It warns once on the console that other processes don't share it. */
export function createDefaultStore(): Store {
  if (!hasWarned) {
    hasWarned = true;
    // biome-ignore lint/suspicious/noConsole: with this default store, a second process would accept every token once more.
    console.warn(
      "ventanilla: single-use ids are remembered in the memory of this process. If several processes take the same tokens, give " +
        "each one the same claimStore, see ventanilla/tokens. If there is only one, claimStore: createMemoryStore() says so.",
    );
  }
  return createMemoryStore();
}
