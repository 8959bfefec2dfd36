import { callCallbackInTime } from "../../core/api/callbacks.ts";
import { wrapThrown } from "../../core/api/errors.ts";
import type { KeptLogins } from "../kept/kept-logins.ts";
import { withEnd, withoutOldStep } from "../kept/kept-row.ts";
import { reportError } from "../relay/relay-events.ts";
import type { HostedSettings } from "./hosted-options.ts";
import type { ScheduledCheck, SessionIndex } from "./session-index.ts";
import { describe, isOverdue, readLastStep, type Session, type SessionDoor, type SessionRow } from "./session-row.ts";

/** Milliseconds for which only one instance may call `onEnd`, once it has begun to. */
const LEASE = 60_000;

/** Sessions that a sweep checks at the same time, so that one slow call of `onEnd` does not delay the others. */
const AT_A_TIME = 100;

export type SessionEnds = ReturnType<typeof createSessionEnds>;

/** The ends of sessions: each is written first, and then `onEnd` is called. */
export function createSessionEnds(
  settings: Pick<HostedSettings, "onEnd" | "onError" | "environment">,
  { logins, index }: { readonly logins: KeptLogins<SessionDoor>; readonly index: SessionIndex },
) {
  const { environment } = settings;
  const report = (id: string) => (error: unknown) => reportError(settings, wrapThrown(error), { id, session: id });
  const withDoor = (row: SessionRow, door: Partial<SessionDoor>): SessionRow => ({
    ...row,
    door: { ...row.door, ...door },
  });

  /** The row of a session that ends without a response of the bank, with its last step. */
  const withLastStep = (row: SessionRow, status: "cancelled" | "expired", at: number): SessionRow =>
    withEnd(withDoor(row, { left: readLastStep(row) }), { status, at });

  /** Ends an expired session. @returns it as it is then. */
  async function expire(session: Session): Promise<Session> {
    if (!isOverdue(session.row, environment) || (await index.isUsable(session.id))) return session;
    const at = environment.now();
    return (
      (await logins.change(session, (row) =>
        isOverdue(row, environment) ? withLastStep(row, "expired", at) : undefined,
      )) ?? session
    );
  }

  /** Calls `onEnd`, unless it was called. An instance has a minute for the call, then another one may call it. */
  async function notify(session: Session): Promise<void> {
    const { id, row } = session;
    const { end } = row;
    if (!end || row.door.isConclusive) return;
    const lease = Math.max(0, Math.floor((environment.now() - end.at) / LEASE));
    let isOurs = false;
    const taken = await logins.change(session, (found) => {
      isOurs = !found.door.isConclusive && (found.door.lease ?? -1) < lease;
      return isOurs ? withDoor(found, { lease }) : undefined;
    });
    if (!taken || !isOurs) return;
    const { status } = end;
    await callCallbackInTime("onEnd", () => settings.onEnd({ ...describe(taken), status }));
    await logins.change(taken, (found) => withDoor(found, { isConclusive: true }));
    for (const time of [row.expiresAt, end.at]) await index.unschedule({ id, time });
  }

  /** Neither the page nor the app waits for `onEnd`. */
  const notifyInBackground = (session: Session): void => {
    void logins.track(notify(session).catch(report(session.id)));
  };

  let sweeping: Promise<void> | undefined;
  let isFinishing = false;

  /** Checks a due session: ends it, calls `onEnd`, drops what is not needed any more, and removes the check. */
  async function check(due: ScheduledCheck): Promise<void> {
    const found = await logins.read(due.id);
    const session = found && (await logins.change(await expire(found), (row) => forgetOld(row, environment.now())));
    if (session) await notify(session);
    const now = session && (await logins.read(due.id))?.row;
    const isLeft = now && (now.end ? !now.door.isConclusive : environment.now() >= now.expiresAt);
    if (!isLeft) await index.unschedule(due);
  }

  async function sweepAll(): Promise<void> {
    const begun = environment.now();
    const checks = new Set<Promise<void>>();
    // Skips checks that this sweep has seen: the store may still list one that was postponed.
    const seen = new Set<string>();
    const next = async () => {
      const found = isFinishing ? [] : await index.listDue(begun, AT_A_TIME);
      return found.filter(({ id, time }) => seen.size < seen.add(`${time} ${id}`).size);
    };
    for (let found = await next(); found.length > 0; found = await next()) {
      for (const due of found) {
        if (checks.size >= AT_A_TIME) await Promise.race(checks);
        if (isFinishing) break;
        // The check is repeated in a minute, even if this one fails.
        const later = await index.postpone(due);
        const checked = check(later)
          .catch(report(due.id))
          .finally(() => checks.delete(checked));
        checks.add(checked);
      }
    }
    await Promise.all(checks);
  }

  return {
    /** Calls `onEnd` for a session whose end was just written. */
    notify: notifyInBackground,

    /** Ends a session for its person or app, unless it has ended before. @throws {BankError} if the store fails. */
    async cancel(session: Session): Promise<Session> {
      const at = environment.now();
      // Scheduled before the end is written, in case this instance is killed between the two.
      await index.schedule({ id: session.id, time: at }, session.row.forgetAt);
      const ended =
        (await logins.change(session, (row) => (row.end ? undefined : withLastStep(row, "cancelled", at)))) ?? session;
      notifyInBackground(ended);
      return ended;
    },

    /** Ends an expired session, and calls `onEnd` for an end if it was not called yet. */
    async settle(session: Session): Promise<Session> {
      const settled = await expire(session);
      notifyInBackground(settled);
      return settled;
    },

    /** Settles each due session, and waits for `onEnd`. One sweep runs at a time. */
    sweep(): Promise<void> {
      sweeping ??= sweepAll()
        .catch(report(crypto.randomUUID()))
        .finally(() => {
          sweeping = undefined;
        });
      return sweeping;
    },

    /** Waits for a running sweep, which begins no more calls of `onEnd`. */
    async finish(): Promise<void> {
      isFinishing = true;
      await sweeping;
      isFinishing = false;
    },
  };
}

/** Drops an interaction that was not answered in time, and a key that was handed over. */
function forgetOld(row: SessionRow, now: number): SessionRow {
  const { key, ...others } = withoutOldStep(row, now);
  const { recipient } = row.door;
  if (key === undefined || !recipient || now < recipient.until) return withoutOldStep(row, now);
  return others;
}
