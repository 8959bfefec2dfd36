import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { H3, serve } from "h3";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { relayFor } from "../../docs/examples/element/server.ts";
import { closePages, openChromium } from "./chromium.ts";
import { openPage } from "./page.ts";

// Here for what is built: these pages load the files that the package has.
const file = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const types: Record<string, string> = { ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript" };

let browser: Browser;
beforeAll(async () => {
  browser = await openChromium();
});
afterAll(() => closePages(browser));

/** Where a file of the page's own server lies. */
function toFile(path: string): string {
  if (path === "/element.js") return file("dist/element.js");
  if (path.startsWith("/node_modules/ventanilla/")) return file(path.slice("/node_modules/ventanilla/".length));
  return path.startsWith("/node_modules/") ? file(path.slice(1)) : file(`docs/examples/plain${path}`);
}

/** Serves the pages and their relay, with nothing between the files and the browser. */
async function servePages(policy: string) {
  const sessions: string[] = [];
  let relay: ReturnType<typeof relayFor> | undefined;
  const app = new H3({ silent: true });
  app.all("/bank/**", (event) => relay?.(event.req));
  app.get("/**", async ({ url: { pathname } }) => {
    const headers = { "content-type": types[extname(pathname)] ?? "", "content-security-policy": policy };
    return new Response(await readFile(toFile(pathname)), { headers });
  });
  const server = serve(app, { port: 0, hostname: "127.0.0.1", silent: true });
  await server.ready();
  const { origin } = new URL(server.url ?? "");
  relay = relayFor(origin, (session) => sessions.push(session));
  return { origin, sessions, close: () => server.close(true) };
}

test("the plain page names the file by the hash that it has", async () => {
  const hash = createHash("sha384")
    .update(await readFile(file("dist/element.js")))
    .digest("base64");
  const page = await readFile(file("docs/examples/plain/index.html"), "utf8");
  await expect(page.replace(/integrity="[^"]*"/, `integrity="sha384-${hash}"`)).toMatchFileSnapshot(
    file("docs/examples/plain/index.html"),
  );
});

const strict =
  "default-src 'none'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types lit-html";

test.each([
  ["index.html", "one file, by its hash", `${strict}; script-src 'self'`],
  ["shared.html", "an import map", `${strict}; script-src 'self' 'unsafe-inline'`],
])("docs/examples/plain/%s logs in with %s and no bundler", async (name, _what, policy) => {
  const { origin, sessions, close } = await servePages(policy);
  const { page, complaints } = await openPage(browser, `${origin}/${name}`);
  await page.getByLabel("Search").fill("prueba");
  await page.locator('[data-choice="test"]').press("Enter");
  await page.getByLabel("User name").fill("12345otp");
  await page.getByLabel("Password", { exact: true }).fill("asdfg");
  await page.getByRole("button", { name: "Log in" }).press("Enter");
  await page.getByLabel("One-time code").fill("8888");
  await page.getByRole("button", { name: "Continue" }).press("Enter");
  await page.getByText("Session at test.").waitFor();
  expect(sessions).toEqual(["test [secret]"]);
  expect(complaints).toEqual([]);
  await page.close();
  await close();
});

test("the file is whole: it imports nothing, and asks no other host", async () => {
  const code = await readFile(file("dist/element.js"), "utf8");
  expect(code).not.toMatch(/\bimport\s*[({"'*]|\bimport\s+\w/);
});
