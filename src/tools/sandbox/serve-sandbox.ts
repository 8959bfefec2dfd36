import { isForLoopback, isLoopback } from "../../core/http/loopback.ts";
import { createNodeHandler } from "../../core/http/node-handler.ts";
import { createSandbox } from "./sandbox.ts";
import type { SandboxOptions } from "./sandbox-options.ts";

/** Where a served sandbox listens. */
export interface ServeSandboxOptions extends SandboxOptions {
  /**
   * The port to listen on.
   * @default 0, which takes a free port
   */
  port?: number;
  /**
   * The network interface to listen on. If it is one of this machine only, requests must name this machine as their host: a page
   * elsewhere can make its own name lead here.
   * @default "127.0.0.1", which cannot be reached from outside
   */
  host?: string;
}

/** A sandbox that listens on a port. */
export interface ServedSandbox {
  /** The base address of the service, without a slash at its end: `http://127.0.0.1:49152`. */
  readonly url: string;
  /** Stops at once, and aborts open connections and running requests. A second call has no effect. */
  close(): Promise<void>;
}

/**
 * Serves a sandbox over HTTP, for a client in another process. Works in Node, Bun and Deno.
 *
 * Rejects with the `invalid_input` of `createSandbox`, if the port is taken, and in a runtime that can't listen (a browser, a worker): use `createSandbox` there.
 *
 * @example
 * const sandbox = await serveSandbox();
 * await fetch(`${sandbox.url}/provider/`, { headers: { "X-API-Key": SANDBOX_API_KEY } });
 * await sandbox.close();
 */
export async function serveSandbox(options: ServeSandboxOptions = {}): Promise<ServedSandbox> {
  const { port = 0, host = "127.0.0.1", ...sandboxOptions } = options;
  // Looked up when it is needed: browsers and workers, where a sandbox works too, have no such module to import.
  const http = globalThis.process?.getBuiltinModule?.("node:http");
  if (!http) throw new Error("This runtime can't listen on a port: Node 20.19, 22.12 and later, Bun and Deno can");
  const handle = createNodeHandler(createSandbox(sandboxOptions));
  const server = http.createServer((request, response) => {
    if (!isLoopback(host) || isForLoopback(request)) return handle(request, response);
    response.writeHead(403).end();
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const address = server.address();
  const listening = typeof address === "object" && address !== null ? address.port : port;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${listening}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
