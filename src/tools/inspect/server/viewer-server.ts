import { randomBytes, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { closeServer, isForLoopback, listen } from "../../../core/http/loopback.ts";
import { findBuiltFile } from "../built-files.ts";
import type { Trace } from "../inspect-recording.ts";

/** Serves the offline viewer to a browser on this machine until it is closed: with a trace to replay, or waiting for a login to watch. */
export async function serveViewer(trace?: Trace): Promise<{ readonly url: string; close(): Promise<void> }> {
  const { server, url } = startViewerServer({ trace, keepsAlive: true });
  return { url: await url, close: () => closeServer(server) };
}

interface ViewerServerOptions {
  readonly trace?: Trace | undefined;
  readonly port?: number;
  /** Whether the server keeps the process alive. */
  readonly keepsAlive?: boolean;
}

/** A server of the viewer's page, under a path with a secret token. `isAllowed` checks the token of a request. */
export function startViewerServer({ trace, port = 0, keepsAlive = false }: ViewerServerOptions) {
  // 128 random bits, in letters that a path can contain.
  const token = randomBytes(16).toString("base64url");
  const isAllowed = (request: IncomingMessage) => hasToken(request, token);
  const server = createServer((request, response) => {
    if (isAllowed(request)) sendViewer(response, trace);
    else response.writeHead(404).end();
  });
  if (!keepsAlive) {
    server.on("connection", (socket) => socket.unref());
    server.unref();
  }
  const listening = listen(server, port);
  return { server, isAllowed, url: listening.then((origin) => `${origin}/${token}/`) };
}

/** Whether the path of a request begins with the token, and its host is a name of the loopback. */
export function hasToken(request: IncomingMessage, token: string): boolean {
  const [, first = ""] = (request.url ?? "").split(/[/?]/);
  // As bytes, because a letter in a path can have several.
  const [one, other] = [Buffer.from(first), Buffer.from(token)];
  return one.length === other.length && timingSafeEqual(one, other) && isForLoopback(request);
}

/** Responds with the viewer's page, with the trace in it if there is one. */
function sendViewer(response: ServerResponse, trace: Trace | undefined): void {
  let page: string;
  try {
    page = readPage(trace);
  } catch {
    // The sources run without a build. That must not break a login in this process.
    response.writeHead(500, { "Content-Type": "text/plain" }).end("The viewer has not been built.");
    return;
  }
  response.writeHead(200, {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Length": Buffer.byteLength(page),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
  });
  response.end(page);
}

function readPage(trace: Trace | undefined): string {
  const page = readFileSync(findBuiltFile("viewer", "index.html"), "utf8");
  if (!trace) return page;
  // No text in it may end the script element.
  const json = JSON.stringify(trace).replaceAll("<", "\\u003c");
  return page.replace("</body>", () => `<script type="application/json" id="trace">${json}</script></body>`);
}
