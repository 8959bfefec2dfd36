import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { closeServer, isForLoopback, listen } from "../../../core/http/loopback.ts";
import { findBuiltFile } from "../../../tools/inspect/built-files.ts";
import { flag } from "../arguments.ts";
import { defineCommand } from "../command.ts";
import { type LocalServer, openInBrowser, serveUntilStopped } from "../local-pages.ts";
import { commonOptions } from "../terminal/output.ts";

export const play = defineCommand({
  description: "Open the playground: every bank of the sandbox, in a browser",
  options: {
    open: flag("Open it in a browser; without it the address is printed"),
    ...commonOptions,
  },
  examples: [["ventanilla play --open", "serves until Ctrl-C"]],
  async run({ values, program, output }) {
    const playground = await servePlayground();
    if (values.open) openInBrowser(playground.url, program.environment);
    return serveUntilStopped(playground, output, program);
  },
});

const contentTypes: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
};

/** Serves the playground's pages on a free port of 127.0.0.1. */
async function servePlayground(): Promise<LocalServer> {
  const folder = fileURLToPath(new URL(".", findBuiltFile("play", "index.html")));
  const server = createServer(async (request, response) => {
    const isServed = isForLoopback(request) && request.method === "GET";
    const body = isServed ? await readPage(folder, request.url ?? "/") : undefined;
    if (body === undefined) return void response.writeHead(404).end();
    response.writeHead(200, {
      "content-type": contentTypes[body.extension] ?? "application/octet-stream",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    });
    response.end(body.bytes);
  });
  return { url: `${await listen(server)}/`, close: () => closeServer(server) };
}

/** A file of the playground, or the viewer, which the package contains once; `undefined` for any other path. */
async function readPage(folder: string, address: string): Promise<{ bytes: Buffer; extension: string } | undefined> {
  try {
    const { pathname } = new URL(address, "http://play");
    if (pathname === "/viewer.html") {
      return { bytes: await readFile(findBuiltFile("viewer", "index.html")), extension: ".html" };
    }
    const path = normalize(join(folder, decodeURIComponent(pathname), pathname.endsWith("/") ? "index.html" : ""));
    if (!path.startsWith(folder) || path.includes("\0")) return undefined;
    return { bytes: await readFile(path), extension: extname(path) };
  } catch {
    return undefined;
  }
}
