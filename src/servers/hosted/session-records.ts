import { BankError } from "../../core/api/errors.ts";
import { claim, createRecords } from "../../core/tokens/store.ts";
import { digest } from "../random-token.ts";
import type { HostedEnd, HostedSettings, HostedStatus, NewHostedSession } from "./hosted-options.ts";

/** Milliseconds for which a submit can be at the bank, and what came of it on its way into the store. */
const SUBMIT_TIME = 300_000;

/** What a session was created with, as the store keeps it. */
export interface Created
  extends Pick<NewHostedSession, "user" | "provider" | "locale" | "returnTo" | "bindUsername" | "ignoreKnownRefusal"> {
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
  /** The number of the submit that has brought the session key. */
  readonly submit?: number;
}

/** One request of a page that is sent to the bank once, as it was claimed. */
export interface Submit {
  /** The random name of this claim. */
  readonly token: string;
  /** Names the request. The browser may repeat it. */
  readonly attempt: string;
  /** `login` begins one, `answer` goes on with it. */
  readonly kind: "login" | "answer" | "client" | "logout";
  readonly provider: string;
  /** Of an answer: whether the person says that the login is confirmed elsewhere. */
  readonly isConfirmation?: true;
  /** Of a confirmation: whether the bank's app has approved the login before. Its page has gone on by itself, mostly. */
  readonly isApproval?: true;
  /** The digest of the browser to which the session belongs: that of the first submit. */
  readonly browser: string;
}

/** When the session at the bank began. */
export const toLoginTime = (end: End | undefined): { readonly loggedInAt?: Date } =>
  end?.status === "logged_in" ? { loggedInAt: new Date(end.at) } : {};

/** What came of a submit, unless it ended the session. */
export interface SubmitResult {
  /**
   * `question`: the bank waits for the person. `refused`: the person can try again. `unknown`: the bank may have got it. `unsent`: it has not come
   * here, and is refused if it does.
   */
  readonly kind: "question" | "refused" | "unknown" | "unsent";
  /** Until when the pages show the question. */
  readonly until?: number;
  /** The response for the page. Sealed. That of a question is kept apart, for as long as it can be answered: what was typed is in it. */
  readonly response?: string;
}

/** A submit, with what came of it as soon as that is known. */
export interface StoredSubmit extends Submit {
  readonly number: number;
  readonly result: SubmitResult | undefined;
}

/** All that the store has of a session. */
export interface StoredSession {
  readonly id: string;
  readonly created: Created;
  readonly status: HostedStatus;
  readonly end: End | undefined;
  /** Whether a person can begin or answer. */
  readonly isOpen: boolean;
  /** The digest of the browser to which it belongs since the first submit. */
  readonly browser: string | undefined;
  /** In their order. One is under way at most: the last. */
  readonly submits: readonly StoredSubmit[];
  /** The one that says where the session is. */
  readonly last: StoredSubmit | undefined;
  /** The id of the last login. */
  readonly login: string | undefined;
}

/** The id of the last login among submits: its first one has named it. One that is sent again after it closed another session keeps it. */
export const findLoginId = (submits: readonly StoredSubmit[]): string | undefined =>
  submits.findLast(({ kind, result }) => kind === "login" && result?.kind !== "unsent")?.attempt.slice(0, 36);

/** The submits of the last login. */
export function findLoginSubmits(submits: readonly StoredSubmit[]): readonly StoredSubmit[] {
  const sent = submits.filter(({ result }) => result?.kind !== "unsent");
  return sent.slice(sent.findLastIndex(({ kind }) => kind === "login"));
}

/** What is noted of a session later, each once. */
type Note =
  | "open"
  | "opened"
  | "end"
  | "told"
  | "taker"
  | `${"submit" | "response" | "result" | "key" | "approved"}:${number}`;

/** A session to look at, and from when on. */
export interface Due {
  readonly id: string;
  readonly time: number;
}

/** The first taker of the session key, as the store keeps it. */
export interface Taker {
  /** The digest of its name. */
  readonly name: string;
  readonly at: number;
}

/** Milliseconds until a session that is due is looked at again: a minute that all instances count alike. */
const LEASE = 60_000;

type Named = Pick<StoredSession, "id" | "created">;

/** Sorts as the number does. */
const toDigits = (time: number) => String(time).padStart(15, "0");

const parse = <Content>(text: string | undefined): Content | undefined =>
  text === undefined ? undefined : JSON.parse(text);

export type SessionRecords = ReturnType<typeof createSessionRecords>;

/**
 * The sessions in the store. A session is a few texts, each written once: what it was created with, its submits and what came of them, its end.
 * All that pages and apps see of it follows from these. Two instances can't overwrite each other's, and one that is killed leaves nothing
 * half written.
 */
export function createSessionRecords({
  store,
  url,
  retention,
  environment,
}: Pick<HostedSettings, "store" | "url" | "retention" | "environment">) {
  const records = createRecords(store);
  // Several hosted logins may share the store.
  const createDuePrefix = async () => `due:${(await digest(url)).slice(0, 16)}:`;
  let duePrefix: Promise<string> | undefined;
  const toDuePrefix = () => {
    duePrefix ??= createDuePrefix();
    return duePrefix;
  };
  const toDueName = async ({ id, time }: Due) => `${await toDuePrefix()}${toDigits(time)}:${id}`;
  const toUserPrefix = async (user: string) => `user:${(await digest(JSON.stringify([url, user]))).slice(0, 32)}:`;
  const toRow = async ({ user, provider }: Pick<Created, "user" | "provider">) =>
    `row:${await digest(JSON.stringify([url, user, provider]))}`;
  const toId = (id: string, note?: Note | `life:${number}`) => `hosted:${id}${note ? `:${note}` : ""}`;
  const read = (id: string, note: Note | `life:${number}`) => records.read(toId(id, note));

  async function readSubmits(id: string): Promise<readonly StoredSubmit[]> {
    const submits: StoredSubmit[] = [];
    for (;;) {
      const number = submits.length;
      const [text, result] = await Promise.all([read(id, `submit:${number}`), read(id, `result:${number}`)]);
      const submit = parse<Submit>(text);
      if (!submit) return submits;
      submits.push({ ...submit, number, result: parse<SubmitResult>(result) });
    }
  }

  async function find(id: string): Promise<StoredSession | undefined> {
    if (!/^[\da-f]{32}$/.test(id)) return undefined;
    const created = parse<Created>(await records.read(toId(id)));
    // Of another hosted login in the same store.
    if (created?.url !== url) return undefined;
    // The store forgets it at the expiry: an instance whose clock is wrong ends no session.
    const [open, opened, submits] = await Promise.all([read(id, "open"), read(id, "opened"), readSubmits(id)]);
    // Read last: what came of a submit may have ended the session in the meantime.
    const end = parse<End>(await read(id, "end"));
    const last = submits.findLast(({ result }) => result?.kind !== "unsent");
    // A login that was sent in time may still reach its session.
    const isOver =
      open === undefined &&
      (!last || last.result !== undefined || (await read(id, `life:${last.number}`)) === undefined);
    const isAsking = last?.result
      ? last.result.kind === "question"
      : last?.kind === "answer" || last?.kind === "client";
    const step = isAsking ? "asking" : opened !== undefined || last ? "opened" : "created";
    return {
      id,
      created,
      browser: submits[0]?.browser,
      submits,
      last,
      login: findLoginId(submits),
      end,
      isOpen: !end && open !== undefined,
      status: end?.status ?? (isOver ? "expired" : step),
    };
  }

  const note = ({ id, created }: Named, name: Note, text = "", forgetAt = created.forgetAt) =>
    records.write(toId(id, name), text, new Date(forgetAt));

  /** Says when to look at a session. Whoever has looked takes it back with `unschedule`, so what is due outlives any instance. */
  const schedule = async (due: Due, forgetAt: number) =>
    records.write(await toDueName(due), "", new Date(forgetAt), true);

  async function unschedule(due: Due): Promise<void> {
    await records.delete(await toDueName(due));
  }

  return {
    find,

    /** The same. @throws {BankError} `session_not_found`. */
    async get(id: string): Promise<StoredSession> {
      const session = await find(id);
      if (!session) throw new BankError("session_not_found");
      return session;
    },

    async add(id: string, created: Created): Promise<void> {
      const { user, expiresAt } = created;
      const forgetAt = new Date(created.forgetAt);
      // The newest one comes first.
      const listed = `${await toUserPrefix(user)}${toDigits(1e15 - 1 - environment.now())}:${id}`;
      const due = await toDueName({ id, time: expiresAt });
      // Before the session: nobody would find one without them, and it would have expired.
      await Promise.all([
        records.write(toId(id, "open"), "", new Date(expiresAt)),
        records.write(due, "", forgetAt, true),
        records.write(listed, "", forgetAt, true),
      ]);
      await records.write(toId(id), JSON.stringify(created), forgetAt);
    },

    /** Notes something of a session. @returns whether it was not noted before. */
    note,

    /** What was noted. */
    read,

    /** Says that an instance works on a submit. @param text another one each time. @param last the one before it. */
    writeHeartbeat: (id: string, number: number, text: string, last: string | undefined) =>
      records.replace(toId(id, `life:${number}`), text, new Date(environment.now() + SUBMIT_TIME), last),

    /** Takes what only one may do with a session. @returns whether nobody has taken it. */
    claim: ({ id, created }: Named, what: string) => claim(store, `${toId(id)}:${what}`, new Date(created.forgetAt)),

    /** Keeps something that was noted for another time, or for a shorter one. */
    renote: ({ id }: Pick<Named, "id">, name: Note, text: string, forgetAt: number) =>
      records.replace(toId(id, name), text, new Date(forgetAt)),

    /** The row of the sessions of one user at one bank. */
    toRow,

    /** The last session in a row, or one from which it is found. */
    readLastEntry: async <Entry>(row: string) => parse<Entry>(await records.read(`${row}:last`)),

    /** The session after another one in a row; the first one after `undefined`. */
    readEntry: async <Entry>(row: string, after: string | undefined) =>
      parse<Entry>(await records.read(`${row}:${after ?? "none"}`)),

    /** Adds a session to a row. @returns whether it is the first one after that. */
    async addEntry(row: string, after: string | undefined, entry: object, expiresAt: Date): Promise<boolean> {
      const text = JSON.stringify(entry);
      if (!(await records.write(`${row}:${after ?? "none"}`, text, expiresAt))) return false;
      await records.replace(`${row}:last`, text, expiresAt);
      return true;
    },

    isTold: async (id: string) => (await read(id, "told")) !== undefined,

    schedule: ({ id, created }: Named, time: number) => schedule({ id, time }, created.forgetAt),
    unschedule,

    /** The sessions to look at, the earliest first. */
    async listDue(until: number, limit: number): Promise<readonly Due[]> {
      const prefix = await toDuePrefix();
      const names = await records.list(prefix, limit);
      const due = names.map((name) => {
        const [time, id = ""] = name.slice(prefix.length).split(":");
        return { id, time: Number(time) };
      });
      return due.filter(({ time }) => time <= until);
    },

    /** Puts a session off until the next minute. Two instances that do that at once name the same one. */
    async postpone(due: Due): Promise<Due> {
      const now = environment.now();
      const next = { id: due.id, time: now - (now % LEASE) + LEASE };
      await schedule(next, next.time + retention);
      await unschedule(due);
      return next;
    },

    /** The names under which the newest sessions of a user are listed, and their ids. */
    async listOfUser(user: string, limit: number): Promise<readonly { readonly name: string; readonly id: string }[]> {
      const names = await records.list(await toUserPrefix(user), limit);
      return names.map((name) => ({ name, id: name.slice(name.lastIndexOf(":") + 1) }));
    },

    /** Forgets a session that has ended. What a request that is at the bank would still write finds its place taken for as long as that can be. */
    async forget({ id, created, submits, end }: StoredSession): Promise<void> {
      const until = new Date(environment.now() + SUBMIT_TIME);
      const take = (name: Note, text = "") => records.replace(toId(id, name), text, until);
      await take("end", JSON.stringify({ status: "cancelled", at: 0 } satisfies End));
      // From the last one on: a call that was interrupted is repeated, and finds the first ones as long as there are others.
      for (const { number } of submits.toReversed()) {
        // Those with a result, too: a write whose answer was lost is repeated.
        for (const name of [`response:${number}`, `key:${number}`] as const) await take(name);
        await take(`result:${number}`, JSON.stringify({ kind: "unsent" } satisfies SubmitResult));
        await records.delete(toId(id, `approved:${number}`));
        // A repeat that is late must find its claim taken.
        await take(`submit:${number}`, "{}");
      }
      for (const name of ["open", "opened", "told", "taker"] as const) await records.delete(toId(id, name));
      if (created.provider !== undefined) {
        const row = await toRow(created);
        for (const after of ["last", "none", id]) await records.delete(`${row}:${after}`);
      }
      for (const time of [created.expiresAt, ...(end ? [end.at] : [])]) await unschedule({ id, time });
      // Last: until then it is found again.
      await records.delete(toId(id));
    },

    /** Forgets a session key that nobody will get. */
    forgetKey: ({ id }: Pick<Named, "id">, number: number) => records.delete(toId(id, `key:${number}`)),

    /** Forgets a name of `listOfUser`. */
    unlist: (name: string) => records.delete(name),
  };
}
