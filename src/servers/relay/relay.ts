import { LOGIN_HEADER, SUBMIT_HEADER, TOKEN_HEADER } from "../../core/api/bank-request.ts";
import { callCallbackInTime } from "../../core/api/callbacks.ts";
import { digestText } from "../../core/api/digest.ts";
import { wrapThrown } from "../../core/api/errors.ts";
import { secret } from "../../core/api/secret.ts";
import { createKeptLogins } from "../kept/kept-logins.ts";
import { isUnderWay, type KeptRow, SUBMIT_TIME, withEnd, withoutKey } from "../kept/kept-row.ts";
import { isTombstone, isUnopenable, type Kept } from "../kept/kept-rows.ts";
import { createKeptUsers, type Erased } from "../kept/kept-users.ts";
import { createDoor, type DoorRules } from "./door.ts";
import { reportError } from "./relay-events.ts";
import { createRelaySettings, type RelayOptions, type RelaySettings } from "./relay-options.ts";
import {
  invalidKey,
  isRefusal,
  loginMissing,
  outcomeUnknown,
  respond,
  toFaultResponse,
  unknownSubmit,
} from "./relay-responses.ts";
import { readUser } from "./request-checks.ts";
import { toKeyName } from "./step-response.ts";
import { toReached } from "./submits.ts";

/** The server part of a browser login: a web-standard handler, which always resolves. */
export interface Relay {
  (request: Request): Promise<Response>;
  /**
   * Erases a user's data from the store: typed values, interactions, session keys. An open login ends; a login that the bank works on is not aborted, and
   * its result is dropped. The sessions at the banks stay open: log out before.
   *
   * @throws {BankError} `handler_failed` if the store fails: call it again.
   */
  erase(user: string): Promise<Erased>;
  /** Waits for running requests to the bank and pending writes to the store. Call it before the process ends. It always resolves. */
  finish(): Promise<void>;
}

/** The data of a relay in the row of a login. */
interface RelayDoor {
  /** The address of the service: several relays may share the store. */
  readonly service: string;
  /** The digest of the login's token. */
  readonly token: string;
  readonly user?: string;
  /** Of a login that was cancelled: whether the bank may have received something by then. */
  readonly mayHaveArrived?: boolean;
}

type RelayLoginRow = KeptRow<RelayDoor>;
type RelayKept = Kept<RelayDoor>;

/**
 * Creates the server part of a browser login: it holds the API key, and the browser's `createRelayClient({ baseUrl })` talks to it
 * in the shapes of the contract, sections 2 to 4. The browser gets neither the API key nor a key of the
 * service's: each login is a row of the store, which its page names, and the real session key goes to `onLogin`, on the server.
 *
 * Beyond the contract: `GET /submit/`, `POST /cancel/`; if turned on, `GET /client/`, `GET /client/{id}/`, `GET /logout/`. Everything else answers 404 or 405.
 *
 * @throws {BankError} `invalid_input` naming the option that can't be used.
 * @example
 * const relay = createRelay({
 *   client: createBankClient({ baseUrl: "https://bank.example", apiKey: process.env.API_KEY }),
 *   store: createFolderStore("/var/lib/shop/logins"),
 *   sealKey: process.env.SEAL_KEY,
 *   allowedOrigins: ["https://shop.example"],
 *   onLogin: ({ provider, key, request }) => sessions.store(userOf(request), provider, reveal(key)),
 * });
 */
export function createRelay(options: RelayOptions): Relay {
  return assembleRelay(createRelaySettings(options));
}

export function assembleRelay(settings: RelaySettings): Relay {
  const { client, store, keys, environment, sealKey, service, interactionLifetime, sessionLifetime } = settings;
  const users = createKeptUsers({ store, keys, environment });
  const logins = createKeptLogins<RelayDoor>({
    store,
    keys: sealKey === undefined ? undefined : keys,
    environment,
    stepLifetime: interactionLifetime,
    toTimes({ end, key }, now) {
      const expiresAt = end && key !== undefined ? end.at + sessionLifetime : now + interactionLifetime;
      // A repeat finds the row, and is not sent.
      return { expiresAt, forgetAt: Math.max(expiresAt, now) + SUBMIT_TIME };
    },
    // Listed for its user, a login can be found for an erasure.
    async beforeClaim({ id, row: { door }, text }) {
      const forgetAt = environment.now() + interactionLifetime + sessionLifetime + 2 * SUBMIT_TIME;
      if (door.user !== undefined) await users.add(door.user, id, { forgetAt, isListed: text !== undefined });
    },
    onError: (error, id) => reportError(settings, wrapThrown(error), { id }),
    onResult: () => {},
    schedule: async () => undefined,
    // It can't be handed over any more.
    onLostKey: async (_, key) => (settings.logout ? client.logout(secret(key)) : undefined),
  });

  function createLogin(id: string, { holder, ...door }: RelayDoor & { readonly holder: string }): RelayKept {
    const now = environment.now();
    const row: RelayLoginRow = {
      door,
      expiresAt: now + interactionLifetime,
      forgetAt: now + interactionLifetime + SUBMIT_TIME,
      number: 0,
      sent: 0,
      holder,
    };
    return { id, row, text: undefined };
  }

  /** A row that no key of this relay opens does not belong to its pages. */
  const find = (id: string) =>
    logins.readAny(id).catch((error: unknown) => {
      if (isUnopenable(error)) return undefined;
      throw error;
    });

  /** Whether a store in memory may have lost this login in a restart: then the process before may have sent it. */
  const mayHaveLost = (): boolean => store.startedAt !== undefined && environment.now() - store.startedAt < SUBMIT_TIME;

  const rules: DoorRules<RelayDoor> = {
    async identify(incoming, sender) {
      const known = await readUser(incoming, sender);
      if (isRefusal(known) || !incoming.route.isOfLogin) return known;
      const { user } = known;
      const name = readLoginName(incoming.request);
      if (!name) return loginMissing;
      const { id, text } = name;
      const token = await digestText(text);
      const holder = await toHolder(token, user);
      const { kind } = incoming.route;
      const found = await find(id);
      const kept = found && "id" in found ? found : undefined;
      const isOwn = kind === "cancel" ? kept?.row.door.token === token : found?.row.holder === holder;
      if (kept && isOwn && kept.row.door.service === service) return { user, holder, kept };
      const isErased = isOwn && found !== undefined && isTombstone(found.row) && found.row.mayHaveArrived;
      if (kind === "ask" && (isErased || mayHaveLost())) return outcomeUnknown;
      const isLater = Number(incoming.request.headers.get(SUBMIT_HEADER)) > 1;
      if (!found && isLater) settings.warnOfInstances();
      // A login of another user is treated as unknown.
      const unknown = createLogin(id, { service, token, holder, ...(user !== undefined && { user }) });
      return { user, holder, kept: unknown, isForeign: found !== undefined };
    },
    checkOpen: async () => undefined,
    toLoginId: (_, request) => request.headers.get(LOGIN_HEADER) ?? "",
    toNewLoginId: (request) => request.headers.get(LOGIN_HEADER) ?? "",
    isBankFree: () => true,
    toSubject: (_, id) => ({ id }),
    checkForm: ({ row }, { provider }, kind) =>
      kind === "answer" && row.last?.provider !== provider ? invalidKey : undefined,
    async handOver(kept, session, request) {
      // After a cancel the key is not handed over. If the store fails, it is: a session must not be lost for that.
      const { row } = (await logins.read(kept.id).catch(() => kept)) ?? {};
      if (!row || row.end) return session;
      const { login: id = kept.id, door, last } = row;
      const { user } = door;
      const login = { id, provider: last?.provider ?? "", key: secret(session.key), request };
      try {
        await callCallbackInTime("onLogin", () => settings.onLogin({ ...login, ...(user !== undefined && { user }) }));
        return { ...session, isHandedOver: true };
      } catch (error) {
        const fault = wrapThrown(error);
        reportError(settings, fault, { id });
        return { kind: "responded", response: toFaultResponse(fault, false) };
      }
    },
    toEnd: (end, submit) =>
      end.status === "logged_in" && end.number !== undefined ? toReached(submit, toKeyName(end.number)) : invalidKey,
    // A login that is not in the store is inserted as cancelled: its first submit may still arrive, and its page learns that nothing was sent.
    async cancel({ kept, isForeign }) {
      const isSame = (row?: RelayLoginRow) => row?.door.token === kept?.row.door.token;
      const cancel = (row: RelayLoginRow) => (isSame(row) ? toCancelled(row, environment.now()) : undefined);
      const row = !kept || isForeign ? undefined : (await logins.change(kept, cancel))?.row;
      return respond("cancelled", { may_have_arrived: (isSame(row) && row?.door.mayHaveArrived) ?? false });
    },
    gone: invalidKey,
    toUnknown: (number) => (number === 1 ? unknownSubmit : outcomeUnknown),
    minAge: 0,
    knowsUsers: settings.readUser !== undefined,
  };
  const door = createDoor(settings, { logins, rules });

  return Object.assign((request: Request) => door.handle(request), {
    erase: (user: string) => users.eraseAll(user, (id) => logins.erase(id)),
    finish: () => logins.finish(),
  });
}

/** The row of a cancelled login. If the login has reached its session, only the key is dropped. */
function toCancelled(row: RelayLoginRow, now: number): RelayLoginRow | undefined {
  if (row.end) return row.key === undefined ? undefined : withoutKey(row);
  const left = { ...row, door: { ...row.door, mayHaveArrived: isUnderWay(row, now) } };
  return withEnd(left, { status: "cancelled", at: now });
}

/** The digest for continuing a login: of its token and its user. */
const toHolder = async (token: string, user: string | undefined): Promise<string> =>
  user === undefined ? token : digestText(JSON.stringify([token, user]));

function readLoginName({ headers }: Request): { readonly id: string; readonly text: string } | undefined {
  const id = headers.get(LOGIN_HEADER) ?? "";
  const text = headers.get(TOKEN_HEADER) ?? "";
  const isName = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(id) && /^[\w-]{32,128}$/.test(text);
  return isName ? { id, text } : undefined;
}
