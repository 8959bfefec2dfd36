import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { H3, serve } from "h3";

const types: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".css": "text/css",
};

/** What a bank would set: no inline script, no inline style, nobody else's address. */
export const strict =
  "default-src 'none'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types lit-html";

/**
 * Serves pages under a content security policy, and what responds at `/bank/`, with nothing between the files and the browser.
 *
 * @param findFile where the file of a path lies.
 */
export async function serveSite(
  findFile: (path: string) => string,
  policy: string,
  openBank: (origin: string) => (request: Request) => Response | Promise<Response>,
) {
  let bank: ReturnType<typeof openBank> | undefined;
  const app = new H3({ silent: true });
  app.all("/bank/**", (event) => bank?.(event.req));
  app.get("/**", async ({ url: { pathname } }) => {
    const path = pathname === "/" ? "/index.html" : pathname;
    const headers = { "content-type": types[extname(path)] ?? "", "content-security-policy": policy };
    return new Response(await readFile(findFile(path)), { headers });
  });
  const server = serve(app, { port: 0, hostname: "127.0.0.1", silent: true });
  await server.ready();
  const { origin } = new URL(server.url ?? "");
  bank = openBank(origin);
  return { origin, close: () => server.close(true) };
}
