import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser } from "playwright-core";
import type * as ventanilla from "ventanilla";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closePages, openChromium } from "../browser/chromium.ts";
import { buildCore } from "../browser/vite.ts";

type Window = { readonly ventanilla: typeof ventanilla };

const RUNS = 20;
let browser: Browser;
let script: string;

beforeAll(async () => {
  browser = await openChromium();
  script = await buildCore();
});

afterAll(() => closePages(browser));

async function openPage() {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    if (request.url === "/") return response.setHeader("content-type", "text/html").end("<title>Bank</title>");
    let body = "";
    for await (const chunk of request) body += chunk;
    if (body) bodies.push(body);
    const text = JSON.stringify({ status: body ? "logged_in" : "success", key: "k", providers: [] });
    // The rest never comes.
    if (request.url?.startsWith("/begun")) return response.write(text);
    if (request.url?.startsWith("/pieces")) {
      response.write(text.slice(0, 9));
      return response.end(text.slice(9));
    }
    return response.writeHead(200, { "content-length": text.length }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const page = await browser.newPage();
  const ends: string[] = [];
  page.on("requestfinished", (request) => ends.push(`${new URL(request.url()).pathname} finished`));
  page.on("requestfailed", (request) =>
    ends.push(`${new URL(request.url()).pathname} ${request.failure()?.errorText}`),
  );
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  await page.addScriptTag({ content: script });
  ends.length = 0;
  const close = async () => {
    await page.close();
    server.closeAllConnections();
    server.close();
  };
  return { page, bodies, ends, close };
}

test.each(["/whole", "/pieces"])(
  "no request that succeeded is shown as cancelled, for a body sent %s",
  async (path) => {
    const { page, bodies, ends, close } = await openPage();
    const statuses = await page.evaluate(
      async ({ path, runs }) => {
        const { createBankClient } = (globalThis as unknown as Window).ventanilla;
        const client = createBankClient({ baseUrl: `${location.origin}${path}` });
        const statuses: string[] = [];
        for (let run = 0; run < runs; run++) {
          statuses.push((await client.listProviders()).status);
          statuses.push((await client.login({ provider: "test", username: "ana", password: "p" })).status);
        }
        return statuses;
      },
      { path, runs: RUNS },
    );
    expect(statuses).toEqual(Array.from({ length: RUNS }, () => ["success", "logged_in"]).flat());
    await expect.poll(() => ends).toHaveLength(2 * RUNS);
    expect(new Set(ends)).toEqual(new Set([`${path}/provider/ finished`, `${path}/login/ finished`]));
    // A stream would need HTTP/2.
    expect(bodies).toEqual(Array.from({ length: RUNS }, () => "provider=test&username=ana&password=p"));
    await close();
  },
);

test("a request whose response is given up is shown as cancelled", async () => {
  const { page, ends, close } = await openPage();
  await page.evaluate(async () => {
    const { createBankClient } = (globalThis as unknown as Window).ventanilla;
    const client = createBankClient({ baseUrl: `${location.origin}/begun`, responseLimit: 9, retry: false });
    await client.listProviders().catch(() => {});
  });
  await expect.poll(() => ends).toEqual(["/begun/provider/ net::ERR_ABORTED"]);
  await close();
});
