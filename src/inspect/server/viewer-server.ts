import { randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { InputError } from "../../api/errors.ts";
import { readBuiltFile } from "../built-files.ts";
import type { Trace } from "../record-login.ts";

// Only the loopback: nobody reaches it from outside.
const LOOPBACK = "127.0.0.1";
const LAST_PORT = 65_535;

/**
 * A server of the viewer's page, under a path that only those know who were given its token. `isAllowed` says whether a request
 * knows it. `listen` starts on the loopback; it rejects with `invalid_input` for a port that it can't have.
 */
export function createViewerServer(trace?: Trace) {
  // A fresh 128 bits, in letters that a path can hold.
  const token = randomBytes(16).toString("base64url");
  const isAllowed = (request: IncomingMessage) => hasToken(request, token);
  const server = createServer((request, response) => {
    if (isAllowed(request)) sendViewer(request, response, trace);
    else response.writeHead(404).end();
  });
  return { server, isAllowed, listen: async (port: number) => ({ origin: await listen(server, port), token }) };
}

/** Whether a request is for what lies under the token, and came by a name of the loopback (not one rebound by DNS). */
export function hasToken(request: IncomingMessage, token: string): boolean {
  const [, first = ""] = (request.url ?? "").split(/[/?]/);
  // Bytes, not letters: a path can hold some that are two bytes long.
  const [one, other] = [Buffer.from(first), Buffer.from(token)];
  const isToken = one.length === other.length && timingSafeEqual(one, other);
  return isToken && /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(request.headers.host ?? "");
}

/** Neither the server nor those connected to it keep the process alive. */
export function unrefServer(server: Server): void {
  server.on("connection", (socket) => socket.unref());
  server.unref();
}

function listen(server: Server, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    if (port > LAST_PORT)
      throw new InputError("invalid_input", { field: "port", detail: `must be at most ${LAST_PORT}` });
    server.once("error", (error: NodeJS.ErrnoException) => {
      reject(new InputError("invalid_input", { field: "port", detail: error.code ?? "can't be listened on" }));
    });
    server.listen({ port, host: LOOPBACK }, () => {
      const address = server.address();
      resolve(`http://${LOOPBACK}:${typeof address === "object" ? address?.port : port}`);
    });
  });
}

/** Responds with the viewer's page, and with a trace inside it where there is one. */
function sendViewer(request: IncomingMessage, response: ServerResponse, trace: Trace | undefined): void {
  if (request.method !== "GET" && request.method !== "HEAD") {
    response.writeHead(405, { Allow: "GET, HEAD" }).end();
    return;
  }
  let page: string;
  try {
    page = readPage(trace);
  } catch {
    // From the sources, and not built yet. That must not break a login in this process.
    response.writeHead(500, { "Content-Type": "text/plain" }).end("The viewer has not been built.");
    return;
  }
  response.writeHead(200, {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Length": Buffer.byteLength(page),
    // The page's own policy, sent ahead of it.
    "Content-Security-Policy": findPolicy(page),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
  });
  response.end(request.method === "HEAD" ? undefined : page);
}

function readPage(trace: Trace | undefined): string {
  const page = readBuiltFile("viewer/index.html");
  if (!trace) return page;
  // No text in it may end the element it stands in.
  const json = JSON.stringify(trace).replaceAll("<", "\\u003c");
  return page.replace("</body>", () => `<script type="application/json" id="trace">${json}</script></body>`);
}

function findPolicy(page: string): string {
  return /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1] ?? "default-src 'none'";
}
