import { isSessionGone } from "../../../machines/slots.ts";
import { digestText } from "../../core/api/digest.ts";
import type { DestinationsResponse } from "../../core/api/responses.ts";
import { createRecords, type Store } from "../../core/tokens/store.ts";
import { type BankClient, BankError, type FailureCode, type Secret } from "../../index.ts";
import { isToken, systemEnvironment } from "../../servers/environment.ts";
import { RETENTION } from "../../servers/hosted/hosted-options.ts";
import type { HostedLogin, HostedSession, NewHostedSession } from "../../servers/hosted/index.ts";

/** Where logins with an address are created: in this process, or by a `ventanilla serve`. */
export type LoginBackend = Pick<HostedLogin, "create" | "read" | "takeKey" | "cancel">;

export interface BankLoginsOptions {
  readonly backend: LoginBackend;
  /** The backend's address. A handle of another backend is unknown here. */
  readonly url: string;
  readonly client: Pick<BankClient, "listTransferDestinations" | "logout">;
  /** Keeps the sessions of the handles. */
  readonly store: Store;
}

/** The state of a login. `ended`: its session was closed. */
export interface BankLogin extends Pick<HostedSession, "provider" | "failure" | "loggedInAt" | "expiresAt"> {
  readonly status: HostedSession["status"] | "ended";
}

/** A login without a session, or a request that its session refused. */
export interface Refused {
  readonly status: "refused";
  readonly code: FailureCode;
}

/** The call that a login was made for. Until the host has answered it, the handle is not handed out. */
export interface Offer {
  /** Equal for calls with the same arguments. */
  readonly name: string;
  /** Aborted when the host has cancelled the call. */
  readonly signal: AbortSignal;
  /** Until when the host can answer. */
  readonly answerUntil: number;
}

/** A login that this process has created. */
export interface NewLogin {
  readonly id: string;
  readonly handle: string;
  readonly address: string;
  readonly expiresAt: Date;
  /** Present until the handle was handed out. */
  readonly offer?: Offer;
}

export type BankLogins = ReturnType<typeof createBankLogins>;

const openStatuses: readonly BankLogin["status"][] = ["created", "opened", "awaiting_interaction"];

/** Whether a login can still change its state. */
export const isOpen = ({ status }: BankLogin): boolean => openStatuses.includes(status);

/**
 * Logins by handles. A handle is random, and the store keeps only its digest, so the backend does not know it. It is lost with the process if the
 * store is in memory, otherwise with its record, and it opens nothing anywhere else.
 */
export function createBankLogins({ backend, url, client, store }: BankLoginsOptions) {
  const records = createRecords(store);
  const toName = async (handle: string) => `mcp:${await digestText(`${url} ${handle}`)}`;
  const toForgetAt = ({ expiresAt }: Pick<HostedSession, "expiresAt">) => new Date(expiresAt.getTime() + RETENTION);
  /** The logins of this process that can still be open, by their handles. */
  const made = new Map<string, NewLogin>();

  function forgetExpired() {
    for (const [handle, { expiresAt }] of made) if (expiresAt.getTime() <= Date.now()) made.delete(handle);
  }

  /** The session of a handle. @throws {BankError} `session_not_found`. */
  async function find(handle: string) {
    const name = isToken(handle) ? await toName(handle) : "";
    const id = name && (await records.read(name));
    if (!id) throw new BankError("session_not_found", { field: "handle" });
    const [session, ended] = await Promise.all([backend.read(id), records.read(`${name}:ended`)]);
    const login: BankLogin = ended === undefined ? session : { ...session, status: "ended" };
    return { name, id, login, forgetAt: toForgetAt(session) };
  }

  /** The session key, for the holder of the handle, in any process. */
  const takeKey = ({ name, id }: Awaited<ReturnType<typeof find>>): Promise<Secret> =>
    backend.takeKey(id, { idempotencyKey: name });

  return {
    async create(options: NewHostedSession, offer: Offer): Promise<NewLogin> {
      forgetExpired();
      const { id, url: address, expiresAt } = await backend.create(options);
      const handle = systemEnvironment.createToken();
      const login = { id, handle, address, expiresAt, offer };
      made.set(handle, login);
      await records.write(await toName(handle), id, toForgetAt({ expiresAt }));
      return login;
    },

    /** Finds the login of an equal call, if the host cancelled that or did not answer in time. */
    findGivenUp(name: string): NewLogin | undefined {
      forgetExpired();
      const isGivenUp = ({ offer }: NewLogin) =>
        offer?.name === name && (offer.signal.aborted || Date.now() >= offer.answerUntil);
      return [...made.values()].find(isGivenUp);
    },

    /** The address of a login's page, in the process that has created it. */
    findAddress: (handle: string): string | undefined => made.get(handle)?.address,

    /** The host has answered: an equal call creates another login. */
    settle(handle: string): void {
      const login = made.get(handle);
      if (!login) return;
      const { offer: _, ...settled } = login;
      made.set(handle, settled);
    },

    /** Cancels a login that has not ended. */
    cancel: async (handle: string): Promise<unknown> => backend.cancel((await find(handle)).id),

    /** Cancels the open logins of this process: all of them, or those whose handle was not handed out. @returns the errors. */
    async cancelAll(which: "all" | "offered"): Promise<readonly unknown[]> {
      forgetExpired();
      const open = [...made.values()].filter(({ offer }) => which === "all" || offer);
      const results = await Promise.allSettled(open.map(({ id }) => backend.cancel(id)));
      return results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
    },

    read: async (handle: string): Promise<BankLogin> => (await find(handle)).login,

    async listDestinations(handle: string, signal: AbortSignal): Promise<DestinationsResponse | Refused> {
      const found = await find(handle);
      const code = findReason(found.login);
      if (code) return { status: "refused", code };
      return client.listTransferDestinations(await takeKey(found), { signal });
    },

    /** Cancels an open login, and closes a session, which is beyond the contract. */
    async end(handle: string): Promise<BankLogin | Refused> {
      const found = await find(handle);
      const login = isOpen(found.login) ? await backend.cancel(found.id) : found.login;
      if (login.status !== "logged_in") return login;
      const { status } = await client.logout(await takeKey(found));
      if (status !== "logged_out" && !isSessionGone(status)) return { status: "refused", code: status };
      await records.write(`${found.name}:ended`, "ended", found.forgetAt);
      return { ...login, status: "ended" };
    },
  };
}

/** Why there is no session to use. */
function findReason({ status, failure }: BankLogin): FailureCode | undefined {
  if (status === "logged_in") return undefined;
  if (status === "failed") return failure ?? "unexpected_fault";
  return status === "cancelled" || status === "expired" ? status : "key_unavailable";
}
