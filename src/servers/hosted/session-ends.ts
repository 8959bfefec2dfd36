import { wrapThrown } from "../../core/api/errors.ts";
import { callHookInTime } from "../../core/api/hooks.ts";
import { reportError } from "../relay/relay-events.ts";
import type { HostedSettings } from "./hosted-options.ts";
import { persist } from "./persist.ts";
import { type Due, type End, type SessionRecords, type StoredSession, toLoginTime } from "./session-records.ts";

/** Milliseconds for which one instance alone may call `onEnd`, once it has begun to. */
const LEASE = 60_000;

/** Sessions that a sweep looks at side by side: an app that is slow to hear of one holds up none of the others. */
const AT_A_TIME = 100;

export type SessionEnds = ReturnType<typeof createSessionEnds>;

/** The ends of sessions: each is written first, and then told to `onEnd`. */
export function createSessionEnds(
  settings: Pick<HostedSettings, "onEnd" | "onError" | "environment">,
  records: SessionRecords,
) {
  const { environment } = settings;
  const report = (id: string) => (error: unknown) => reportError(settings, wrapThrown(error), { id, session: id });

  /** Writes the end of a session, unless it has ended before. @returns the end that was written. */
  async function write(session: StoredSession, ending: Omit<End, "at">): Promise<End | undefined> {
    const end = { ...ending, at: environment.now() };
    // Before it is written: an instance that is killed between the two has lost nothing. An expiry is due by itself.
    if (end.status !== "expired") await records.schedule(session, end.at);
    return (await records.note(session, "end", JSON.stringify(end))) ? end : undefined;
  }

  /** The same of one that must not be lost. */
  async function writeSurely(session: StoredSession, ending: Omit<End, "at">) {
    const end = { ...ending, at: environment.now() };
    const text = JSON.stringify(end);
    const written = await persist(
      async () => {
        await records.schedule(session, end.at);
        return records.note(session, "end", text);
      },
      async () => (await records.read(session.id, "end")) === text,
      { environment, report: report(session.id) },
    );
    return { written, end };
  }

  /** The end of a session, if it has one. That of one whose time is over is written first. */
  async function find(session: StoredSession): Promise<End | undefined> {
    if (session.end || session.status !== "expired") return session.end;
    return write(session, { status: "expired" });
  }

  /** Calls `onEnd`, unless somebody has. Whoever begins has a minute for it: then it is another one's turn. */
  async function tell(session: StoredSession, end: End | undefined): Promise<void> {
    const { id, created, login } = session;
    if (!end || (await records.isTold(id))) return;
    const turn = Math.max(0, Math.floor((environment.now() - end.at) / LEASE));
    if (!(await records.claim(session, `turn:${turn}`))) return;
    const { status, provider = created.provider, failure } = end;
    const told = {
      id,
      user: created.user,
      status,
      ...(provider && { provider }),
      ...(failure && { failure }),
      ...(login && { login }),
      ...toLoginTime(end),
    };
    await callHookInTime("onEnd", () => settings.onEnd(told));
    await records.note(session, "told");
    for (const time of [created.expiresAt, end.at]) await records.unschedule({ id, time });
  }

  const telling = new Set<Promise<void>>();

  /** Neither the page nor the app waits for `onEnd`. */
  function tellInBackground(session: StoredSession, end: End | undefined): void {
    const told = tell(session, end).catch(report(session.id));
    telling.add(told);
    told.finally(() => telling.delete(told));
  }

  let sweeping: Promise<void> | undefined;
  let isFinishing = false;

  /** Looks at a session that is due, and takes it from those that are if nothing is left to tell. */
  async function look(due: Due): Promise<void> {
    const session = await records.find(due.id);
    if (session) await tell(session, await find(session));
    if (!session || (await records.isTold(due.id))) await records.unschedule(due);
  }

  async function sweepAll(): Promise<void> {
    const begun = environment.now();
    const looking = new Set<Promise<void>>();
    // A store that has not yet forgotten what was put off is asked again a minute later.
    const seen = new Set<string>();
    const next = async () => {
      const found = isFinishing ? [] : await records.listDue(begun, AT_A_TIME);
      return found.filter(({ id, time }) => seen.size < seen.add(`${time} ${id}`).size);
    };
    for (let found = await next(); found.length > 0; found = await next()) {
      for (const due of found) {
        if (looking.size >= AT_A_TIME) await Promise.race(looking);
        if (isFinishing) break;
        // Another look comes in a minute, whatever becomes of this one.
        const later = await records.postpone(due);
        const looked = look(later)
          .catch(report(due.id))
          .finally(() => looking.delete(looked));
        looking.add(looked);
      }
    }
    await Promise.all(looking);
  }

  return {
    /** Ends a session, unless it has ended before. */
    async end(session: StoredSession, ending: Omit<End, "at">): Promise<"written" | "taken" | "failed"> {
      const { written, end } = await writeSurely(session, ending);
      if (written === "written") tellInBackground(session, end);
      return written;
    },

    /** The same, while its person or app waits for it. @throws {BankError} if the store fails. */
    async cancel(session: StoredSession): Promise<void> {
      tellInBackground(session, await write(session, { status: "cancelled" }));
    },

    /** Cancels a session that nobody has got: nobody is told of it. */
    async drop(session: StoredSession): Promise<void> {
      await records.note(session, "told");
      await records.note(session, "end", JSON.stringify({ status: "cancelled", at: environment.now() } satisfies End));
      await records.unschedule({ id: session.id, time: session.created.expiresAt });
    },

    /** Ends a session whose time is over, and tells an end of which nobody has told. */
    async settle(session: StoredSession): Promise<void> {
      tellInBackground(session, await find(session));
    },

    /** Does the same for each session that is due, and waits for `onEnd`. One sweep runs at a time. */
    sweep(): Promise<void> {
      sweeping ??= sweepAll()
        .catch(report(crypto.randomUUID()))
        .finally(() => {
          sweeping = undefined;
        });
      return sweeping;
    },

    /** Waits for each `onEnd` that was begun. A sweep that runs begins no other. */
    async finish(): Promise<void> {
      isFinishing = true;
      await Promise.all([...telling, sweeping]);
      isFinishing = false;
    },
  };
}
