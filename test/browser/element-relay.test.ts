import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { H3, serve } from "h3";
import type { Browser, Page } from "playwright-core";
import { SANDBOX_API_KEY } from "ventanilla/sandbox";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { relayFor } from "../../docs/examples/element/server.ts";
import { closePages, openChromium } from "./chromium.ts";
import { openPage } from "./page.ts";
import { buildPages, serveForDevelopment } from "./vite.ts";

// What a bank would set: no inline script, no inline style, nobody else's address.
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types lit-html";
const types: Record<string, string> = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };

let browser: Browser;
beforeAll(async () => {
  browser = await openChromium();
});
afterAll(() => closePages(browser));

async function logIn(page: Page): Promise<void> {
  await page.getByLabel("Search").fill("prueba");
  await page.locator('[data-choice="test"]').press("Enter");
  await page.getByLabel("User name").fill("12345otp");
  await page.getByLabel("Password", { exact: true }).fill("asdfg");
  await page.getByRole("button", { name: "Log in" }).press("Enter");
  await page.getByLabel("One-time code").fill("8888");
  await page.getByRole("button", { name: "Continue" }).press("Enter");
  await page.locator('bank-login [data-step="linked"]').waitFor();
}

describe("<bank-login> at a relay", () => {
  let files: string;
  let server: ReturnType<typeof serve>;
  const sessions: string[] = [];
  // What the relay tells the page, as it leaves the server.
  const heard: string[] = [];
  beforeAll(async () => {
    files = await buildPages("element", "docs/examples/element");
    let relay: ReturnType<typeof relayFor> | undefined;
    const app = new H3({ silent: true });
    app.all("/bank/**", async (event) => {
      const response = await relay?.(event.req);
      heard.push((await response?.clone().text()) ?? "");
      return response;
    });
    app.get("/**", async ({ url: { pathname } }) => {
      const name = pathname === "/" ? "/index.html" : pathname;
      const headers = { "content-type": types[extname(name)] ?? "", "content-security-policy": policy };
      return new Response(await readFile(join(files, name)), { headers });
    });
    server = serve(app, { port: 0, hostname: "127.0.0.1", silent: true });
    await server.ready();
    relay = relayFor(new URL(server.url ?? "").origin, (session) => sessions.push(session));
  });
  beforeEach(() => {
    sessions.length = 0;
    heard.length = 0;
  });
  afterAll(() => server.close(true));

  test("logs in under a strict content security policy, and speaks to nobody but the relay", async () => {
    const { page, complaints } = await openPage(browser, "about:blank");
    const sent: { url: string; headers: Record<string, string> }[] = [];
    page.on("request", (request) => sent.push({ url: request.url(), headers: request.headers() }));
    await page.goto(server.url ?? "");
    await logIn(page);
    expect(complaints).toEqual([]);
    const origin = new URL(server.url ?? "").origin;
    expect(sent.filter(({ url }) => new URL(url).origin !== origin)).toEqual([]);
    expect(sent.map(({ headers }) => headers["x-api-key"]).filter((key) => key !== undefined)).toEqual([]);
    expect(sessions).toEqual(["test [secret]"]);
    // The page reads a sealed key where the service gives a UUID.
    expect(heard.filter((body) => body.includes('"key"'))).toHaveLength(2);
    expect(heard.join("\n")).not.toMatch(/"key":"[0-9a-f]{8}-?[0-9a-f]{4}/);
    await page.getByText("Session at test.").waitFor();
    await page.close();
  });

  test("shows a bank's picture under the same policy", async () => {
    const { page, complaints } = await openPage(browser, server.url ?? "");
    await page.locator('[data-choice="mirador_gt"]').click();
    await page.getByLabel("User name").fill("captcha");
    await page.getByLabel("Password", { exact: true }).fill("s3creto");
    await page.getByRole("button", { name: "Log in" }).click();
    const image = page.getByRole("img", { name: "Picture from your bank" });
    expect(await image.evaluate((img: HTMLImageElement) => img.decode().then(() => img.naturalWidth))).toBe(230);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test("ships no API key to the browser, and no sandbox", async () => {
    const names = (await readdir(files, { recursive: true })).filter((name) => name.endsWith(".js"));
    const scripts = await Promise.all(names.map((name) => readFile(join(files, name), "utf8")));
    expect(scripts.join("\n")).toContain("bank-login");
    for (const script of scripts) {
      expect(script).not.toContain(SANDBOX_API_KEY);
      expect(script).not.toContain("Institución de prueba");
    }
  });
});

test("the example starts with one command: page, relay and sandbox", async () => {
  const { url, close } = await serveForDevelopment("element", "docs/examples/element");
  const { page, complaints } = await openPage(browser, url);
  await logIn(page);
  expect(complaints.filter((complaint) => !complaint.startsWith("Lit is in dev mode"))).toEqual([]);
  await page.close();
  await close();
});
