import type { Browser } from "playwright-core";
import { createSandbox, SANDBOX_API_KEY } from "ventanilla/sandbox";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closePages, openChromium } from "./chromium.ts";
import { pageDriver } from "./driver.ts";
import { openPage } from "./page.ts";
import { openRelayed } from "./repeats/relayed.ts";
import { buildPages } from "./vite.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openChromium();
});
afterAll(() => closePages(browser));

test.each(["react", "vue", "svelte", "solid", "element"] as const)(
  "a click in the %s screen is one login at the bank, though Chromium sends it twice",
  async (framework) => {
    const sandbox = createSandbox();
    const logins: string[] = [];
    const { front, close } = await openRelayed(
      await buildPages(framework, `test/browser/${framework}`),
      SANDBOX_API_KEY,
      async (request) => {
        if (request.method === "POST") logins.push(await request.clone().text());
        return sandbox(request);
      },
    );
    const arrived: { number: number; attemptId: string | undefined }[] = [];
    front.misbehave = async ({ method, number, headers, forward, socket }) => {
      if (method !== "POST") return false;
      arrived.push({ number, attemptId: headers["x-attempt-id"] });
      if (arrived.length > 1) return false;
      await forward();
      socket.end();
      return true;
    };
    const { page } = await openPage(browser, front.url);
    await page.waitForFunction(() => "showAtRelay" in window);
    await page.evaluate(() => window.showAtRelay("test"));
    const { fill, submit } = pageDriver(page);
    await fill({ username: "12345", password: "gfdsa" });
    await submit();
    await page.locator('[data-step="loggedIn"], [data-step="linked"]').waitFor();
    const [first, repeat] = arrived;
    expect(first?.number).toBeGreaterThan(1);
    expect(repeat?.attemptId).toBe(first?.attemptId);
    expect(arrived).toHaveLength(2);
    expect(logins).toEqual(["provider=test&username=12345&password=gfdsa"]);
    await page.close();
    await close();
  },
);
