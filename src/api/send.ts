import { createFetch } from "ofetch";

/** What sends a request. `isOnce`: not even the platform may send it a second time. */
export type Send = (address: string, init: SendInit, isOnce: boolean) => Promise<Response>;

export interface SendInit extends RequestInit {
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * Sends by ofetch, with everything of it switched off that would decide for the statechart. `fetch` is looked up per call
 * where none is given, so that an instrumentation that replaces it later is honoured.
 */
export function sendBy(given?: typeof globalThis.fetch): Send {
  const { raw } = createFetch({ fetch: given ?? ((input, init) => globalThis.fetch(input, init)) });
  return async (address, init, isOnce) => {
    const { body } = init;
    const streamed = isOnce && body !== undefined && canStream() ? streamOf(body, init.headers) : undefined;
    const client = isOnce ? freshConnection() : undefined;
    const dispatch = isOnce && body === undefined && !given ? dispatchOnce() : undefined;
    try {
      return await raw(address, {
        ...(init as object),
        ...streamed,
        ...(client && { client }),
        ...(dispatch && { dispatcher: dispatch.dispatcher }),
        // Bun sends a GET again on another connection unless it is told not to use a kept one.
        ...(isOnce && "Bun" in globalThis && { keepalive: false }),
        // What may be repeated is decided in retry.ts, where waiting can be aborted.
        retry: false,
        ignoreResponseError: true,
        responseType: "stream",
      });
    } catch (error) {
      if (dispatch?.isRefused()) return new Response(null, { status: 421 });
      throw error;
    } finally {
      client?.close();
    }
  };
}

let isStreaming: boolean | undefined;

/**
 * Whether `fetch` takes a body as a stream, of a length that can be said. The fetch standard repeats a request after HTTP 421
 * unless its body is a stream (Node does so). Browsers take streams over HTTP/2 only, and keep the length to themselves;
 * Deno and Bun don't ask for `duplex`, and repeat no text; React Native has no streams.
 */
function canStream(): boolean {
  if (isStreaming !== undefined) return isStreaming;
  let isAsked = false;
  try {
    const { headers } = new Request("http://stream.invalid", {
      method: "POST",
      headers: { "content-length": "0" },
      body: new ReadableStream(),
      get duplex() {
        isAsked = true;
        return "half" as const;
      },
    } as RequestInit);
    isStreaming = isAsked && headers.has("content-length");
  } catch {
    isStreaming = false;
  }
  return isStreaming;
}

function streamOf(text: string, headers: Readonly<Record<string, string>>) {
  const bytes = new TextEncoder().encode(text);
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(bytes);
      controller.close();
    },
  });
  // With its length it is sent whole, else it would be sent in chunks, which not every bank reads.
  return { body, duplex: "half" as const, headers: { ...headers, "content-length": `${bytes.byteLength}` } };
}

interface DenoHttpClient {
  close(): void;
}

/** Deno sends a request again where a kept connection closes without an answer: a client that keeps none never does. */
function freshConnection(): DenoHttpClient | undefined {
  const { Deno } = globalThis as {
    Deno?: { createHttpClient?(options: { poolMaxIdlePerHost: number }): DenoHttpClient };
  };
  return Deno?.createHttpClient?.({ poolMaxIdlePerHost: 0 });
}

type Dispatch = (options: unknown, handler: unknown) => boolean;

/** Node repeats a request without a body after HTTP 421. Its `fetch` has no option against that; what it sends by takes one. */
function dispatchOnce() {
  // `fetch` of another origin than Node's knows nothing of it, and nor do other platforms.
  const agent = (globalThis as { [name: symbol]: { dispatch: Dispatch } | undefined })[
    Symbol.for("undici.globalDispatcher.1")
  ];
  if (!agent) return undefined;
  let sent = 0;
  const dispatch: Dispatch = (options, handler) => {
    sent += 1;
    if (sent > 1) throw new Error("sent already");
    return agent.dispatch(options, handler);
  };
  return { dispatcher: Object.create(agent, { dispatch: { value: dispatch } }) as unknown, isRefused: () => sent > 1 };
}
