/**
 * A web-standard handler for Node, such as a relay, a hosted login or a sandbox.
 *
 * @packageDocumentation
 */

/** Any web-standard handler: a relay, a sandbox. */
type WebHandler = (request: Request) => Promise<Response>;

/** What is used of a request of `node:http`, Express, or Fastify's `request.raw`. */
export interface NodeRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  /** The address before Express took a mount path off. */
  readonly originalUrl?: string;
  readonly rawHeaders: readonly string[];
  /** Whether the complete request has arrived. */
  readonly complete?: boolean;
  readonly httpVersionMajor?: number;
  readonly socket: { readonly remoteAddress?: string | undefined; readonly encrypted?: boolean };
  /** The body, in parts. */
  [Symbol.asyncIterator](): AsyncIterator<Uint8Array>;
}

/** What is used of a response of `node:http`, Express, or Fastify's `reply.raw`. */
export interface NodeResponse {
  statusCode: number;
  /** Sets one header, `set-cookie` to a list. */
  setHeader(name: string, value: string | readonly string[]): unknown;
  /** Sends the body. */
  end(body: Uint8Array): unknown;
  /** Calls the listener when the connection is closed. */
  once(event: "close", listener: () => void): unknown;
}

/** The options of a handler for Node. */
export interface NodeHandlerOptions {
  /** Called with what the handler threw. Default: `console.error`. */
  readonly onError?: (error: unknown) => unknown;
}

/**
 * Makes a relay, or any other web-standard handler, a handler of `node:http`, of Express, and of Fastify's raw requests. It sets `request.ip` to
 * the connection's address, and aborts the request when the connection closes. Mount it before every body parser: the relay reads the form itself.
 *
 * If the handler throws, or the body of its response breaks, the client gets HTTP 500 and `onError` the error. What breaks because the
 * client has closed its connection is not reported.
 *
 * @returns a function whose promise never rejects.
 * @example
 * createServer(createNodeHandler(relay)).listen(8080);
 */
// No library offers all of this: the address as it was received, whose dots a relay refuses; a body that listeners of `data` don't see; the path before
// Express took a mount path off.
export function createNodeHandler(
  handler: WebHandler,
  { onError = reportOnConsole }: NodeHandlerOptions = {},
): (request: NodeRequest, response: NodeResponse) => Promise<void> {
  return async (incoming, outgoing) => {
    const left = new AbortController();
    let isWritten = false;
    // Every connection closes eventually, and an abort creates an error: only abort if the response is not complete.
    outgoing.once("close", () => isWritten || left.abort());
    try {
      const response = await respondTo(handler, incoming, left.signal);
      await write(response, [incoming, outgoing], left.signal);
      isWritten = true;
    } catch (error) {
      // The client has gone, and the handler is not at fault.
      if (left.signal.aborted) return;
      await write(
        Response.json({ status: "error", message: "Internal error" }, { status: 500 }),
        [incoming, outgoing],
        left.signal,
      );
      // An error in the log must not end the process.
      await (async () => onError(error))().catch(() => undefined);
    }
  };
}

async function write(
  response: Response,
  [incoming, outgoing]: readonly [NodeRequest, NodeResponse],
  left: AbortSignal,
): Promise<void> {
  const body = new Uint8Array(await response.arrayBuffer());
  if (left.aborted) return;
  outgoing.statusCode = response.status;
  // Otherwise the platform would read an unread body to its end.
  if (incoming.complete === false && incoming.httpVersionMajor === 1) outgoing.setHeader("connection", "close");
  for (const [name, value] of response.headers) {
    // Iterating over headers gives several cookies one by one, and each would replace the one before.
    outgoing.setHeader(name, name === "set-cookie" ? response.headers.getSetCookie() : value);
  }
  outgoing.end(body);
}

function reportOnConsole(error: unknown): void {
  // biome-ignore lint/suspicious/noConsole: without `onError` the error would be lost.
  console.error(error);
}

async function respondTo(handler: WebHandler, incoming: NodeRequest, signal: AbortSignal): Promise<Response> {
  let request: Request;
  try {
    request = createRequest(incoming, signal);
  } catch {
    // Node's lenient parser accepts headers that a Request refuses.
    return Response.json({ status: "error", message: "Malformed request" }, { status: 400 });
  }
  return handler(request);
}

function createRequest(incoming: NodeRequest, signal: AbortSignal): Request {
  const headers = new Headers();
  const { rawHeaders, socket, method = "GET" } = incoming;
  // From the raw headers: Node's own object drops repeated ones. HTTP/2 has names that begin with a colon.
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? "";
    if (!name.startsWith(":")) headers.append(name, rawHeaders[index + 1] ?? "");
  }
  const url = readUrl(incoming, headers.get("host") ?? "");
  const hasBody = method !== "GET" && method !== "HEAD";
  const request = new Request(URL.canParse(url) ? url : "http://localhost/", {
    method: /^(connect|trace|track)$/i.test(method) ? "POST" : method,
    headers,
    signal,
    ...(hasBody && { body: streamBody(incoming), duplex: "half" }),
  });
  // As received: the relay refuses addresses and methods that a Request would change or reject.
  for (const [name, value] of Object.entries({ url, method })) {
    if (request[name as "url" | "method"] !== value) Object.defineProperty(request, name, { value });
  }
  const ip = socket.remoteAddress;
  return ip === undefined ? request : Object.assign(request, { ip });
}

function readUrl({ socket, originalUrl, url = "/" }: NodeRequest, host: string): string {
  // A host with a slash in it would shift the path.
  const isHost = /^([\w.-]+|\[[\da-f:.]+\])(:\d+)?$/i.test(host);
  // A request of a proxy has the complete address: its host is dropped.
  const path = (originalUrl ?? url).replace(/^https?:\/\/[^/?#]*/i, "");
  return `${socket.encrypted ? "https" : "http"}://${isHost ? host : "localhost"}${path.startsWith("/") ? path : "/"}`;
}

/** The body, read on demand. Never cancelled: that would close the connection before the response is written. */
function streamBody(incoming: NodeRequest): ReadableStream<Uint8Array> {
  let chunks: AsyncIterator<Uint8Array> | undefined;
  return new ReadableStream(
    {
      async pull(controller) {
        // Not with `data` events: Sentry records their content.
        chunks ??= incoming[Symbol.asyncIterator]();
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
    },
    // Nothing is read of a request that is refused before its form is needed.
    { highWaterMark: 0 },
  );
}
