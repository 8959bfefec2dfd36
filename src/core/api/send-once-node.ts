import { BankError } from "./errors.ts";

/** The major versions of undici, Node's `fetch`, for which the tests count at the bank. Another one may ignore what is done here. */
const KNOWN_UNDICI = ["6", "7", "8"];

/**
 * Node repeats a request after HTTP 421, as the fetch standard says, unless a dispatcher refuses it or its body is a stream. A kept
 * connection may have been closed by the service a moment ago, or hold a second response of a proxy to an earlier request.
 *
 * @param undici its version, as `process.versions` has it.
 * @param isGiven whether `fetch` is the caller's: it may belong to another undici, or use its own dispatcher.
 * @throws {BankError} `unexpected_fault` in a Node that is not known; nothing was sent.
 */
export async function sendOnceOnNode(
  undici: string,
  fetch: typeof globalThis.fetch,
  address: string,
  init: RequestInit,
  isGiven: boolean,
): Promise<Response> {
  if (isGiven) return fetch(address, toStream(init));
  if (!KNOWN_UNDICI.includes(undici.split(".")[0] ?? "")) {
    const detail = `this version of Node, with undici ${undici}, may send a login twice: update ventanilla, or give the client the option fetch`;
    throw new BankError("unexpected_fault", { detail });
  }
  // The names by which each undici shares its global dispatcher, documented in its README, "Fetch and the global dispatcher".
  const known = globalThis as { [name: symbol]: Dispatcher | undefined };
  const first = known[Symbol.for("undici.globalDispatcher.1")];
  const second = known[Symbol.for("undici.globalDispatcher.2")];
  if (!first) return fetch(address, toStream(init));
  const isMockActive = first.isMockActive || second?.isMockActive || false;
  let sent = 0;
  // It opens a new connection for a request, and refuses a second one. The global dispatcher sends it, so proxies and mocks stay.
  const dispatcher: Dispatcher = {
    isMockActive,
    dispatch(options, handler) {
      sent += 1;
      if (sent > 1) throw new Error("sent already");
      // The second one takes only the handlers of undici 8, which Node's `fetch` has from 26 on.
      const global = ("onRequestStart" in handler && second) || first;
      // A mock finds its responses by the text of the origin.
      const origin = isMockActive ? options.origin : toSeparateOrigin(options.origin);
      // Node 26 speaks HTTP/2, and sends a GET again if the server refuses its stream.
      return global.dispatch({ ...options, origin, reset: true, allowH2: false }, handler);
    },
  };
  try {
    return await fetch(address, { ...init, dispatcher } as RequestInit);
  } catch (error) {
    if (sent > 1) return new Response(null, { status: 421 });
    throw error;
  }
}

function toStream(init: RequestInit): RequestInit & { duplex?: "half" } {
  const { body } = init;
  if (typeof body !== "string") return init;
  const headers = new Headers(init.headers);
  // Without a length it would be sent in chunks, which not every bank reads. A form is ASCII.
  headers.set("content-length", `${body.length}`);
  return { ...init, headers, body: new Response(body).body, duplex: "half" };
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
 * The same origin with its port written out after a zero. undici finds a pool of connections by the text of the origin: this one is only for
 * requests with `reset`, which close their connections, so it never has one to use again.
 */
function toSeparateOrigin(origin: string | URL): string {
  const { protocol, hostname, port } = new URL(origin);
  return `${protocol}//${hostname}:0${port || (protocol === "https:" ? 443 : 80)}`;
}
