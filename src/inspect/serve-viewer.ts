import { createServer } from "node:http";
import { parseWholeNumber } from "../api/options.ts";
import { listen } from "./listen.ts";
import { isFor, newToken, sendViewer, unrefAll } from "./page.ts";
import type { Recording } from "./recording.ts";

/** What `serveViewer` takes. */
export interface ServeViewerOptions {
  /** A recorded run to replay. Default: the page waits for one, or for a login to watch. */
  readonly recording?: Recording;
  /**
   * The port of 127.0.0.1 to listen on.
   * @default 0, which takes a free port
   */
  readonly port?: number;
  /**
   * Whether the process lives until `close()`.
   * @default false: whoever serves the page has other reasons to live
   */
  readonly keepsAlive?: boolean;
}

/** The viewer, on a port of this machine. */
export interface ServedViewer {
  /** The page's address. Whoever knows it can see it; others can't. */
  readonly url: string;
  /** Stops at once. Twice does no harm. */
  close(): Promise<void>;
}

/**
 * Serves the offline viewer to a browser on this machine: for a recorded run, or as the `url` of `inspectLogin` in a page.
 *
 * @throws {InputError} `invalid_input` for a port that is none or is taken.
 * @example
 * const { url, close } = await serveViewer({ recording: readRecording(text) });
 */
export async function serveViewer(options: ServeViewerOptions = {}): Promise<ServedViewer> {
  const { recording, port = 0, keepsAlive = false } = options;
  const token = newToken();
  const server = createServer((request, response) => {
    if (isFor(request, token)) sendViewer(request, response, recording);
    else response.writeHead(404).end();
  });
  if (!keepsAlive) unrefAll(server);
  const origin = await listen(server, parseWholeNumber("port", port));
  return {
    url: `${origin}/${token}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
