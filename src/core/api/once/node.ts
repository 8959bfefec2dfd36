/**
 * Node repeats a request after HTTP 421, as the fetch standard says, unless a dispatcher refuses it or its body is a stream. A kept
 * connection may have been closed by the service a moment ago, or hold a second response of a proxy to an earlier request.
 *
 * @param isGiven whether `fetch` is the caller's: it may belong to another undici, or use its own dispatcher.
 */
export async function sendOnceOnNode(
  fetch: typeof globalThis.fetch,
  address: string,
  init: RequestInit,
  isGiven: boolean,
): Promise<Response> {
  const dispatcher = isGiven ? undefined : dispatchOnce();
  if (!dispatcher) return fetch(address, typeof init.body === "string" ? toStream(init, init.body) : init);
  try {
    return await fetch(address, { ...init, dispatcher } as RequestInit);
  } catch (error) {
    if (dispatcher.isRefused) return new Response(null, { status: 421 });
    throw error;
  }
}

let isRepeating: boolean | undefined;

/**
 * Whether `fetch` is like Node's: it repeats a request after HTTP 421, and accepts a stream of known length, which it can't repeat.
 * Browsers repeat too, but accept streams over HTTP/2 only, and no `content-length`. React Native has no streams.
 */
export function isLikeNode(): boolean {
  if (isRepeating !== undefined) return isRepeating;
  let isDuplexRead = false;
  try {
    // It loads Node's `fetch`, without which there is no dispatcher yet.
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

function toStream(init: RequestInit, form: string): RequestInit & { duplex: "half" } {
  const headers = new Headers(init.headers);
  // Without a length it would be sent in chunks, which not every bank reads. A form is ASCII.
  headers.set("content-length", `${form.length}`);
  return { ...init, headers, body: new Response(form).body, duplex: "half" };
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
