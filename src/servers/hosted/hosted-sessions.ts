import { BankError } from "../../core/api/errors.ts";
import { createInputError, parseMilliseconds } from "../../core/api/input-checks.ts";
import type { Secret } from "../../core/api/secret.ts";
import { digest } from "../random-token.ts";
import {
  type CreatedSession,
  checkNewSession,
  type HostedSession,
  type HostedSettings,
  type NewHostedSession,
  type TakeKeyOptions,
} from "./hosted-options.ts";
import { createOnlyOne } from "./open-sessions.ts";
import type { SessionEnds } from "./session-ends.ts";
import { type SessionRecords, type StoredSession, type Taker, toLoginTime } from "./session-records.ts";
import { readUsername, sealText, unsealText } from "./session-seals.ts";

/** The id of the session at an address. It tells nobody the address. */
export const createId = async (token: string): Promise<string> => (await digest(token)).slice(0, 32);

/** Milliseconds for which a bank that existed still does, and in which the service has to say so. */
const PROVIDER_AGE = 86_400_000;
const PROVIDER_TIMEOUT = 3_000;

/** Milliseconds in which a person can begin or answer, by default. */
const EXPIRES_IN = 900_000;

/** Sessions of one user that are listed. */
const NEWEST = 100;

/** What an app does with sessions. */
export function createHostedSessions(settings: HostedSettings, records: SessionRecords, ends: SessionEnds) {
  const { url, client, retention, keyRetention, environment } = settings;

  async function add(options: NewHostedSession, token: string): Promise<CreatedSession> {
    const {
      user,
      provider,
      username,
      locale,
      returnTo,
      bindUsername,
      ignoreKnownRefusal,
      expiresIn = EXPIRES_IN,
    } = options;
    const id = await createId(token);
    const expiresAt = environment.now() + expiresIn;
    const forgetAt = expiresAt + retention;
    await records.add(id, {
      url,
      user,
      expiresAt,
      forgetAt,
      ...(provider && { provider }),
      ...(username && { username: await sealText(settings, id, "username", username, new Date(forgetAt)) }),
      ...(bindUsername && { bindUsername }),
      ...(ignoreKnownRefusal && { ignoreKnownRefusal }),
      ...(locale && { locale }),
      ...(returnTo && { returnTo }),
    });
    return { id, url: `${url}${token}`, expiresAt: new Date(expiresAt) };
  }

  /** A bank that can't be asked now is no reason against a session. */
  async function checkProvider(code: string): Promise<void> {
    const signal = AbortSignal.timeout(PROVIDER_TIMEOUT);
    const response = await client.getProvider(code, { maxAge: PROVIDER_AGE, signal }).catch(() => undefined);
    if (response?.status === "provider_doesnt_exist") throw createInputError("provider", "no bank has this code");
  }

  async function create(options: NewHostedSession): Promise<CreatedSession> {
    checkNewSession(options, settings);
    const { provider, whenOpen, expiresIn = EXPIRES_IN } = options;
    parseMilliseconds("expiresIn", expiresIn);
    if (provider !== undefined) await checkProvider(provider);
    if (!whenOpen) return add(options, environment.createToken());
    return createOnlyOne({ ...options, whenOpen }, { settings, records, ends, add });
  }

  return {
    create,

    async renew(id: string): Promise<CreatedSession> {
      const { created, end } = await records.get(id);
      const { user, username, locale, returnTo, bindUsername } = created;
      const provider = end?.provider ?? created.provider;
      return create({
        user,
        ...(provider && { provider }),
        ...(username && { username: await readUsername(settings, id, username) }),
        ...(bindUsername && { bindUsername }),
        ...(locale && { locale }),
        ...(returnTo && { returnTo }),
      });
    },

    async read(id: string): Promise<HostedSession> {
      const session = await records.get(id);
      await ends.settle(session);
      // Another instance may have written another end first.
      const isSure = session.end !== undefined || session.status !== "expired";
      return toHostedSession(isSure ? session : await records.get(id));
    },

    async takeKey(id: string, options: TakeKeyOptions): Promise<Secret> {
      // In JavaScript it may be left out.
      const idempotencyKey = options?.idempotencyKey;
      if (!isIdempotencyKey(idempotencyKey))
        throw createInputError("idempotencyKey", "must be a text of 1 to 255 characters");
      const session = await records.get(id);
      const { end, status, created } = session;
      if (end?.submit === undefined) throw new BankError("key_unavailable", { detail: `status ${status}` });
      const name = `key:${end.submit}` as const;
      const sealed = await records.read(id, name);
      if (sealed === undefined)
        throw new BankError("key_unavailable", { detail: "it was handed over and is forgotten" });
      const key = await unsealText(settings, id, "key", sealed);
      const taker: Taker = { name: await digest(idempotencyKey), at: environment.now() };
      const isFirst = await records.note(session, "taker", JSON.stringify(taker));
      const first: Taker = isFirst ? taker : JSON.parse((await records.read(id, "taker")) ?? "{}");
      if (first.name !== taker.name) throw new BankError("key_unavailable", { detail: "another taker has it" });
      // The same taker may ask again: its first call, or the response to it, was lost.
      await records.renote(session, name, sealed, Math.min(first.at + keyRetention, created.forgetAt));
      return key;
    },

    async list(user: string): Promise<readonly HostedSession[]> {
      const found = await Promise.all((await records.listOfUser(user, NEWEST)).map(({ id }) => records.find(id)));
      return found.flatMap((session) => (session ? [toHostedSession(session)] : []));
    },

    async erase(user: string): Promise<number> {
      let erased = 0;
      for (;;) {
        const found = await records.listOfUser(user, NEWEST);
        if (found.length === 0) return erased;
        for (const { name, id } of found) {
          const session = await records.find(id);
          if (session) {
            if (!session.end) await ends.drop(session);
            // With what came before its end.
            await records.forget((await records.find(id)) ?? session);
            erased += 1;
          }
          await records.unlist(name);
        }
      }
    },

    async cancel(id: string): Promise<HostedSession> {
      const session = await records.get(id);
      if (session.end || session.status === "expired") await ends.settle(session);
      else await ends.cancel(session);
      return toHostedSession(await records.get(id));
    },
  };
}

/** Whether a text names the taker of a key. */
const isIdempotencyKey = (text: unknown): text is string =>
  typeof text === "string" && text.length > 0 && text.length <= 255;

function toHostedSession({ id, created, status, login, end }: StoredSession): HostedSession {
  const { user, provider, expiresAt, failure } = { ...created, ...end };
  return {
    id,
    user,
    status,
    ...(provider && { provider }),
    ...(failure && { failure }),
    ...(login && { login }),
    ...toLoginTime(end),
    expiresAt: new Date(expiresAt),
  };
}
