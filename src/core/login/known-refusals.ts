import { toAbsoluteUrl } from "../api/base-url.ts";
import { callCallback } from "../api/callbacks.ts";
import { type BankClient, defineClient, type LoginFields } from "../api/client.ts";
import type { BankError } from "../api/errors.ts";
import {
  checkClient,
  type OptionParsers,
  optional,
  parseFlag,
  parseFunction,
  parseGroup,
  parseOptions,
  revealText,
} from "../api/input-checks.ts";
import { isAccepted } from "../api/parse-response.ts";
import { createRandomId } from "../api/random-id.ts";
import type { Refusal } from "../api/refusals.ts";
import type { LoginResponse } from "../api/responses.ts";
import { KeyRing, type SealKeys } from "../tokens/sealed-token.ts";
import { checkStore, createRecords, type Store } from "../tokens/store.ts";
import { toAccountName } from "./credentials.ts";

/** Remembers the forms that a bank has refused, so that none is sent again. */
export interface RefusalMemory {
  /** A store that all processes share: one of `ventanilla/tokens`. It gets keyed digests and times, and no secret. */
  readonly store: Store;
  /** Keys the digests: one key, or a list whose first one counts. With another key, nothing is remembered. That of `pause` will do. */
  readonly key: SealKeys;
  /**
   * Called with `handler_failed` naming `refusals` if the store throws, or does not respond within 10 seconds. The login continues without it.
   * Default none.
   */
  readonly onError?: (error: BankError) => unknown;
  /** Called when the memory of one bank is suspended, since the bank or the service seems to refuse everyone, and when it is resumed. Default none. */
  readonly onEvent?: (event: RefusalEvent) => unknown;
}

/**
 * `suspended`: ten different forms in a row were refused at one bank, and none was accepted. Those ten are forgotten, and nothing more is remembered of this bank
 * until it accepts a form: then `resumed`.
 */
export interface RefusalEvent {
  readonly type: "suspended" | "resumed";
  /** The bank's code. */
  readonly provider: string;
}

const parseMemory = parseGroup({
  store: checkStore,
  key: (field, value) => new KeyRing(value, field),
  onError: optional(parseFunction),
  onEvent: optional(parseFunction),
} satisfies OptionParsers<RefusalMemory>);

/** What the memory has of a form. */
export interface KnownForm {
  readonly id: string;
  /** When it was refused, in milliseconds since the epoch; 0 for never, `undefined` if the store fails. */
  readonly refusedAt: number | undefined;
}

/** A client that sends no form which its bank has refused before. */
export interface RememberingClient extends BankClient {
  /** The refusal of a first login that would not be sent. */
  findRefusal(fields: LoginFields): Promise<Refusal | undefined>;
}

// As long as a claim of a batch.
const LIFETIME = 365 * 24 * 60 * 60 * 1000;

/** So many different people with a wrong password, one after another, are less likely than a bank or a service that refuses everyone. */
const LONGEST_ROW = 10;
const SUSPENDED = "suspended";

/**
 * The memory of forms that a bank has refused: read before a login is sent, and updated by its response.
 *
 * @throws {BankError} `invalid_input`, naming `refusals` or a member of it.
 */
export function createRefusals(client: Pick<BankClient, "baseUrl">, memory: RefusalMemory) {
  const { store, key: keys, onError, onEvent } = parseMemory("refusals", memory);
  const records = createRecords(store, "refusals");
  const service = toAbsoluteUrl(client.baseUrl);

  /** The name of a form in the store. */
  async function toId(fields: LoginFields): Promise<string> {
    const form = Object.entries(fields).map(([name, text]) => {
      const value = revealText(name, text);
      return [name, name === "username" ? toAccountName(value) : value] as const;
    });
    // Not a salted hash: many passwords are PINs of a few digits, and no hash is too slow to try them all.
    const digest = await keys.sign(`ventanilla-refusal-1 ${JSON.stringify([service, ...form.sort()])}`);
    return `refused:${digest}`;
  }

  /** Asks the store. @returns `undefined` if it fails: the login continues. */
  async function ask<Result>(call: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await call();
    } catch (error) {
      callCallback("onError", () => onError?.(error as BankError)).catch(() => undefined);
      return undefined;
    }
  }

  /** A text of the store; "" for none, `undefined` if the store fails. */
  const read = (id: string) => ask(async () => (await records.read(id)) ?? "");
  /** When a form was refused; 0 for never, `undefined` if the store fails. A time in the future is that of a wrong clock, and the refusal stands. */
  const readTime = async (id: string) => {
    const text = await read(id);
    return text === undefined ? undefined : Math.min(Number(text) || 0, Date.now());
  };
  const writeTime = (id: string) => ask(() => records.replace(id, String(Date.now()), toExpiry()));
  const forget = (id: string) => ask(() => records.delete(id));

  const notify = (event: RefusalEvent) => void callCallback("onEvent", () => onEvent?.(event)).catch(() => undefined);
  const toExpiry = () => new Date(Date.now() + LIFETIME);
  const toBank = async (provider: string) =>
    `refusals:${await keys.sign(`ventanilla-refusals-1 ${JSON.stringify([service, provider])}`)}`;

  /** Remembers a form, and that it is one more of a row. Each place in a row is written once, so that processes count together. */
  async function recordRefusal(provider: string, id: string, isNew: boolean): Promise<void> {
    const bank = await toBank(provider);
    const row = await read(bank);
    if (row === SUSPENDED) return;
    await writeTime(id);
    if (row === undefined || !isNew) return;
    for (let place = 1; place <= LONGEST_ROW; place += 1) {
      const name = `${bank}:${row}:${place}`;
      const isFree = await ask(() => records.write(name, id, toExpiry()));
      if (isFree && place < LONGEST_ROW) return;
      // Two processes may have sent the same form at once.
      if (isFree === undefined || (!isFree && (await read(name)) === id)) return;
    }
    // A refusal that comes while the row is taken back, or after a process stopped there.
    await forget(id);
    for (let place = 1; place <= LONGEST_ROW; place += 1) {
      const refused = await read(`${bank}:${row}:${place}`);
      if (refused) await forget(refused);
    }
    await ask(() => records.replace(bank, SUSPENDED, toExpiry()));
    notify({ type: "suspended", provider });
  }

  /** Ends the row of a bank, if there is one. */
  async function recordAcceptance(provider: string): Promise<void> {
    const bank = await toBank(provider);
    const row = await read(bank);
    if (row === undefined || (row !== SUSPENDED && !(await read(`${bank}:${row}:1`)))) return;
    await ask(() => records.replace(bank, createRandomId(), toExpiry()));
    if (row === SUSPENDED) notify({ type: "resumed", provider });
  }

  return {
    async find(fields: LoginFields): Promise<KnownForm> {
      const id = await toId(fields);
      return { id, refusedAt: await readTime(id) };
    },

    /** Records the response to a first login. It never rejects. */
    async record(provider: string, { id, refusedAt }: KnownForm, { status }: LoginResponse): Promise<void> {
      // A store that has just failed is not asked for more than the one thing: each wait may take ten seconds.
      const isReachable = refusedAt !== undefined;
      if (status === "wrong_credentials") {
        if (isReachable) await recordRefusal(provider, id, !refusedAt);
        else await writeTime(id);
      }
      if (isAccepted(status)) {
        if (refusedAt !== 0) await forget(id);
        if (isReachable) await recordAcceptance(provider);
      }
    },
  };
}

/** The refusal of a form that the memory has. */
export const toRefusal = ({ refusedAt }: KnownForm): Refusal | undefined =>
  refusedAt ? { status: "known_wrong", wire: { status: "known_wrong" }, refusedAt } : undefined;

/**
 * A client that remembers the forms which a bank refuses (`wrong_credentials` of a first login), and sends none of them again: the login ends with `known_wrong`
 * at once, in any process that shares the store, until another password is given. An answer that was wrong says nothing of the password, and a user who is blocked
 * may log in with it as soon as the bank allows it: neither is remembered. With any other client, each call is one more try at the bank.
 *
 * @param options.ignoreKnownRefusal sends what was refused before. If the bank accepts it now, the refusal is forgotten. Default false.
 * @throws {BankError} `invalid_input`, naming `refusals` or a member of it, or the option.
 * @example
 * const careful = rememberRefusals(client, { store, key: sealKey });
 * const outcome = await login(careful, { provider, username, password });
 */
export function rememberRefusals(
  client: BankClient,
  memory: RefusalMemory,
  options: { readonly ignoreKnownRefusal?: boolean | undefined } = {},
): BankClient {
  checkClient(client);
  const refusals = createRefusals(client, memory);
  const { ignoreKnownRefusal: isIgnored } = parseOptions(options, { ignoreKnownRefusal: parseFlag });
  const refuse = (known: KnownForm) => (isIgnored ? undefined : toRefusal(known));
  return defineClient<RememberingClient>({
    kind: client.kind,
    baseUrl: client.baseUrl,
    listProviders: (call) => client.listProviders(call),
    getProvider: (code, call) => client.getProvider(code, call),
    listTransferDestinations: (key, call) => client.listTransferDestinations(key, call),
    listClients: (key, call) => client.listClients(key, call),
    selectClient: (key, id, call) => client.selectClient(key, id, call),
    logout: (key, call) => client.logout(key, call),
    readLogin: client.readLogin?.bind(client),
    cancelLogin: client.cancelLogin?.bind(client),
    knowsUsers: client.knowsUsers?.bind(client),
    awaitApproval: client.awaitApproval?.bind(client),
    findRefusal: async (fields) => refuse(await refusals.find(fields)),
    async login(fields, call) {
      // A second login has the key of the first.
      if (call && "key" in call) return client.login(fields, call);
      const known = await refusals.find(fields);
      const refusal = refuse(known);
      if (refusal) return refusal;
      const response = await client.login(fields, call);
      await refusals.record(fields.provider, known, response);
      return response;
    },
  });
}
