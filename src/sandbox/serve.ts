import { serve } from "h3";
import { createApplication } from "./application.ts";
import type { SandboxOptions } from "./options.ts";

/** Where a served sandbox listens. */
export interface ServeSandboxOptions extends SandboxOptions {
  /**
   * The port to listen on.
   * @default 0, which takes a free port
   */
  port?: number;
  /**
   * The network interface to listen on.
   * @default "127.0.0.1", which nobody reaches from outside
   */
  host?: string;
}

/** A sandbox that listens on a port. */
export interface ServedSandbox {
  /** The base address of the service, without a slash at its end: `http://127.0.0.1:49152`. */
  readonly url: string;
  /** Stops at once: open connections are cut, requests under way with them. Closing twice does no harm. */
  close(): Promise<void>;
}

/**
 * Serves a sandbox over HTTP, for a client in another process. Works in Node, Bun and Deno.
 *
 * Rejects where the port is taken, and in a runtime that can't listen (a browser, a worker): use `createSandbox` there.
 *
 * @example
 * const sandbox = await serveSandbox();
 * await fetch(`${sandbox.url}/provider/`, { headers: { "X-API-Key": SANDBOX_API_KEY } });
 * await sandbox.close();
 */
export async function serveSandbox(options: ServeSandboxOptions = {}): Promise<ServedSandbox> {
  const { port = 0, host = "127.0.0.1", ...sandboxOptions } = options;
  const server = serve(createApplication(sandboxOptions), {
    port,
    hostname: host,
    silent: true,
    // The signals of a process belong to whoever runs it.
    gracefulShutdown: false,
    // In a service worker, starting would mean to take over the page's own requests.
    manual: true,
  });
  const canListen = ["node", "bun", "deno"].includes(server.runtime);
  if (canListen) {
    await server.serve();
    await server.ready();
  }
  if (!server.url) throw new Error("This runtime can't listen on a port");
  return { url: server.url.replace(/\/$/, ""), close: () => server.close(true) };
}
