import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";

/** One request as its bytes came over the wire. */
export interface Received {
  readonly method: string;
  /** Path and query, exactly as received. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** All of it, exactly as received. */
  readonly bytes: string;
  /** When its last byte came, in milliseconds of the monotonic clock. */
  readonly arrivedAt: number;
  /** Resolves when the connection it came on is gone. */
  readonly hungUp: Promise<unknown>;
}

/** A TCP server that reads HTTP requests; the test writes the response, or anything else, to the socket. */
export interface Wire {
  readonly port: number;
  readonly requests: readonly Received[];
  /** How many connections were ever made. */
  connections(): number;
  /** From now on neither the server nor a connection of its side keeps the process alive. */
  unref(): void;
  close(): Promise<void>;
}

export interface WireOptions {
  readonly onRequest: (socket: Socket, request: Received) => unknown;
  readonly onConnection?: (socket: Socket) => void;
  /** Whether requests are kept. A long run sets it to false. Default true. */
  readonly remember?: boolean;
}

export async function listen({ onRequest, onConnection, remember = true }: WireOptions): Promise<Wire> {
  const requests: Received[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  let isUnref = false;
  const server = createServer({ noDelay: true }, (socket) => {
    connections += 1;
    sockets.add(socket);
    if (isUnref) socket.unref();
    // Connections break on purpose.
    socket.on("error", () => {});
    socket.once("close", () => sockets.delete(socket));
    onConnection?.(socket);
    readRequests(socket, (request) => {
      if (remember) requests.push(request);
      onRequest(socket, request);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    connections: () => connections,
    unref: () => {
      isUnref = true;
      server.unref();
      for (const socket of sockets) socket.unref();
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function readRequests(socket: Socket, take: (request: Received) => void): void {
  const hungUp = once(socket, "close").catch(() => {});
  let unread = "";
  socket.on("data", (chunk) => {
    unread += chunk.toString("latin1");
    for (let request = next(); request; request = next()) take(request);
    // No HTTP, such as a handshake of TLS.
    if (unread !== "" && !/^[A-Z]/.test(unread)) socket.end("HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n");
  });

  const next = (): Received | undefined => {
    const end = unread.indexOf("\r\n\r\n") + 4;
    if (end < 4) return undefined;
    const [start = "", ...lines] = unread.slice(0, end - 4).split("\r\n");
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
    );
    const whole = end + Number(headers["content-length"] ?? 0);
    if (unread.length < whole) return undefined;
    const bytes = unread.slice(0, whole);
    unread = unread.slice(whole);
    const [method = "", target = ""] = start.split(" ");
    return { method, target, headers, body: bytes.slice(end), bytes, arrivedAt: performance.now(), hungUp };
  };
}

/** `GET /client/?key`: a request without its values. */
export function formatLine({ method, target }: Pick<Received, "method" | "target">): string {
  return `${method} ${target.replaceAll(/=[^&]*/g, "")}`;
}

/** A complete response as it goes over the wire. */
export function formatResponse(
  http: string,
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): Buffer {
  const bytes = Buffer.from(body);
  const lines = Object.entries({ "content-length": String(bytes.byteLength), ...headers });
  const head = [`HTTP/1.1 ${http}`, ...lines.map(([name, value]) => `${name}: ${value}`), "", ""].join("\r\n");
  return Buffer.concat([Buffer.from(head), bytes]);
}
