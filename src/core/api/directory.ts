import * as v from "valibot";
import type { DirectoryStore } from "./client-options.ts";
import { BankError } from "./errors.ts";
import { DIRECTORY_LIMIT } from "./limits.ts";
import type { ProviderResponse, ProvidersResponse } from "./responses.ts";
import { providerDetail, providerEntry } from "./schemas.ts";
import { type Limits, onAbort, withinTimeOut } from "./time-out.ts";

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
export class Directory {
  readonly #lifetime: number;
  readonly #store: DirectoryStore | undefined;
  readonly #entries = new Map<string, Entry>();
  readonly #reads = new Map<string, SharedRead>();

  constructor(lifetime: number, store: DirectoryStore | undefined) {
    this.#lifetime = lifetime;
    this.#store = store;
  }

  /** What is kept under the address of a read, or what `read` gives within the limits of the call. */
  async get<Reply extends Response>(
    address: string,
    call: DirectoryCall,
    read: (signal: AbortSignal) => Promise<Reply>,
  ): Promise<Reply> {
    if (call.signals.some(({ aborted }) => aborted)) throw new BankError("request_aborted", call.name);
    const entry = this.#entries.get(address);
    const age = this.#countLifetimes(entry, call.maxAge);
    // What is kept under the address of a read is the response to that read.
    if (entry && age < 1) return entry.response as Reply;
    // A call never waits longer than its own limits allow.
    const id = `${call.timeout} ${call.deadline} ${call.maxAge} ${address}`;
    const shared = this.#reads.get(id) ?? this.#begin(id, address, call, read);
    // Counted before a kept entry is given, so that the read goes on when all who wait have left.
    shared.waiting += 1;
    if (entry && age < 2) return entry.response as Reply;
    return new Promise((resolve, reject) => {
      const removeListeners = onAbort(call.signals, () => {
        removeListeners();
        reject(new BankError("request_aborted", call.name));
        shared.waiting -= 1;
        if (shared.waiting > 0) return;
        this.#reads.delete(id);
        shared.controller.abort();
      });
      shared.reply.finally(removeListeners).then((reply) => resolve(reply as Reply), reject);
    });
  }

  #begin(
    id: string,
    address: string,
    call: DirectoryCall,
    read: (signal: AbortSignal) => Promise<Response>,
  ): SharedRead {
    const controller = new AbortController();
    const shared = { reply: this.#read(address, call, () => read(controller.signal)), controller, waiting: 0 };
    this.#reads.set(id, shared);
    const end = () => {
      if (this.#reads.get(id) === shared) this.#reads.delete(id);
    };
    shared.reply.then(end, end);
    return shared;
  }

  async #read(address: string, call: DirectoryCall, read: () => Promise<Response>): Promise<Response> {
    const stored = this.#store && (await this.#readStore(this.#store, address, call));
    if (stored && this.#countLifetimes(stored, call.maxAge) < (this.#entries.has(address) ? 1 : 2)) {
      this.#keep(address, stored);
      return stored.response;
    }
    const response = await read();
    // What the service says of a bank beside its fields, such as maintenance, does not last.
    if (response.status !== "success" || ("provider" in response && response.provider.state)) return response;
    const entry = { readAt: Date.now(), response };
    this.#keep(address, entry);
    const expiresAt = new Date(entry.readAt + 2 * this.#lifetime);
    // Nobody waits for it, and without it the other processes read for themselves.
    void Promise.resolve()
      .then(() => this.#store?.write(address, JSON.stringify(entry), expiresAt))
      .catch(() => undefined);
    return response;
  }

  /** An entry that can't be read costs a request, not a login. */
  async #readStore(store: DirectoryStore, address: string, call: Limits): Promise<Entry | undefined> {
    try {
      const limits = { ...call, timeout: STORE_TIMEOUT, signals: [] };
      const text = await withinTimeOut(limits, async () => store.read(address));
      return text ? v.parse(storedEntry, JSON.parse(text)) : undefined;
    } catch {
      return undefined;
    }
  }

  #keep(address: string, entry: Entry): void {
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined && this.#entries.size >= DIRECTORY_LIMIT) this.#entries.delete(oldest);
    this.#entries.set(address, entry);
  }

  #countLifetimes(entry: Entry | undefined, maxAge = Number.POSITIVE_INFINITY): number {
    const age = entry ? Date.now() - entry.readAt : Number.POSITIVE_INFINITY;
    return age < maxAge ? age / this.#lifetime : Number.POSITIVE_INFINITY;
  }
}
