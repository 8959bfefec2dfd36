import { createServer, type Server } from "node:http";
import { createNodeHandler } from "../../../core/http/node-handler.ts";

type WebHandler = (request: Request) => Promise<Response>;

/** A server that lets what it has begun come to its end. */
export interface DrainingServer {
  readonly server: Server;
  /** How many requests have no response yet. */
  readonly running: number;
  /** Takes no more connections. Resolves when each request that was begun has its response. */
  drain(): Promise<void>;
}

/** Serves a handler by Node's HTTP. */
export function createDrainingServer(handler: WebHandler): DrainingServer {
  // A login goes on for some time after its browser has gone, so connections are not enough to count.
  const running = new Set<Promise<Response>>();
  let isDraining = false;
  const server = createServer(
    createNodeHandler(async (request) => {
      const responding = handler(request);
      running.add(responding);
      const response = await responding.finally(() => running.delete(responding));
      // Otherwise a browser would send its next request on a connection that nobody waits for.
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
      const closed = new Promise((resolve) => server.close(resolve));
      // A browser may have opened connections that it sends nothing on.
      const closing = setInterval(() => server.closeIdleConnections(), 100);
      await closed.finally(() => clearInterval(closing));
      await Promise.all(running);
    },
  };
}
