import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe } from "vitest";
import { openChromium } from "./chromium.ts";
import { testDoubleClicks } from "./double-clicks.ts";
import { pageDriver } from "./driver.ts";
import { elementDriver } from "./element-driver.ts";
import { serveBuilt } from "./vite.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openChromium();
});
afterAll(() => browser.close());

describe.each(["element", "react", "vue", "svelte", "solid"] as const)("%s", (framework) => {
  let served: Awaited<ReturnType<typeof serveBuilt>>;
  beforeAll(async () => {
    served = await serveBuilt(framework, `test/browser/${framework}`);
  });
  afterAll(() => served.close());

  testDoubleClicks(() => ({ browser, url: served.url }), framework === "element" ? elementDriver : pageDriver);
});
