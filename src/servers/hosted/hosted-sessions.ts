import { BankError, wrapThrown } from "../../core/api/errors.ts";
import { createInputError, parseMilliseconds } from "../../core/api/input-checks.ts";
import type { Secret } from "../../core/api/secret.ts";
import { findLocale } from "../../core/texts/languages.ts";
import { claim } from "../../core/tokens/claim-store.ts";
import { callHookInTime } from "../../core/tokens/hooks.ts";
import { createRecords } from "../../core/tokens/record-store.ts";
import { isProviderCode } from "../relay/login-handler.ts";
import { reportError } from "../relay/relay-events.ts";
import {
  type HostedEnd,
  type HostedSession,
  type HostedSettings,
  type HostedStatus,
  type NewHostedSession,
  toSafeUrl,
} from "./hosted-options.ts";
import { createToken, digest } from "./random-token.ts";
import { sealText, unsealText } from "./session-seals.ts";

/** Milliseconds after the expiry in which a login that was sent before it can still reach its session. */
export const LOGIN_TIME = 120_000;

/** Milliseconds until another instance may call `onEnd`, where one has begun to. */
const TURN = 60_000;

/** What a session was created with, as the store keeps it. */
interface Created extends Pick<NewHostedSession, "user" | "provider" | "locale" | "returnTo"> {
  readonly url: string;
  /** Sealed. */
  readonly username?: string;
  /** In milliseconds since the epoch, as the other times. */
  readonly expiresAt: number;
  readonly forgetAt: number;
}

/** How a session ended. */
interface End extends Pick<HostedEnd, "status" | "provider" | "failure"> {
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

/** The marks that a session gets, each once. */
type Mark = "opened" | "asking" | "browser" | "end" | "told";

export type HostedSessions = ReturnType<typeof createHostedSessions>;

/**
 * The sessions in the store. A session is a few texts, each written once: what it was created with, the browser that it belongs to, its
 * end. Two instances can't overwrite each other's, and one that is killed leaves nothing half written.
 */
export function createHostedSessions(settings: HostedSettings) {
  const { store, url, retention } = settings;
  const records = createRecords(store);
  const toId = (id: string, mark?: Mark) => `hosted:${id}${mark ? `:${mark}` : ""}`;

  const write = ({ id, created }: Pick<StoredSession, "id" | "created">, mark: Mark, text = "") =>
    records.write(toId(id, mark), text, new Date(created.forgetAt));

  async function find(id: string): Promise<StoredSession | undefined> {
    if (!/^[\da-f]{32}$/.test(id)) return undefined;
    const created = parse<Created>(await records.read(toId(id)));
    // Of another hosted login in the same store.
    if (created?.url !== url) return undefined;
    const marks = ["opened", "asking", "browser", "end"] as const;
    const [opened, asking, browser, text] = await Promise.all(marks.map((mark) => records.read(toId(id, mark))));
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

  /** Writes the end of a session, unless it has ended before. @returns the end that was written. */
  async function writeEnd(session: StoredSession, ending: Omit<End, "at">): Promise<End | undefined> {
    const whole = { ...ending, at: Date.now() };
    return (await write(session, "end", JSON.stringify(whole))) ? whole : undefined;
  }

  /** The end that is still to be told, if nobody has; that of a session whose time is over is written first. */
  async function findEnd(session: StoredSession): Promise<End | undefined> {
    if (session.end || session.status !== "expired") return session.end;
    return writeEnd(session, { status: "expired" });
  }

  /** Calls `onEnd`, unless somebody has. Whoever begins has a minute for it: then it is another one's turn. */
  async function tell({ id, created }: StoredSession, ending: End | undefined): Promise<void> {
    if (!ending || (await records.read(toId(id, "told"))) !== undefined) return;
    const turn = Math.max(0, Math.floor((Date.now() - ending.at) / TURN));
    if (!(await claim(store, `${toId(id)}:turn:${turn}`, new Date(created.forgetAt)))) return;
    const { status, provider = created.provider, failure } = ending;
    await callHookInTime("onEnd", () =>
      settings.onEnd(withoutEmpty({ id, user: created.user, status, provider, failure })),
    );
    await write({ id, created }, "told");
  }

  const report = (session: Pick<StoredSession, "id">) => (error: unknown) =>
    reportError(settings, wrapThrown(error), session);

  /** Nobody waits for `onEnd`: neither the page nor the app. */
  const tellInBackground = (session: StoredSession, ending: End | undefined): void =>
    void tell(session, ending).catch(report(session));

  /** Ends a session, unless it has ended before. */
  const end = async (session: StoredSession, ending: Omit<End, "at">): Promise<void> =>
    tellInBackground(session, await writeEnd(session, ending));

  /** Ends a session whose time is over, and tells an end of which nobody has told. */
  const settle = async (session: StoredSession): Promise<void> => tellInBackground(session, await findEnd(session));

  async function get(id: string): Promise<StoredSession> {
    const session = await find(id);
    if (!session) throw new BankError("session_not_found");
    return session;
  }

  return {
    find,
    end,
    settle,
    write,

    async create(
      options: NewHostedSession,
    ): Promise<{ readonly id: string; readonly url: string; readonly expiresAt: Date }> {
      const { user, provider, username, locale, returnTo, expiresIn = 900_000 } = options;
      if (typeof user !== "string" || user === "") throw createInputError("user", "must be a text");
      if (provider !== undefined && !isProviderCode(provider))
        throw createInputError("provider", "must be a bank's code");
      if (locale !== undefined && findLocale(locale) === undefined)
        throw createInputError("locale", "must be a language");
      if (returnTo !== undefined && !settings.returnTo.includes(toSafeUrl(returnTo)?.origin ?? "")) {
        throw createInputError("returnTo", "must be an address of an origin of the option returnTo");
      }
      const token = createToken();
      const id = await createId(token);
      const expiresAt = Date.now() + parseMilliseconds("expiresIn", expiresIn);
      const forgetAt = expiresAt + retention;
      const sealed = username && (await sealText(settings, id, "username", username, new Date(forgetAt)));
      const created = { url, user, provider, username: sealed, locale, returnTo, expiresAt, forgetAt };
      await records.write(toId(id), JSON.stringify(created), new Date(forgetAt));
      return { id, url: `${url}${token}`, expiresAt: new Date(expiresAt) };
    },

    async read(id: string): Promise<HostedSession> {
      const session = await get(id);
      await settle(session);
      // Another instance may have written another end first.
      const isSure = session.end !== undefined || session.status !== "expired";
      return toHostedSession(isSure ? session : await get(id));
    },

    async takeKey(id: string): Promise<Secret> {
      const { end, created, status } = await get(id);
      if (end?.key === undefined) throw new BankError("session_without_key", { detail: `status ${status}` });
      const key = await unsealText(settings, id, "key", end.key);
      if (await claim(store, `${toId(id)}:key`, new Date(created.forgetAt))) return key;
      throw new BankError("key_taken");
    },

    async cancel(id: string): Promise<HostedSession> {
      const session = await get(id);
      await settle(session);
      if (session.status !== "expired" && !session.end) await end(session, { status: "cancelled" });
      return toHostedSession(await get(id));
    },

    async sweep(): Promise<void> {
      const unread = report({ id: crypto.randomUUID() });
      const ids = new Set(await records.list().catch((error: unknown) => void unread(error)));
      for (const name of ids) {
        const [, id] = /^hosted:([\da-f]{32})$/.exec(name) ?? [];
        if (id === undefined || ids.has(toId(id, "told"))) continue;
        const look = async () => {
          const session = await find(id);
          if (session) await tell(session, await findEnd(session));
        };
        // One that can't be read or told does not keep the others from it.
        await look().catch(report({ id }));
      }
    },
  };
}

/** The id of the session at an address. It tells nobody the address. */
export const createId = async (token: string): Promise<string> => (await digest(token)).slice(0, 32);

function toHostedSession({ id, created, status, end }: StoredSession): HostedSession {
  const { user, provider, expiresAt } = created;
  return withoutEmpty({
    id,
    user,
    status,
    provider: end?.provider ?? provider,
    failure: end?.failure,
    expiresAt: new Date(expiresAt),
  }) as HostedSession;
}

const parse = <Content>(text: string | undefined): Content | undefined =>
  text === undefined ? undefined : JSON.parse(text);

const withoutEmpty = <Members extends object>(members: Members) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Members]: Exclude<Members[Name], undefined>;
  };
