import { createServer, type Server } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { createNodeHandler } from "../../../core/http/node-handler.ts";

// Milliseconds in which a response is read, or the head of a request comes.
const GRACE = 2_000;

type WebHandler = (request: Request) => Promise<Response>;

/** A server that lets what it has begun come to its end. */
export interface DrainingServer {
  readonly server: Server;
  /** How many requests have no response yet. */
  readonly running: number;
  /** Takes no more connections. Resolves when each request that was begun has its response. */
  drain(): Promise<void>;
}

export function createDrainingServer(handler: WebHandler): DrainingServer {
  // A login goes on for some time after its browser has gone, so connections are not enough to count.
  const running = new Set<Promise<Response>>();
  let isDraining = false;
  const server = createServer(
    createNodeHandler(async (request) => {
      const responding = handler(request);
      running.add(responding);
      const response = await responding.finally(() => running.delete(responding));
      // Otherwise a browser would send its next request on a connection that is about to close.
      if (isDraining) response.headers.set("connection", "close");
      return response;
    }),
  );
  return {
    server,
    get running() {
      return running.size;
    },
    async drain() {
      isDraining = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // A browser may have opened connections that it sends nothing on.
      const closing = setInterval(() => server.closeIdleConnections(), 100);
      do {
        await Promise.all(running);
        await Promise.race([closed, wait(GRACE, undefined, { ref: false })]);
      } while (running.size > 0);
      clearInterval(closing);
      // What is left has not sent the head of a request, and may never do so.
      server.closeAllConnections();
      await closed;
    },
  };
}
