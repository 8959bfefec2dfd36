import { createFetch } from "ofetch";

/** What sends a request. `isOnce`: not even the platform may send it a second time. */
export type Send = (address: string, init: SendInit, isOnce: boolean) => Promise<Response>;

export interface SendInit {
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly signal: AbortSignal;
}

/**
 * Sends by ofetch, with everything of it switched off that would decide for the statechart. `fetch` is looked up per call
 * where none is given, so that an instrumentation that replaces it later is honoured.
 */
export function createSend(given?: typeof globalThis.fetch): Send {
  const { raw } = createFetch({ fetch: given ?? ((input, init) => globalThis.fetch(input, init)) });
  return async (address, init, isOnce) => {
    const client = isOnce ? freshConnection() : undefined;
    // Node's dispatcher is there once its `fetch` is loaded, which this look at the platform does.
    const repeats = isOnce && repeatsTexts();
    // A given `fetch` may be that of another undici, or send through a dispatcher of its own.
    const dispatcher = repeats && !given ? dispatchOnce() : undefined;
    const isStreamed = repeats && !dispatcher && init.body !== undefined;
    const { headers, body } = isStreamed ? toStream(init.body ?? "", init.headers) : init;
    // Written out, since a copy of an object costs ten times as much.
    const options = {
      method: init.method,
      headers,
      body,
      signal: init.signal,
      redirect: "manual",
      // What may be repeated is decided in retry.ts, where waiting can be aborted.
      retry: false,
      ignoreResponseError: true,
      responseType: "stream",
    } as const;
    // Bun sends a GET again on another connection unless it is told not to use a kept one.
    const kept = isOnce && "Bun" in globalThis ? { keepalive: false } : undefined;
    try {
      return await raw(address, Object.assign(options, kept, client && { client }, dispatcher && { dispatcher }));
    } catch (error) {
      if (dispatcher?.isRefused) return new Response(null, { status: 421 });
      throw error;
    } finally {
      client?.close();
    }
  };
}

let isRepeating: boolean | undefined;

/**
 * Whether `fetch` repeats a request after HTTP 421, as the fetch standard has it and Node does, and takes a stream of a
 * known length, which it can't repeat. Browsers repeat too, but take streams over HTTP/2 only, and let nobody say a length.
 * Deno and Bun don't ask for `duplex`, and don't repeat; React Native has no streams.
 */
function repeatsTexts(): boolean {
  if (isRepeating !== undefined) return isRepeating;
  let isDuplexRead = false;
  try {
    const { headers } = new Request("http://stream.invalid", {
      method: "POST",
      headers: { "content-length": "0" },
      body: new ReadableStream(),
      get duplex() {
        isDuplexRead = true;
        return "half" as const;
      },
    } as RequestInit);
    isRepeating = isDuplexRead && headers.has("content-length");
  } catch {
    isRepeating = false;
  }
  return isRepeating;
}

function toStream(form: string, headers: Readonly<Record<string, string>>) {
  // With its length it is sent whole, else it would be sent in chunks, which not every bank reads. A form is ASCII.
  const sized = { ...headers, "content-length": `${form.length}` };
  return { body: new Response(form).body, headers: sized };
}

/** Deno sends a request again where a kept connection closes without a response: a client that keeps none never does. */
function freshConnection(): { close(): void } | undefined {
  const { Deno } = globalThis as {
    Deno?: { createHttpClient?(options: { poolMaxIdlePerHost: number }): { close(): void } };
  };
  return Deno?.createHttpClient?.({ poolMaxIdlePerHost: 0 });
}

interface Dispatcher {
  dispatch(options: unknown, handler: unknown): boolean;
  /** Of undici's `MockAgent`. */
  readonly isMockActive?: boolean;
}

/** What Node's `fetch` sends by, for one request: it refuses the second. A stream would do for a login, at a third more time. */
class OnceDispatcher implements Dispatcher {
  readonly #dispatcher: Dispatcher;
  #sent = 0;

  constructor(dispatcher: Dispatcher) {
    this.#dispatcher = dispatcher;
  }

  get isMockActive(): boolean {
    return this.#dispatcher.isMockActive === true;
  }

  get isRefused(): boolean {
    return this.#sent > 1;
  }

  dispatch(options: unknown, handler: unknown): boolean {
    this.#sent += 1;
    if (this.#sent > 1) throw new Error("sent already");
    return this.#dispatcher.dispatch(options, handler);
  }
}

function dispatchOnce(): OnceDispatcher | undefined {
  const known = globalThis as { [name: symbol]: Dispatcher | undefined };
  // From Node 26 on the first one is for older callers.
  const dispatcher = known[Symbol.for("undici.globalDispatcher.2")] ?? known[Symbol.for("undici.globalDispatcher.1")];
  return dispatcher && new OnceDispatcher(dispatcher);
}
