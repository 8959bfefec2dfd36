import * as v from "valibot";
import { digestText } from "../../core/api/digest.ts";
import { createTokenFormat, type KeyRing } from "../../core/tokens/sealed-token.ts";
import { createRecords } from "../../core/tokens/store.ts";
import { createKeptUsers } from "../kept/kept-users.ts";
import type { HostedSettings } from "./hosted-options.ts";
import type { SessionRow } from "./session-row.ts";

export interface ScheduledCheck {
  readonly id: string;
  readonly time: number;
}

/** Milliseconds until a due session is checked again. All instances count the same minutes. */
const LEASE = 60_000;

/** Names of open sessions that are read at once. */
const AT_ONCE = 100;

/** An entry for the open session of a user at a bank. */
export interface OpenEntry {
  readonly id: string;
  /** The token of its address. */
  readonly token: string;
}

/** The row that contains the entry. */
export interface OpenRow {
  readonly name: string;
  readonly text: string | undefined;
  readonly entry: OpenEntry | undefined;
}

/** Digits that sort as the number does. */
const toDigits = (time: number) => String(time).padStart(15, "0");

const format = createTokenFormat("ventanilla-open-1", v.object({ i: v.string(), t: v.string() }));

export type SessionIndex = ReturnType<typeof createSessionIndex>;

/**
 * Finds sessions without their ids: those of a user, the open one at a bank, and those that are due. And says whether a session can be used, by the clock
 * of the store. The names of users are signed, so the store does not reveal them.
 */
export function createSessionIndex({
  store,
  url,
  retention,
  environment,
  keys,
}: Pick<HostedSettings, "store" | "url" | "retention" | "environment"> & { readonly keys: KeyRing }) {
  const records = createRecords(store);
  // Several hosted logins may share the store: each calls `onEnd` for its own sessions.
  const toDuePrefix = async () => `due:${(await digestText(url)).slice(0, 16)}:`;
  const toDueName = async ({ id, time }: ScheduledCheck) => `${await toDuePrefix()}${toDigits(time)}:${id}`;
  // Without the address, which may change.
  const users = createKeptUsers({ store, keys, environment });
  const { signUser } = users;
  /** A name for each seal key. */
  async function toOpenNames(user: string, provider: string): Promise<string[]> {
    const row = JSON.stringify([url, user, provider]);
    const [users, rows] = await Promise.all([signUser(user), keys.signAll(`ventanilla-open-1 ${row}`)]);
    return rows.map((name, index) => `open:${users[index]}:${name.slice(0, 32)}`);
  }
  const toUsable = (id: string) => `usable:${id}`;

  /** Schedules a check of a session. It is removed only after the check, so it survives any instance. */
  const schedule = async (due: ScheduledCheck, forgetAt: number) =>
    records.write(await toDueName(due), "", new Date(forgetAt), true);

  async function unschedule(due: ScheduledCheck): Promise<void> {
    await records.delete(await toDueName(due));
  }

  return {
    schedule,
    unschedule,

    /** Written before the session itself, which could not be found without them. */
    async add(id: string, { door, expiresAt, forgetAt }: SessionRow): Promise<void> {
      // The newest session sorts first.
      const order = `${toDigits(1e15 - 1 - environment.now())}:`;
      await Promise.all([
        records.write(toUsable(id), "", new Date(expiresAt)),
        schedule({ id, time: expiresAt }, forgetAt),
        users.add(door.user, id, { order, forgetAt }),
      ]);
    },

    /** Whether a session can be used, by the clock of the store: an instance with a wrong clock ends none. */
    isUsable: async (id: string) => (await records.read(toUsable(id))) !== undefined,

    endUse: (id: string) => records.delete(toUsable(id)),

    /** The sessions to check, the earliest first. */
    async listDue(until: number, limit: number): Promise<readonly ScheduledCheck[]> {
      const prefix = await toDuePrefix();
      const found = await records.list(prefix, limit);
      const due = found.map((name) => {
        const [time, id = ""] = name.slice(prefix.length).split(":");
        return { id, time: Number(time) };
      });
      return due.filter(({ time }) => time <= until);
    },

    /** Postpones a check to the next minute. Two instances that do so at once write the same one. */
    async postpone(due: ScheduledCheck): Promise<ScheduledCheck> {
      const now = environment.now();
      const next = { id: due.id, time: now - (now % LEASE) + LEASE };
      await schedule(next, next.time + retention);
      await unschedule(due);
      return next;
    },

    users,

    /** The open session of a user at a bank, and the name of its row. An entry that can't be opened any more is ignored. */
    async findOpen(user: string, provider: string): Promise<OpenRow> {
      const [first = "", ...older] = await toOpenNames(user, provider);
      for (const name of [first, ...older]) {
        const text = await records.read(name);
        if (text === undefined) continue;
        const { claims } = await format.unseal(text, { keys, audience: name }).catch(() => ({ claims: undefined }));
        return { name, text, entry: claims && { id: claims.i, token: claims.t } };
      }
      return { name: first, text: undefined, entry: undefined };
    },

    /** @returns whether no other call has written an entry in the meantime. */
    async replaceOpen({ name, text: expected }: OpenRow, entry: OpenEntry, forgetAt: number): Promise<boolean> {
      const expiresAt = new Date(forgetAt);
      const text = await format.seal({ i: entry.id, t: entry.token }, { keys, audience: name, expiresAt });
      const lifetime = Math.max(1, forgetAt - environment.now());
      return (await records.swap(name, expected, text, lifetime, true)) === text;
    },

    /** Forgets which sessions of a user are open. */
    async forgetOpen(user: string): Promise<void> {
      for (const name of await signUser(user)) {
        const prefix = `open:${name}:`;
        for (
          let found = await records.list(prefix, AT_ONCE);
          found.length > 0;
          found = await records.list(prefix, AT_ONCE)
        ) {
          for (const id of found) await records.delete(id);
        }
      }
    },
  };
}
