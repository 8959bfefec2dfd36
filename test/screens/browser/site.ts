import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { H3, serve } from "h3";

const types: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".css": "text/css",
};

/** A policy as a bank sets it: no inline script, no inline style, no other address. A page adds what it loads. */
export const strictPolicy =
  "default-src 'none'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types lit-html";

/**
 * Serves the files of a page under a content security policy, and the service of the page at `/bank/`.
 *
 * @param findFile returns where the file of a path is.
 */
export async function serveSite(
  findFile: (path: string) => string,
  policy: string,
  createService: (origin: string) => (request: Request) => Response | Promise<Response>,
) {
  let service: ReturnType<typeof createService> | undefined;
  const app = new H3({ silent: true });
  app.all("/bank/**", (event) => service?.(event.req));
  app.get("/**", async ({ url: { pathname } }) => {
    const path = pathname === "/" ? "/index.html" : pathname;
    const headers = { "content-type": types[extname(path)] ?? "", "content-security-policy": policy };
    return new Response(await readFile(findFile(path)), { headers });
  });
  const server = serve(app, { port: 0, hostname: "127.0.0.1", silent: true });
  await server.ready();
  const { origin } = new URL(server.url ?? "");
  service = createService(origin);
  return { url: origin, close: () => server.close(true) };
}
