import type * as ventanilla from "ventanilla";
import { beforeAll, expect } from "vitest";
import { startService } from "../bank/service.ts";
import { test as base } from "../screens/browser/screen-page.ts";
import { buildCore } from "../screens/browser/vite.ts";

type Window = { readonly ventanilla: typeof ventanilla };

const RUNS = 20;
let script: string;

beforeAll(async () => {
  script = await buildCore();
});

/** A page with the client. `ends` shows how the browser's own log ends each request. */
const test = base.extend("openClient", ({ open }) => async () => {
  const service = await startService(({ method, url }) => {
    const text = JSON.stringify({ status: method === "POST" ? "logged_in" : "success", key: "k", providers: [] });
    // The rest never comes.
    if (url.startsWith("/begun")) return { write: (response) => response.write(text) };
    if (!url.startsWith("/pieces")) return { text, headers: { "content-length": String(text.length) } };
    return {
      write: (response) => {
        response.setHeader("x-ventanilla", "1");
        response.write(text.slice(0, 9));
        response.end(text.slice(9));
      },
    };
  });
  const { page } = await open(service.url);
  await page.addScriptTag({ content: script });
  const ends: string[] = [];
  const toPath = (url: string) => new URL(url).pathname;
  page.on("requestfinished", (request) => ends.push(`${toPath(request.url())} finished`));
  page.on("requestfailed", (request) => ends.push(`${toPath(request.url())} ${request.failure()?.errorText}`));
  return { page, ends, bodies: () => service.requests.flatMap(({ body }) => body || []) };
});

test.for(["/whole", "/pieces"])(
  "the browser's log shows no request that succeeded as cancelled, with a body in %s",
  async (path, { openClient }) => {
    const { page, bodies, ends } = await openClient();
    const statuses = await page.evaluate(
      async ({ path, runs }) => {
        const { createRelayClient } = (globalThis as unknown as Window).ventanilla;
        const client = createRelayClient({ baseUrl: `${location.origin}${path}`, directory: false });
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
    expect(bodies()).toEqual(Array.from({ length: RUNS }, () => "provider=test&username=ana&password=p"));
  },
);

test("the browser's log shows a request as cancelled whose response was too large", async ({ openClient }) => {
  const { page, ends } = await openClient();
  await page.evaluate(async () => {
    const { createRelayClient } = (globalThis as unknown as Window).ventanilla;
    const client = createRelayClient({ baseUrl: `${location.origin}/begun`, responseLimit: 9, retry: false });
    await client.listProviders().catch(() => {});
  });
  await expect.poll(() => ends).toEqual(["/begun/provider/ net::ERR_ABORTED"]);
});
