import { randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { builtFile } from "./built.ts";
import type { Recording } from "./recording.ts";

/** Only the loopback: nobody reaches it from outside. */
export const LOOPBACK = "127.0.0.1";

/** What whoever watches must know: a fresh 128 bits, in letters that a path can hold. */
export function newToken(): string {
  return randomBytes(16).toString("base64url");
}

/** Whether a request is for what lies under the token, and came by a name of the loopback (not one rebound by DNS). */
export function isFor(request: IncomingMessage, token: string): boolean {
  const [, given = ""] = (request.url ?? "").split(/[/?]/);
  // Bytes, not letters: a path can hold some that are two bytes long.
  const [one, other] = [Buffer.from(given), Buffer.from(token)];
  const isToken = one.length === other.length && timingSafeEqual(one, other);
  return isToken && /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(request.headers.host ?? "");
}

/** Answers with the viewer's page, and with a recorded run inside it where there is one. */
export function sendViewer(request: IncomingMessage, response: ServerResponse, recording?: Recording): void {
  if (request.method !== "GET" && request.method !== "HEAD") {
    response.writeHead(405, { Allow: "GET, HEAD" }).end();
    return;
  }
  let page: string;
  try {
    page = pageWith(recording);
  } catch {
    // From the sources, and not built yet. Whoever logs in here must not fall over that.
    response.writeHead(500, { "Content-Type": "text/plain" }).end("The viewer has not been built.");
    return;
  }
  response.writeHead(200, {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Length": Buffer.byteLength(page),
    // The page's own policy, sent ahead of it.
    "Content-Security-Policy": policyIn(page),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
  });
  response.end(request.method === "HEAD" ? undefined : page);
}

/** Neither the server nor who is connected keeps the process alive. */
export function unrefAll(server: Server): void {
  server.on("connection", (socket) => socket.unref());
  server.unref();
}

function pageWith(recording: Recording | undefined): string {
  const page = builtFile("viewer/index.html");
  if (!recording) return page;
  // No text in it may end the element it stands in.
  const json = JSON.stringify(recording).replaceAll("<", "\\u003c");
  return page.replace("</body>", () => `<script type="application/json" id="recording">${json}</script></body>`);
}

function policyIn(page: string): string {
  return /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1] ?? "default-src 'none'";
}
