import { createServer, type IncomingMessage } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { closeServer, isForLoopback, listen } from "../../../core/http/loopback.ts";
import { type EncodedFile, findBuiltFile, readEncoded } from "../../../tools/inspect/built-files.ts";
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
  const server = createServer((request, response) => {
    const isServed = isForLoopback(request) && request.method === "GET";
    const page = isServed ? readPage(folder, request) : undefined;
    if (page === undefined) return void response.writeHead(404).end();
    response.writeHead(200, {
      ...page.headers,
      "content-type": contentTypes[page.extension] ?? "application/octet-stream",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    });
    response.end(page.body);
  });
  return { url: `${await listen(server)}/`, close: () => closeServer(server) };
}

/** A file of the playground, or the viewer, which the package contains once; `undefined` for any other path. */
function readPage(
  folder: string,
  { url = "/", headers }: IncomingMessage,
): (EncodedFile & { readonly extension: string }) | undefined {
  const accepted = String(headers["accept-encoding"] ?? "");
  try {
    const { pathname } = new URL(url, "http://play");
    if (pathname === "/viewer.html") {
      return { ...readEncoded(findBuiltFile("viewer", "index.html"), accepted), extension: ".html" };
    }
    const path = normalize(join(folder, decodeURIComponent(pathname), pathname.endsWith("/") ? "index.html" : ""));
    if (!path.startsWith(folder) || path.includes("\0")) return undefined;
    return { ...readEncoded(pathToFileURL(path), accepted), extension: extname(path) };
  } catch {
    return undefined;
  }
}
