import { parseWholeNumber } from "../../api/input-checks.ts";
import type { Trace } from "../record-login.ts";
import { closeServer } from "./loopback.ts";
import { createViewerServer, unrefServer } from "./viewer-server.ts";

/** What `serveViewer` takes. */
export interface ServeViewerOptions {
  /** A trace to replay. Default: the page waits for one, or for a login to watch. */
  readonly trace?: Trace;
  /**
   * The port of 127.0.0.1 to listen on.
   * @default 0, which takes a free port
   */
  readonly port?: number;
  /**
   * Whether the process lives until `close()`.
   * @default false: a process that serves the page has other reasons to live
   */
  readonly keepsAlive?: boolean;
}

/** The viewer, on a port of this machine. */
export interface ServedViewer {
  /** The page's address. Only those who know it can see the page. */
  readonly url: string;
  /** Stops at once. Twice does no harm. */
  close(): Promise<void>;
}

/**
 * Serves the offline viewer to a browser on this machine: for a trace, or as the `url` of `inspectLogin` in a page.
 *
 * @throws {InputError} `invalid_input` for a port that is none or is taken.
 * @example
 * const { url, close } = await serveViewer({ trace: readTrace(text) });
 */
export async function serveViewer(options: ServeViewerOptions = {}): Promise<ServedViewer> {
  const { trace, port = 0, keepsAlive = false } = options;
  const { server, listen } = createViewerServer(trace);
  if (!keepsAlive) unrefServer(server);
  const { origin, token } = await listen(parseWholeNumber("port", port));
  return { url: `${origin}/${token}/`, close: () => closeServer(server) };
}
