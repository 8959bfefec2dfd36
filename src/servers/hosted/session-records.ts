import { BankError } from "../../core/api/errors.ts";
import { claim } from "../../core/tokens/claim-store.ts";
import { createRecords } from "../../core/tokens/record-store.ts";
import type { HostedEnd, HostedSettings, HostedStatus, NewHostedSession } from "./hosted-options.ts";

/** Milliseconds after the expiry in which a login that was sent before it can still reach its session. */
export const LOGIN_TIME = 120_000;

/** What a session was created with, as the store keeps it. */
export interface Created extends Pick<NewHostedSession, "user" | "provider" | "locale" | "returnTo"> {
  readonly url: string;
  /** Sealed. */
  readonly username?: string;
  /** In milliseconds since the epoch, as the other times. */
  readonly expiresAt: number;
  readonly forgetAt: number;
}

/** How a session ended, as the store keeps it. */
export interface End extends Pick<HostedEnd, "status" | "provider" | "failure"> {
  readonly at: number;
  /** Sealed. */
  readonly key?: string;
  /** Names the request that reached the session. The browser may repeat it. */
  readonly attempt?: string;
}

/** All that the store has of a session. */
export interface StoredSession {
  readonly id: string;
  readonly created: Created;
  readonly status: HostedStatus;
  readonly end: End | undefined;
  /** Whether a person can begin or answer. */
  readonly isOpen: boolean;
  /** The digest of the browser's secret to which it belongs since the first submit. */
  readonly browser: string | undefined;
}

/** What is noted of a session later, each once. */
type Note = "opened" | "asking" | "browser" | "end" | "told" | "taker";

type Named = Pick<StoredSession, "id" | "created">;

const parse = <Content>(text: string | undefined): Content | undefined =>
  text === undefined ? undefined : JSON.parse(text);

export type SessionRecords = ReturnType<typeof createSessionRecords>;

/**
 * The sessions in the store. A session is a few texts, each written once: what it was created with, the browser that it belongs to, its
 * end. Two instances can't overwrite each other's, and one that is killed leaves nothing half written.
 */
export function createSessionRecords({ store, url }: Pick<HostedSettings, "store" | "url">) {
  const records = createRecords(store);
  const toId = (id: string, note?: Note) => `hosted:${id}${note ? `:${note}` : ""}`;
  const read = (id: string, note: Note) => records.read(toId(id, note));

  async function find(id: string): Promise<StoredSession | undefined> {
    if (!/^[\da-f]{32}$/.test(id)) return undefined;
    const created = parse<Created>(await records.read(toId(id)));
    // Of another hosted login in the same store.
    if (created?.url !== url) return undefined;
    const notes = ["opened", "asking", "browser", "end"] as const;
    const [opened, asking, browser, text] = await Promise.all(notes.map((note) => read(id, note)));
    const end = parse<End>(text);
    const isOpened = opened !== undefined || browser !== undefined;
    const step = asking !== undefined ? "asking" : isOpened ? "opened" : "created";
    // A login that was sent in time may still reach its session.
    const endsAt = created.expiresAt + (browser === undefined ? 0 : LOGIN_TIME);
    return {
      id,
      created,
      browser,
      end,
      isOpen: !end && created.expiresAt > Date.now(),
      status: end?.status ?? (endsAt <= Date.now() ? "expired" : step),
    };
  }

  return {
    find,

    /** The same. @throws {BankError} `session_not_found`. */
    async get(id: string): Promise<StoredSession> {
      const session = await find(id);
      if (!session) throw new BankError("session_not_found");
      return session;
    },

    add: (id: string, created: Created) => records.write(toId(id), JSON.stringify(created), new Date(created.forgetAt)),

    /** Notes something of a session. @returns whether it was not noted before. */
    note: ({ id, created }: Named, note: Note, text = "") =>
      records.write(toId(id, note), text, new Date(created.forgetAt)),

    /** Takes what only one may do with a session. @returns whether nobody has taken it. */
    claim: ({ id, created }: Named, what: string) => claim(store, `${toId(id)}:${what}`, new Date(created.forgetAt)),

    /** The digest of the idempotency key with which the session key was taken. */
    readTaker: (id: string) => read(id, "taker"),

    isTold: async (id: string) => (await read(id, "told")) !== undefined,

    /** The ids of the sessions whose end was not told. */
    async listUntold(): Promise<readonly string[]> {
      const ids = new Set(await records.list());
      const sessions = [...ids].flatMap((name) => /^hosted:([\da-f]{32})$/.exec(name)?.[1] ?? []);
      return sessions.filter((id) => !ids.has(toId(id, "told")));
    },
  };
}
