import { digestText } from "../../core/api/digest.ts";
import { BankError } from "../../core/api/errors.ts";
import { createInputError, revealText } from "../../core/api/input-checks.ts";
import { type Secret, secret } from "../../core/api/secret.ts";
import type { KeptLogins } from "../kept/kept-logins.ts";
import { isUnopenable } from "../kept/kept-rows.ts";
import { reportError } from "../relay/relay-events.ts";
import {
  type CreatedSession,
  checkNewSession,
  type ErasedSessions,
  type HostedSession,
  type HostedSettings,
  isHostedEnd,
  type NewHostedSession,
  type TakeKeyOptions,
} from "./hosted-options.ts";
import type { SessionEnds } from "./session-ends.ts";
import type { SessionIndex } from "./session-index.ts";
import { describe, isOverdue, readStatus, type Session, type SessionDoor, type SessionRow } from "./session-row.ts";

/** The id of the session at an address. The address can't be found from it. */
export const createId = async (token: string): Promise<string> => (await digestText(token)).slice(0, 32);

/** Milliseconds for which a bank that existed still does, and in which the service has to say so. */
const PROVIDER_AGE = 86_400_000;
const PROVIDER_TIMEOUT = 3_000;

/** Milliseconds in which a person can begin or answer, by default. */
const EXPIRES_IN = 900_000;

/** Sessions of one user that are listed. */
const NEWEST = 100;

export function createHostedSessions(
  settings: HostedSettings,
  {
    logins,
    index,
    ends,
  }: { readonly logins: KeptLogins<SessionDoor>; readonly index: SessionIndex; readonly ends: SessionEnds },
) {
  const { url, client, retention, keyRetention, environment } = settings;

  /** A session of this hosted login: another one may share the store. */
  async function find(id: string): Promise<Session | undefined> {
    const session = await logins.read(id);
    return session?.row.door.url === url ? session : undefined;
  }

  /** The same. One that can't be opened, since its seal key is gone, is none. */
  const findReadable = (id: string) =>
    find(id).catch((error: unknown) => {
      if (!isUnopenable(error)) throw error;
      reportError(settings, error as BankError, { id, session: id });
      return undefined;
    });

  async function get(id: string): Promise<Session> {
    const session = await find(id);
    if (!session) throw new BankError("session_not_found");
    return session;
  }

  /** Whether nothing can be sent any more. The clock of the store decides. */
  async function isOver({ id, row }: Session): Promise<boolean> {
    return row.end !== undefined || (isOverdue(row, environment) && !(await index.isUsable(id)));
  }

  const toAddress = (id: string, token: string, { expiresAt }: SessionRow): CreatedSession => ({
    id,
    url: `${url}${token}`,
    expiresAt: new Date(expiresAt),
  });

  async function add(options: NewHostedSession, token: string): Promise<Session> {
    const { expiresIn = EXPIRES_IN, whenOpen: _, username, ...door } = options;
    const id = await createId(token);
    const expiresAt = environment.now() + expiresIn;
    const row: SessionRow = {
      door: { ...door, url, ...(username && { username: revealText("username", username) }) },
      expiresAt,
      forgetAt: expiresAt + retention,
      number: 0,
      sent: 0,
    };
    await index.add(id, row);
    return logins.add(id, row);
  }

  /**
   * Makes a session, unless there is an open one of the same user at the same bank. One row names it, which is swapped: of two calls at the same time one
   * writes it, and the other finds what it has written.
   */
  async function createOnlyOne(options: NewHostedSession & { readonly provider: string }): Promise<CreatedSession> {
    const { user, provider, whenOpen, expiresIn = EXPIRES_IN } = options;
    const token = environment.createToken();
    let made: Session | undefined;
    for (;;) {
      const found = await index.findOpen(user, provider);
      const { entry } = found;
      const open = entry && (await findReadable(entry.id));
      if (open && !(await isOver(open))) {
        if (whenOpen === "cancel") await ends.cancel(open);
        else if (isReusable(open.row, options, environment.now() + expiresIn / 2)) {
          // Another call was faster.
          if (made) await forget(made);
          return toAddress(open.id, entry.token, open.row);
        }
      }
      made ??= await add(options, token);
      if (await index.replaceOpen(found, { id: made.id, token }, made.row.forgetAt))
        return toAddress(made.id, token, made.row);
    }
  }

  /** Forgets a session that was never handed out, and reports nothing. */
  async function forget({ id, row }: Session): Promise<void> {
    await logins.erase(id);
    await index.unschedule({ id, time: row.expiresAt });
    await index.endUse(id);
  }

  /** A session is made although the bank can't be asked now. */
  async function checkProvider(code: string): Promise<void> {
    const signal = AbortSignal.timeout(PROVIDER_TIMEOUT);
    const response = await client.getProvider(code, { maxAge: PROVIDER_AGE, signal }).catch(() => undefined);
    if (response?.status === "provider_doesnt_exist") throw createInputError("provider", "no bank has this code");
  }

  async function create(options: NewHostedSession): Promise<CreatedSession> {
    checkNewSession(options, settings);
    const { provider, whenOpen } = options;
    if (provider !== undefined) await checkProvider(provider);
    if (whenOpen && provider !== undefined) return createOnlyOne({ ...options, provider });
    const token = environment.createToken();
    const { id, row } = await add(options, token);
    return toAddress(id, token, row);
  }

  async function toHostedSession(session: Session): Promise<HostedSession> {
    const { id, user, ...described } = describe(session);
    const status = readStatus(session.row, await isOver(session));
    return { id, user, status, over: isHostedEnd(status), ...described, expiresAt: new Date(session.row.expiresAt) };
  }

  return {
    find,
    create,

    async renew(id: string): Promise<CreatedSession> {
      const { door, end } = (await get(id)).row;
      const { user, username, locale, returnTo, bindUsername } = door;
      const provider = end?.provider ?? door.provider;
      return create({
        user,
        ...(provider && { provider }),
        ...(username && { username }),
        ...(bindUsername && { bindUsername }),
        ...(locale && { locale }),
        ...(returnTo && { returnTo }),
      });
    },

    isOver,

    read: async (id: string): Promise<HostedSession> => toHostedSession(await ends.settle(await get(id))),

    async takeKey(id: string, options: TakeKeyOptions): Promise<Secret> {
      // In JavaScript it may be left out.
      const idempotencyKey = options?.idempotencyKey;
      if (!isIdempotencyKey(idempotencyKey))
        throw createInputError("idempotencyKey", "must be a text of 1 to 255 characters");
      const session = await get(id);
      const { end } = session.row;
      if (end?.status !== "logged_in")
        throw new BankError("key_unavailable", { detail: `status ${(await toHostedSession(session)).status}` });
      const name = await digestText(idempotencyKey);
      const now = environment.now();
      const until = Math.min(now + keyRetention, session.row.forgetAt);
      const taken = await logins.change(session, (row) =>
        row.door.recipient || row.key === undefined
          ? undefined
          : { ...row, door: { ...row.door, recipient: { name, until } } },
      );
      const { key, door } = taken?.row ?? {};
      const isForgotten = key === undefined || !door?.recipient || now >= door.recipient.until;
      if (isForgotten) throw new BankError("key_unavailable", { detail: "it was handed over and is forgotten" });
      // The same recipient may ask again: its first call, or the response to it, was lost.
      if (door.recipient.name !== name) throw new BankError("key_unavailable", { detail: "another recipient has it" });
      await index.schedule({ id, time: door.recipient.until }, session.row.forgetAt);
      return secret(key);
    },

    async list(user: string): Promise<readonly HostedSession[]> {
      const listed = (await index.users.list(user)).slice(0, NEWEST);
      const found = await Promise.all(listed.map(({ id }) => findReadable(id)));
      return Promise.all(found.flatMap((session) => (session ? [toHostedSession(session)] : [])));
    },

    async erase(user: string): Promise<ErasedSessions> {
      const { logins: sessions, mayHaveArrived } = await index.users.eraseAll(user, async (id) => {
        const erased = await logins.erase(id);
        await index.endUse(id);
        return erased;
      });
      await index.forgetOpen(user);
      return { sessions, mayHaveArrived };
    },

    async cancel(id: string): Promise<HostedSession> {
      const session = await ends.settle(await get(id));
      return toHostedSession(session.row.end ? session : await ends.cancel(session));
    },
  };
}

export type HostedSessions = ReturnType<typeof createHostedSessions>;

const isIdempotencyKey = (text: unknown): text is string =>
  typeof text === "string" && text.length > 0 && text.length <= 255;

/** Whether an open session is what another call asks for, for long enough. */
function isReusable({ door, expiresAt }: SessionRow, options: NewHostedSession, least: number): boolean {
  const { username, bindUsername = false, ignoreKnownRefusal = false, locale, returnTo } = options;
  return (
    expiresAt >= least &&
    door.username === (username && revealText("username", username)) &&
    (door.bindUsername ?? false) === bindUsername &&
    (door.ignoreKnownRefusal ?? false) === ignoreKnownRefusal &&
    door.locale === locale &&
    door.returnTo === returnTo
  );
}
