import { BankError } from "../../core/api/errors.ts";
import { createInputError, parseMilliseconds } from "../../core/api/input-checks.ts";
import type { Secret } from "../../core/api/secret.ts";
import { isProviderCode } from "../relay/relay-call.ts";
import {
  type HostedSession,
  type HostedSettings,
  type NewHostedSession,
  type TakeKeyOptions,
  toSafeUrl,
} from "./hosted-options.ts";
import { createToken, digest } from "./random-token.ts";
import type { SessionEnds } from "./session-ends.ts";
import type { SessionRecords, StoredSession } from "./session-records.ts";
import { sealText, unsealText } from "./session-seals.ts";

/** The id of the session at an address. It tells nobody the address. */
export const createId = async (token: string): Promise<string> => (await digest(token)).slice(0, 32);

/** What an app does with sessions. */
export function createHostedSessions(settings: HostedSettings, records: SessionRecords, ends: SessionEnds) {
  return {
    async create(
      options: NewHostedSession,
    ): Promise<{ readonly id: string; readonly url: string; readonly expiresAt: Date }> {
      checkNewSession(options, settings);
      const { user, provider, username, locale, returnTo, expiresIn = 900_000 } = options;
      const { url, retention } = settings;
      const token = createToken();
      const id = await createId(token);
      const expiresAt = Date.now() + parseMilliseconds("expiresIn", expiresIn);
      const forgetAt = expiresAt + retention;
      await records.add(id, {
        url,
        user,
        expiresAt,
        forgetAt,
        ...(provider && { provider }),
        ...(username && { username: await sealText(settings, id, "username", username, new Date(forgetAt)) }),
        ...(locale && { locale }),
        ...(returnTo && { returnTo }),
      });
      return { id, url: `${url}${token}`, expiresAt: new Date(expiresAt) };
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
      const { end, status } = session;
      if (end?.key === undefined) throw new BankError("key_unavailable", { detail: `status ${status}` });
      const key = await unsealText(settings, id, "key", end.key);
      const taker = await digest(idempotencyKey);
      if (await records.note(session, "taker", taker)) return key;
      // The same taker asks again: its first call, or the response to it, was lost.
      if ((await records.readTaker(id)) === taker) return key;
      throw new BankError("key_unavailable", { detail: "another taker has it" });
    },

    async cancel(id: string): Promise<HostedSession> {
      const session = await records.get(id);
      if (session.end || session.status === "expired") await ends.settle(session);
      else await ends.end(session, { status: "cancelled" });
      return toHostedSession(await records.get(id));
    },
  };
}

/** Whether a text names the taker of a key. */
const isIdempotencyKey = (text: unknown): text is string =>
  typeof text === "string" && text.length > 0 && text.length <= 255;

function checkNewSession(
  { user, provider, locale, returnTo }: NewHostedSession,
  { returnTo: origins }: HostedSettings,
): void {
  if (typeof user !== "string" || user === "") throw createInputError("user", "must be a text");
  if (provider !== undefined && !isProviderCode(provider)) throw createInputError("provider", "must be a bank's code");
  if (locale !== undefined && typeof locale !== "string") throw createInputError("locale", "must be a language tag");
  if (returnTo !== undefined && !origins.includes(toSafeUrl(returnTo)?.origin ?? "")) {
    throw createInputError("returnTo", "must be an address of an origin of the option returnTo");
  }
}

function toHostedSession({ id, created, status, end }: StoredSession): HostedSession {
  const { user, provider, expiresAt, failure } = { ...created, ...end };
  return {
    id,
    user,
    status,
    ...(provider && { provider }),
    ...(failure && { failure }),
    expiresAt: new Date(expiresAt),
  };
}
