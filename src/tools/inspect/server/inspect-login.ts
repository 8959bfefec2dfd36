import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import type { TraceEvent } from "../../trace/trace-event.ts";
import { createInspection, type InspectOptions, type LoginInspection, parseInspectOptions } from "../inspection.ts";
import { toStatelyMessage } from "../stately-protocol.ts";
import { startViewerServer } from "./viewer-server.ts";

// Bytes. A watcher that is this far behind has stopped reading.
const MAX_BEHIND = 4 * 1024 * 1024;

const socketOptions = {
  noServer: true,
  // Bytes. A watcher sends nothing.
  maxPayload: 1024,
  // Milliseconds to close a connection, which would keep the process alive. The types lack this option.
  closeTimeout: 500,
};

/**
 * Lets a login or link in Node be watched, in the viewer that it serves or with any receiver of the Stately protocol, on this
 * machine only. It ends with `stop()` or with the process, which it never keeps alive. Without a watcher nothing is
 * sent.
 *
 * @throws {BankError} `invalid_input` for an unknown option, and a `port` or `history` that is not an integer.
 * @example
 * const inspect = inspectLogin();
 * console.error("Watch at", (await inspect.address).viewer);
 * await login(client, credentials, { inspect });
 * inspect.stop();
 */
export function inspectLogin(options: InspectOptions = {}): LoginInspection {
  const { port, history } = parseInspectOptions(options);
  const kept: TraceEvent[] = [];
  const sockets = new WebSocketServer(socketOptions);
  const { server, isAllowed, url } = startViewerServer({ port });

  server.on("upgrade", (request, socket, head) => {
    if (!isAllowed(request) || !hasAllowedOrigin(request)) refuse(socket);
    else {
      sockets.handleUpgrade(request, socket, head, (watcher) => {
        watcher.on("error", () => watcher.terminate());
        for (const event of kept) watcher.send(formatMessage(event));
      });
    }
  });

  const address = url.then((viewer) => ({
    viewer: `${viewer}#watch`,
    server: viewer.replace("http", "ws").slice(0, -1),
  }));
  // The login continues without the server.
  address.catch(() => {});

  const show = (event: TraceEvent) => {
    kept.push(event);
    if (kept.length > history) kept.shift();
    if (sockets.clients.size === 0) return;
    const message = formatMessage(event);
    for (const watcher of sockets.clients) send(watcher, message);
  };
  const stop = () => {
    kept.length = 0;
    for (const watcher of sockets.clients) watcher.close(1000);
    // A server can only be closed once it listens.
    url.then(() => server.close()).catch(() => {});
    server.closeIdleConnections();
  };
  return createInspection(show, address, stop);
}

// Programs send no Origin. Pages always do.
function hasAllowedOrigin({ headers: { origin, host } }: IncomingMessage): boolean {
  return origin === undefined || origin === `http://${host}`;
}

const formatMessage = (event: TraceEvent): string => JSON.stringify(toStatelyMessage(event));

function send(watcher: WebSocket, message: string): void {
  if (watcher.bufferedAmount > MAX_BEHIND) watcher.terminate();
  else watcher.send(message);
}

function refuse(socket: Duplex): void {
  socket.on("error", () => socket.destroy());
  socket.end("HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
}
