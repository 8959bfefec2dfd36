import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe } from "vitest";
import { closePages, openChromium } from "./chromium.ts";
import { testPaths } from "./paths.ts";
import { serveBuilt } from "./vite.ts";

describe("every path of the test kit leads <bank-login> where it should", () => {
  let browser: Browser;
  let served: Awaited<ReturnType<typeof serveBuilt>>;
  beforeAll(async () => {
    browser = await openChromium();
    served = await serveBuilt("element", "test/browser/element");
  });
  afterAll(() => Promise.all([closePages(browser), served.close()]));

  testPaths(() => ({ browser, url: served.url }));
});
