import { createServer, type IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { listen } from "./listen.ts";
import type { Moment } from "./moment.ts";
import { isFor, newToken, sendViewer, unrefAll } from "./page.ts";
import { messageOf } from "./protocol.ts";
import { type WebSocket, WebSocketServer } from "./server/websocket-server.ts";

export interface WatchingOptions {
  readonly port: number;
  /** The most moments kept for who comes late. */
  readonly history: number;
  /** The origins of pages elsewhere that may watch. */
  readonly origins: readonly string[];
}

/** What lets others watch: whoever comes late gets what is kept, and then everything as it happens. */
export interface Watching {
  /** `http://127.0.0.1:<port>/<token>/` is the page, the same with `ws` what it connects to. */
  readonly address: Promise<{ readonly origin: string; readonly token: string }>;
  show(moment: Moment): void;
  stop(): void;
}

// More than enough for a team, and too few to wear a process down.
const MOST_WATCHERS = 16;
// Bytes. Who is this far behind has stopped reading.
const MOST_BEHIND = 4 * 1024 * 1024;

/**
 * Opens a server on the loopback that speaks the protocol of the Stately inspector and serves the viewer. It never keeps
 * the process alive, and as long as nobody watches it writes nothing.
 */
export function openWatching({ port, history, origins }: WatchingOptions): Watching {
  const token = newToken();
  const kept: Moment[] = [];
  const sockets = new WebSocketServer(socketOptions);
  const server = createServer((request, response) => {
    if (isFor(request, token)) sendViewer(request, response);
    else response.writeHead(404).end();
  });
  unrefAll(server);

  const isAllowed = ({ headers: { origin, host } }: IncomingMessage): boolean =>
    // Programs send no Origin, and no page can leave it out.
    origin === undefined || origin === `http://${host}` || origins.includes(origin);

  server.on("upgrade", (request, socket, head) => {
    if (!isFor(request, token) || !isAllowed(request)) refuse(socket, "403 Forbidden");
    else if (sockets.clients.size >= MOST_WATCHERS) refuse(socket, "503 Service Unavailable");
    else {
      sockets.handleUpgrade(request, socket, head, (watcher) => {
        // A connection that breaks is nobody's concern.
        watcher.on("error", () => watcher.terminate());
        for (const moment of kept) watcher.send(textOf(moment));
      });
    }
  });

  const origin = listen(server, port);
  return {
    address: origin.then((where) => ({ origin: where, token })),
    show(moment) {
      kept.push(moment);
      if (kept.length > history) kept.shift();
      if (sockets.clients.size === 0) return;
      const text = textOf(moment);
      for (const watcher of sockets.clients) send(watcher, text);
    },
    stop() {
      kept.length = 0;
      for (const watcher of sockets.clients) watcher.close(1000);
      // What has not begun to listen can't be closed yet.
      origin.then(() => server.close()).catch(() => {});
      server.closeIdleConnections();
    },
  };
}

const socketOptions = {
  noServer: true,
  // Who watches has nothing to say.
  maxPayload: 1024,
  // Milliseconds for a farewell, which would keep the process alive. The types don't know it yet.
  closeTimeout: 500,
};

const textOf = (moment: Moment): string => JSON.stringify(messageOf(moment));

function send(watcher: WebSocket, text: string): void {
  if (watcher.bufferedAmount > MOST_BEHIND) watcher.terminate();
  else watcher.send(text);
}

function refuse(socket: Duplex, status: string): void {
  socket.on("error", () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
