import { createFetch } from "ofetch";

/** Sends a request. `isOnce`: the platform must not send it a second time either. */
export type Send = (address: string, init: SendInit, isOnce: boolean) => Promise<Response>;

export interface SendInit {
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly signal: AbortSignal;
}

/**
 * Sends by ofetch without its retries, redirects and errors, which are the client's business. The global `fetch` is looked up at
 * each call, so that an instrumentation can replace it later.
 */
export function createSend(fetch?: typeof globalThis.fetch): Send {
  const { raw } = createFetch({ fetch: fetch ?? ((input, init) => globalThis.fetch(input, init)) });
  return async (address, init, isOnce) => {
    const client = isOnce ? freshConnection() : undefined;
    // This check loads Node's `fetch`, without which there is no dispatcher yet.
    const repeats = isOnce && repeatsTexts();
    // A given `fetch` may belong to another undici, or use its own dispatcher.
    const dispatcher = repeats && !fetch ? dispatchOnce() : undefined;
    const isStreamed = repeats && !dispatcher && init.body !== undefined;
    const { headers, body } = isStreamed ? toStream(init.body ?? "", init.headers) : init;
    // No spread: a copy of the object takes ten times as long.
    const options = {
      method: init.method,
      headers,
      body,
      signal: init.signal,
      redirect: "manual",
      // Reads are retried in retry.ts, where the wait can be aborted.
      retry: false,
      ignoreResponseError: true,
      responseType: "stream",
      // Next.js stores responses in files, those to a POST too, and gives them to later callers. Not `cache: "no-store"`: some workers
      // refuse it, and polyfills of `fetch` add a query for it.
      next: { revalidate: 0 },
    } as const;
    // Bun sends a GET again on another connection if a kept one breaks.
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
 * Whether `fetch` repeats a request after HTTP 421, as the fetch standard says and Node does, and accepts a stream of
 * known length, which it can't repeat. Browsers repeat too, but accept streams over HTTP/2 only, and no `content-length`.
 * Deno and Bun don't read `duplex`, and don't repeat; React Native has no streams.
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
  // Without a length it would be sent in chunks, which not every bank reads. A form is ASCII.
  const sized = { ...headers, "content-length": `${form.length}` };
  return { body: new Response(form).body, headers: sized };
}

/**
 * Deno sends a request again if a kept connection closes without a response, or if an HTTP/2 server refuses its stream: this client
 * keeps no connection, and speaks HTTP/1.1.
 */
function freshConnection(): { close(): void } | undefined {
  const { Deno } = globalThis as { Deno?: { createHttpClient?(options: object): { close(): void } } };
  return Deno?.createHttpClient?.({ poolMaxIdlePerHost: 0, http2: false });
}

interface DispatchOptions {
  readonly origin: string | URL;
  /** Closes the connection after the response. */
  readonly reset?: boolean;
  readonly allowH2?: boolean;
}

interface Dispatcher {
  dispatch(options: DispatchOptions, handler: object): boolean;
  /** Of undici's `MockAgent`. */
  readonly isMockActive?: boolean;
}

/**
 * A dispatcher for Node's `fetch` that opens a new connection for a request, and refuses a second one. A kept connection may have been
 * closed by the service a moment ago, or hold a second response of a proxy to an earlier request.
 */
function dispatchOnce(): (Dispatcher & { readonly isRefused: boolean }) | undefined {
  const known = globalThis as { [name: symbol]: Dispatcher | undefined };
  const [first, second] = [1, 2].map((version) => known[Symbol.for(`undici.globalDispatcher.${version}`)]);
  const fallback = first ?? second;
  if (!fallback) return undefined;
  const isMockActive = first?.isMockActive || second?.isMockActive || false;
  let sent = 0;
  return {
    isMockActive,
    get isRefused() {
      return sent > 1;
    },
    dispatch(options, handler) {
      sent += 1;
      if (sent > 1) throw new Error("sent already");
      // The second dispatcher takes the handlers of undici 8 alone. It is there as soon as a package loads undici 8, also on Node 24 and older,
      // whose `fetch` has others.
      const dispatcher = ("onRequestStart" in handler && second) || fallback;
      // A mock finds its responses by the text of the origin.
      const origin = isMockActive ? options.origin : toSeparateOrigin(options.origin);
      // Node 26 speaks HTTP/2, and sends a GET again if the server refuses its stream.
      return dispatcher.dispatch({ ...options, origin, reset: true, allowH2: false }, handler);
    },
  };
}

/**
 * The same origin with its port written out after a zero. undici finds a pool of connections by the text of the origin: this one is for
 * requests with `reset` alone, which close their connections, so it never has one to use again.
 */
function toSeparateOrigin(origin: string | URL): string {
  const { protocol, hostname, port } = new URL(origin);
  return `${protocol}//${hostname}:0${port || (protocol === "https:" ? 443 : 80)}`;
}
