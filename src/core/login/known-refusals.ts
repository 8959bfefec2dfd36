import { toAbsoluteUrl } from "../api/base-url.ts";
import { type BankClient, defineClient, type LoginFields } from "../api/client.ts";
import type { BankError } from "../api/errors.ts";
import { callHook, callHookInTime } from "../api/hooks.ts";
import {
  createInputError,
  type OptionNames,
  parseFlag,
  parseObject,
  refuseUnknown,
  revealText,
} from "../api/input-checks.ts";
import type { Refusal } from "../api/refusals.ts";
import type { LoginResponse } from "../api/responses.ts";
import type { RecordStore } from "../tokens/record-store.ts";
import { KeyRing, type SealKeys } from "../tokens/sealed-token.ts";

/** Where the forms that a bank has refused are remembered, so that none is sent again. */
export interface RefusalMemory {
  /** A record store that all processes share: one of `ventanilla/tokens`. It gets keyed digests and times, and no secret. */
  readonly store: Pick<RecordStore, "read" | "replace">;
  /** Keys the digests: one key, or a list whose first one counts. With another key, nothing is remembered. That of `pause` will do. */
  readonly key: SealKeys;
  /**
   * Called with `handler_failed` naming `refusals` if the store throws, or does not respond within 10 seconds. The login goes on without it.
   * Default none.
   */
  readonly onError?: (error: BankError) => unknown;
}

const names: OptionNames<RefusalMemory> = { store: true, key: true, onError: true };

/** A client that sends no form which its bank has refused before. */
export interface RememberingClient extends BankClient {
  /** The refusal of a first login that would not be sent. */
  findRefusal(fields: LoginFields): Promise<Refusal | undefined>;
}

// As long as a claim of a batch.
const LIFETIME = 365 * 24 * 60 * 60 * 1000;

/** The bank goes on with what it was sent: it does not refuse the password any more. */
const ACCEPTED: readonly LoginResponse["status"][] = ["logged_in", "select_client", "interaction_required"];

/**
 * Remembers `wrong_credentials` of a first login, and refuses the same form at the same bank with `known_wrong`. An answer that was wrong says nothing of the
 * password, and a user who is blocked may log in with it as soon as the bank allows it: neither is remembered.
 *
 * @param again sends what was refused before.
 * @throws {BankError} `invalid_input`, naming `refusals` or a member of it.
 */
export function rememberRefusals(client: BankClient, memory: RefusalMemory, again = false): RememberingClient {
  refuseUnknown(parseObject("refusals", memory), names);
  parseFlag("again", again);
  const { store, key, onError } = memory;
  for (const name of ["read", "replace"] as const) {
    if (typeof store?.[name] !== "function") throw createInputError("refusals.store", `must have a function ${name}`);
  }
  const keys = new KeyRing(key, "refusals.key");
  const service = toAbsoluteUrl(client.baseUrl);

  /** The name of a form in the store. */
  async function toId(fields: LoginFields): Promise<string> {
    const form = Object.entries(fields).map(([name, text]) => [name, revealText(name, text)] as const);
    // Not a salted hash: many passwords are PINs of a few digits, and no hash is too slow to try them all.
    const digest = await keys.sign(`ventanilla-refusal-1 ${JSON.stringify([service, ...form.sort()])}`);
    return `refused:${digest}`;
  }

  /** Asks the store. @returns `undefined` if it fails: the login goes on. */
  async function ask<Result>(call: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return (await callHookInTime("refusals", call)) as Result;
    } catch (error) {
      callHook("onError", () => onError?.(error as BankError)).catch(() => undefined);
      return undefined;
    }
  }

  /** When a form was refused; 0 for never, `undefined` if the store fails. */
  const readTime = (id: string) => ask(async () => Number(await store.read(id)) || 0);
  const write = (id: string, time: number, expiresAt: number) =>
    ask(async () => store.replace(id, String(time), new Date(expiresAt)));

  const refuse = (refusedAt: number | undefined): Refusal | undefined =>
    refusedAt && !again ? { status: "known_wrong", wire: { status: "known_wrong" }, refusedAt } : undefined;

  return defineClient<RememberingClient>({
    kind: client.kind,
    baseUrl: client.baseUrl,
    listProviders: (call) => client.listProviders(call),
    getProvider: (code, call) => client.getProvider(code, call),
    listTransferDestinations: (key, call) => client.listTransferDestinations(key, call),
    listClients: (key, call) => client.listClients(key, call),
    selectClient: (key, id, call) => client.selectClient(key, id, call),
    logout: (key, call) => client.logout(key, call),
    readAttempt: client.readAttempt?.bind(client),
    awaitApproval: client.awaitApproval?.bind(client),
    findRefusal: async (fields) => refuse(await readTime(await toId(fields))),
    async login(fields, call) {
      // A second login has the key of the first.
      if (call && "key" in call) return client.login(fields, call);
      const id = await toId(fields);
      const refusedAt = await readTime(id);
      const refusal = refuse(refusedAt);
      if (refusal) return refusal;
      const response = await client.login(fields, call);
      const now = Date.now();
      if (response.status === "wrong_credentials") await write(id, now, now + LIFETIME);
      else if (refusedAt !== 0 && ACCEPTED.includes(response.status)) await write(id, 0, 0);
      return response;
    },
  });
}
