import * as v from "valibot";
import { digestText } from "./digest.ts";
import { BankError } from "./errors.ts";
import { DIRECTORY_LIMIT } from "./limits.ts";
import { parseJson } from "./response-body.ts";
import type { ProviderResponse, ProvidersResponse } from "./responses.ts";
import { reveal } from "./reveal.ts";
import { providerDetail, providerEntry } from "./schemas.ts";
import type { Secret } from "./secret.ts";
import { STORED_TEXT_LIMIT, type Store } from "./store-interface.ts";
import { type Limits, withinTimeOut } from "./time-out.ts";

/** Milliseconds for a store to give what it has. Without it the service is asked, so a login hardly waits for it. */
const STORE_TIMEOUT = 1_000;

const success = { status: v.literal("success"), skipped: v.number() };
const storedEntry = v.object({
  readAt: v.number(),
  response: v.union([
    v.object({ ...success, provider: providerDetail }),
    v.object({ ...success, providers: v.array(providerEntry) }),
  ]),
});

type Response = ProvidersResponse | ProviderResponse;

interface Entry {
  readonly readAt: number;
  readonly response: Response;
}

/** The limits of a call, and the milliseconds from which what is kept is too old for it; default: two lifetimes. */
type DirectoryCall = Limits & { readonly deadline: number; readonly maxAge: number | undefined };

/** A read that calls wait for. */
interface SharedRead {
  readonly reply: Promise<Response>;
  readonly controller: AbortController;
  waiting: number;
}

/**
 * Keeps what was read of banks. For one lifetime an entry is given as it is, for a second one it is given and read again behind the
 * caller's back; after that it is read first. Calls at the same time share one read, which is aborted with the last of them.
 */
export function createDirectory(
  { lifetime, store }: { readonly lifetime: number; readonly store: Store | undefined },
  apiKey: Secret | undefined,
) {
  const entries = new Map<string, Entry>();
  const reads = new Map<string, SharedRead>();

  function begin(
    id: string,
    address: string,
    call: DirectoryCall,
    read: (signal: AbortSignal) => Promise<Response>,
  ): SharedRead {
    const controller = new AbortController();
    const shared = { reply: readThrough(address, call, () => read(controller.signal)), controller, waiting: 0 };
    reads.set(id, shared);
    const end = () => {
      if (reads.get(id) === shared) reads.delete(id);
    };
    shared.reply.then(end, end);
    return shared;
  }

  async function readThrough(address: string, call: DirectoryCall, read: () => Promise<Response>): Promise<Response> {
    const stored = store && (await readStore(store, address, call).catch(() => undefined));
    const shared = stored?.entry;
    if (shared && countLifetimes(shared, call.maxAge) < (entries.has(address) ? 1 : 2)) {
      keep(address, shared);
      return shared.response;
    }
    const response = await read();
    // What the service says of a bank beside its fields, such as maintenance, does not last.
    if (response.status !== "success" || ("provider" in response && response.provider.state)) return response;
    const entry = { readAt: Date.now(), response };
    keep(address, entry);
    // Not awaited: without it the other processes send their own reads.
    if (stored) writeStore(stored, JSON.stringify(entry)).catch(() => undefined);
    return response;
  }

  /** A store that fails costs a request, not a login. */
  const readStore = (store: Store, address: string, call: Limits) =>
    withinTimeOut({ ...call, timeout: STORE_TIMEOUT, signals: [] }, async () => {
      // Banks can depend on the API key, which the store does not get. No address has a blank.
      const id = `directory:${await digestText(`${address} ${apiKey ? reveal(apiKey) : ""}`)}`;
      const text = await store.read(id);
      const { success, output } = v.safeParse(storedEntry, parseJson(text ?? ""));
      return { id, text, entry: success ? output : undefined };
    });

  /** One swap: if it fails, another client has just written what it has read. */
  async function writeStore({ id, text }: { id: string; text: string | undefined }, newText: string): Promise<void> {
    if (newText.length <= STORED_TEXT_LIMIT) await store?.swap(id, text, newText, 2 * lifetime);
  }

  function keep(address: string, entry: Entry): void {
    const [oldest] = entries.keys();
    if (oldest !== undefined && entries.size >= DIRECTORY_LIMIT) entries.delete(oldest);
    entries.set(address, entry);
  }

  function countLifetimes(entry: Entry | undefined, maxAge = Number.POSITIVE_INFINITY): number {
    const age = entry ? Date.now() - entry.readAt : Number.POSITIVE_INFINITY;
    // A time in the future is that of a wrong clock.
    return age >= 0 && age < maxAge ? age / lifetime : Number.POSITIVE_INFINITY;
  }

  return {
    /** What is kept under the address of a read, or what `read` gives within the limits of the call. */
    async get<Reply extends Response>(
      address: string,
      call: DirectoryCall,
      read: (signal: AbortSignal) => Promise<Reply>,
    ): Promise<Reply> {
      if (call.signals.some(({ aborted }) => aborted)) throw new BankError("request_aborted", call.name);
      const entry = entries.get(address);
      const age = countLifetimes(entry, call.maxAge);
      // What is kept under the address of a read is the response to that read.
      if (entry && age < 1) return entry.response as Reply;
      // A call never waits longer than its own limits allow.
      const id = `${call.timeout} ${call.deadline} ${call.maxAge} ${address}`;
      const shared = reads.get(id) ?? begin(id, address, call, read);
      // Counted before a kept entry is given, so that the read continues after all callers have left.
      shared.waiting += 1;
      if (entry && age < 2) return entry.response as Reply;
      const leave = () => {
        shared.waiting -= 1;
        if (shared.waiting > 0) return;
        reads.delete(id);
        shared.controller.abort();
      };
      // The read has its own time-out.
      return withinTimeOut({ ...call, timeout: Number.POSITIVE_INFINITY }, (signal) => {
        signal.addEventListener("abort", leave);
        return shared.reply as Promise<Reply>;
      });
    },
  };
}
