import { callCallbackInTime } from "../../core/api/callbacks.ts";
import { wrapThrown } from "../../core/api/errors.ts";
import type { Secret } from "../../core/api/secret.ts";
import { createKeptLogins } from "../kept/kept-logins.ts";
import { reportError } from "../relay/relay-events.ts";
import { createKeys } from "../relay/relay-options.ts";
import { createHostedHandler } from "./hosted-handler.ts";
import {
  type CreatedSession,
  createHostedSettings,
  type ErasedSessions,
  type HostedLoginOptions,
  type HostedSession,
  type HostedSettings,
  type NewHostedSession,
  type TakeKeyOptions,
} from "./hosted-options.ts";
import { createHostedSessions } from "./hosted-sessions.ts";
import { createSessionEnds } from "./session-ends.ts";
import { createSessionIndex } from "./session-index.ts";
import { describe, type NotifyProgress, readRefusalOf, type SessionDoor } from "./session-row.ts";

/** Logins with an address. */
export interface HostedLogin {
  /**
   * Creates a session with an address that a person can open until `expiresAt`. The address is a secret until the person has logged in:
   * give it to this person only.
   *
   * @throws {BankError} `invalid_input` naming the member that can't be used, such as an unknown `provider`.
   */
  create(session: NewHostedSession): Promise<CreatedSession>;
  /** Says where a session is. @throws {BankError} `session_not_found`. */
  read(id: string): Promise<HostedSession>;
  /**
   * Hands over the session key (contract, section 5), to one recipient. `reveal(key)` gives the text. The same recipient gets it again for the
   * `keyRetention`: store it, and repeat the call if anything fails before that.
   *
   * @throws {BankError} `session_not_found`; `key_unavailable` before and without `logged_in`, if another recipient has it, and after the `keyRetention`.
   * @throws {BankError} `invalid_input` naming `idempotencyKey`; `handler_failed` if the store fails: call again with the same options.
   */
  takeKey(id: string, options: TakeKeyOptions): Promise<Secret>;
  /**
   * Creates a session for logging in again: for the same user at the same bank, with the user name, language, binding and return address of the other
   * session.
   *
   * @throws {BankError} `session_not_found`; as `create`.
   */
  renew(id: string): Promise<CreatedSession>;
  /** Ends a session that has not ended. A login that the bank is working on is not aborted; its key is dropped, or with `logout` its session is closed. @throws {BankError} `session_not_found`. */
  cancel(id: string): Promise<HostedSession>;
  /** The newest sessions of a user, a hundred at most, the newest first. @throws {BankError} `handler_failed` if the store fails. */
  list(user: string): Promise<readonly HostedSession[]>;
  /**
   * Erases all sessions of a user from the store, with typed values, keys and addresses. Open sessions end, and `onEnd` is not called. What
   * `refusals` remembers has no user. The sessions at the banks stay open: log out before. A login that the bank works on is not aborted.
   *
   * @throws {BankError} `handler_failed` if the store fails: call it again.
   */
  erase(user: string): Promise<ErasedSessions>;
  /**
   * Calls `onEnd` for sessions that have expired, and for those whose instance was killed before it could. Call it once a minute, on any
   * instance: it reads from an index of the store what is due. It always resolves: faults go to `onError`.
   */
  sweep(): Promise<void>;
  /**
   * Waits for what was begun: requests at the bank, pending writes to the store, each `onEnd`. It waits for a failing store up to two
   * minutes. Call it before the process ends. It always resolves.
   */
  finish(): Promise<void>;
  /** Serves the pages, their scripts and the relay below `url`. It always resolves. */
  readonly handle: (request: Request) => Promise<Response>;
}

/**
 * Creates logins with an address: a back end creates a session, a person opens its address and logs in, and the back end takes the session
 * key. The page is `<bank-login>` behind a relay (`ventanilla/relay`).
 *
 * @throws {BankError} `invalid_input` naming the option that can't be used.
 * @example
 * const hosted = createHostedLogin({ client, sealKey, store, url: "https://login.shop.example/bank", name: "Shop", onEnd });
 * createServer(createNodeHandler(hosted.handle)).listen(8080);
 * const { id, url } = await hosted.create({ user: "42" });
 */
export function createHostedLogin(options: HostedLoginOptions): HostedLogin {
  return assembleHostedLogin(createHostedSettings(options));
}

export function assembleHostedLogin(settings: HostedSettings): HostedLogin {
  const { store, environment, sealKey, client, logout, interactionLifetime } = settings;
  const keys = createKeys(store, sealKey);
  const index = createSessionIndex({ ...settings, keys });
  const report = (error: unknown, id: string) => reportError(settings, wrapThrown(error), { id, session: id });
  const logins = createKeptLogins<SessionDoor>({
    store,
    keys: sealKey === undefined ? undefined : keys,
    environment,
    stepLifetime: interactionLifetime,
    onError: report,
    schedule: (id, { forgetAt }, time) => index.schedule({ id, time }, forgetAt),
    onResult(session, response) {
      if (session.row.end) return ends.notify(session);
      const { provider, number, kind, result } = session.row.last ?? {};
      if (provider === undefined || number === undefined) return;
      if (result?.kind === "asked") notifyProgress(session, { type: "awaiting_interaction", provider, number });
      else if (kind !== "logout")
        notifyProgress(session, { type: "refused", provider, number, failure: readRefusalOf(response) });
    },
    // It can't be handed over any more.
    onLostKey: async (_, key) => (logout ? client.logout(key) : undefined),
  });
  /** Calls `onProgress` with a step of a session. Neither the page nor the bank waits for it. */
  const notifyProgress: NotifyProgress = (session, step) => {
    const { onProgress } = settings;
    if (!onProgress) return;
    const { loggedInAt: _, lastStep: __, failure, ...known } = describe(session);
    const call = callCallbackInTime("onProgress", () => onProgress({ ...known, ...step }));
    void logins.track(call.catch((error: unknown) => report(error, session.id)));
  };
  const ends = createSessionEnds(settings, { logins, index });
  const sessions = createHostedSessions(settings, { logins, index, ends });
  const { find: _, ...called } = sessions;
  return {
    ...called,
    sweep: ends.sweep,
    async finish() {
      await Promise.all([logins.finish(), ends.finish()]);
    },
    handle: createHostedHandler(settings, { logins, sessions, ends, notifyProgress }),
  };
}
