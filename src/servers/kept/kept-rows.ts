import * as v from "valibot";
import { createCallbackError } from "../../core/api/callbacks.ts";
import { BankError } from "../../core/api/errors.ts";
import { doublePause, retry } from "../../core/api/repetition.ts";
import { createTokenFormat, type KeyRing } from "../../core/tokens/sealed-token.ts";
import { createRecords, type Store } from "../../core/tokens/store.ts";
import type { Environment } from "../environment.ts";
import { type KeptRow, SUBMIT_TIME, type Tombstone } from "./kept-row.ts";

/** Milliseconds between the repetitions of a change that must not be lost. */
const PAUSE = 250;
const LONGEST_PAUSE = 5_000;
const GIVE_UP_TIME = 120_000;

/** How often a change is repeated if another instance has changed the row at the same time. */
const CHANGE_TRIES = 20;

export interface Kept<Door> {
  readonly id: string;
  readonly row: KeptRow<Door>;
  /** The sealed text, which a change replaces. `undefined` for a login that is not in the store: its first change inserts it. */
  readonly text: string | undefined;
}

export interface KeptRowsOptions {
  readonly store: Store;
  /** The keys that seal the rows. Without them rows are not sealed, which is only safe in the memory of this process. */
  readonly keys: KeyRing | undefined;
  readonly environment: Environment;
}

/** The rows of logins in the store. A row that can't be opened is a fault: it is never overwritten. */
export function createKeptRows<Door>({ store, keys, environment }: KeptRowsOptions) {
  const records = createRecords(store);
  const format = createTokenFormat(
    "ventanilla-kept-1",
    v.object({ r: v.custom<KeptRow<Door> | Tombstone>((row) => typeof row === "object") }),
  );
  const toLifetime = (forgetAt: number) => Math.max(1, forgetAt - environment.now());
  const toRecord = (id: string) => `login:${id}`;

  let count = 0;
  async function seal(id: string, row: KeptRow<Door> | Tombstone, expiresAt: Date): Promise<string> {
    // Each change must write another text.
    if (!keys) return JSON.stringify({ r: row, n: ++count });
    return format.seal({ r: row }, { keys, audience: id, expiresAt });
  }

  async function open(id: string, text: string): Promise<KeptRow<Door> | Tombstone> {
    if (!keys && text.startsWith("{")) return JSON.parse(text).r;
    if (!keys) throw new BankError("token_invalid", { detail: "sealed" });
    return (await format.unseal(text, { keys, audience: id })).claims.r;
  }

  /** A login, or its tombstone. @param id 32 hexadecimal digits, with or without the dashes of a UUID: anything else has no row. */
  async function readAny(
    id: string,
  ): Promise<Kept<Door> | { readonly row: Tombstone; readonly text: string } | undefined> {
    const text = /^[\da-f-]{32,36}$/.test(id) ? await records.read(toRecord(id)) : undefined;
    if (text === undefined) return undefined;
    const row = await open(id, text);
    return isTombstone(row) ? { row, text } : { id, row, text };
  }

  async function read(id: string): Promise<Kept<Door> | undefined> {
    const found = await readAny(id);
    return found && "id" in found ? found : undefined;
  }

  /** Changes a row from a known text. @returns `undefined` if another change was faster. */
  async function swap(
    { id, text }: Pick<Kept<Door>, "id" | "text">,
    row: KeptRow<Door>,
  ): Promise<Kept<Door> | undefined> {
    const expiresAt = new Date(row.forgetAt);
    const changed = await seal(id, row, expiresAt);
    const isOurs = (await records.swap(toRecord(id), text, changed, toLifetime(row.forgetAt))) === changed;
    return isOurs ? { id, row, text: changed } : undefined;
  }

  /**
   * Changes a row, and repeats that if another change was faster.
   *
   * @param change `undefined`: the row stays as it is.
   * @returns the row as it is then; `undefined` if there is none.
   */
  async function change(
    known: Kept<Door> | string,
    change: (row: KeptRow<Door>) => KeptRow<Door> | undefined,
  ): Promise<Kept<Door> | undefined> {
    const id = typeof known === "string" ? known : known.id;
    let kept = typeof known === "string" ? await read(id) : known;
    for (let tries = 0; tries < CHANGE_TRIES; tries += 1) {
      if (!kept) return undefined;
      const row = change(kept.row);
      if (!row || row === kept.row) return kept;
      const changed = await swap(kept, row);
      if (changed) return changed;
      kept = await read(id);
    }
    throw createCallbackError("store", "changed a row each time");
  }

  return {
    read,
    readAny,
    change,
    swap,

    async add(id: string, row: KeptRow<Door>): Promise<Kept<Door>> {
      const expiresAt = new Date(row.forgetAt);
      const text = await seal(id, row, expiresAt);
      if (await records.write(toRecord(id), text, expiresAt)) return { id, row, text };
      throw createCallbackError("store", "has the id of a new login");
    },

    /**
     * As `change`, repeated while the store fails.
     *
     * @param prepare called before each try.
     * @param report gets the first error.
     * @returns `failed` after two minutes.
     */
    async persist(
      known: Kept<Door> | string,
      work: (row: KeptRow<Door>) => KeptRow<Door> | undefined,
      { report, prepare }: { readonly report: (error: unknown) => void; readonly prepare?: () => Promise<unknown> },
    ): Promise<Kept<Door> | "gone" | "failed"> {
      let from = known;
      const attempt = async () => {
        const last = from;
        // After a failed change the known text may be old.
        from = typeof known === "string" ? known : known.id;
        await prepare?.();
        return (await change(last, work)) ?? "gone";
      };
      const until = environment.elapsed() + GIVE_UP_TIME;
      const pause = (error: unknown, tries: number) => {
        if (tries === 1) report(error);
        const time = doublePause(tries, PAUSE, LONGEST_PAUSE);
        return environment.elapsed() + time > until ? undefined : time;
      };
      return retry<Kept<Door> | "gone">(attempt, pause, environment.wait).catch(() => "failed" as const);
    },

    /** Replaces a row by a tombstone, or inserts one to refuse a row that is written later. @returns its content. */
    async erase(id: string): Promise<{ readonly mayHaveArrived: boolean; readonly wasErased: boolean }> {
      for (let tries = 0; tries < CHANGE_TRIES; tries += 1) {
        const text = await records.read(toRecord(id));
        // A row that can't be opened any more is erased, too: it is unknown whether something was sent.
        const row = text === undefined ? undefined : await open(id, text).catch(() => undefined);
        if (row && isTombstone(row)) return { mayHaveArrived: row.mayHaveArrived, wasErased: true };
        const mayHaveArrived = text !== undefined && (!row || row.sent > 0);
        const expiresAt = new Date(environment.now() + SUBMIT_TIME);
        const left = {
          isErased: true,
          mayHaveArrived,
          ...(row?.holder !== undefined && { holder: row.holder }),
        } as const;
        const tombstone = await seal(id, left, expiresAt);
        if ((await records.swap(toRecord(id), text, tombstone, SUBMIT_TIME)) === tombstone)
          return { mayHaveArrived, wasErased: text === undefined };
      }
      throw createCallbackError("store", "changed a row each time");
    },
  };
}

/** Whether no key of this instance opens an existing row. */
export const isUnopenable = (error: unknown): boolean => error instanceof BankError && error.code === "token_invalid";

export const isTombstone = <Door>(row: KeptRow<Door> | Tombstone): row is Tombstone => "isErased" in row;
