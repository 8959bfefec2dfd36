import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { violationsIn } from "./axe.ts";
import { closePages, openChromium } from "./chromium.ts";
import { restingSteps, showStep, wayTo } from "./element-steps.ts";
import { type Opened, reloadPage } from "./page.ts";
import { testPaths } from "./paths.ts";
import { serveBuilt } from "./vite.ts";

let browser: Browser;
let served: Awaited<ReturnType<typeof serveBuilt>>;
beforeAll(async () => {
  browser = await openChromium();
  served = await serveBuilt("element", "test/browser/element");
});
afterAll(() => Promise.all([closePages(browser), served.close()]));

describe("every path of the test kit leads <bank-login> where it should", () => {
  testPaths(() => ({ browser, url: served.url }));
});

describe("accessibility", () => {
  let opened: Opened | undefined;
  let page: Page;
  const showIn = async (colorScheme: "light" | "dark", width = 480) => {
    opened = await reloadPage(opened, browser, served.url);
    page = opened.page;
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme, reducedMotion: null });
    await page.addStyleTag({ content: ":root { color-scheme: light dark }" });
  };

  test.each(["light", "dark"] as const)("axe finds nothing in any step, %s", async (scheme) => {
    await showIn(scheme);
    for (const [step, way] of restingSteps) {
      await showStep(page, way);
      expect(await violationsIn(page, "bank-login"), step).toEqual([]);
    }
  });

  test("axe would find a colour that can't be read", async () => {
    await showIn("light");
    await showStep(page, wayTo("choosingProvider"));
    await page.addStyleTag({ content: "bank-login { --bank-login-text: #c8c8c8 }" });
    expect((await violationsIn(page, "bank-login")).map(([rule]) => rule)).toContain("color-contrast");
  });

  test("axe finds nothing in a form that was sent empty", async () => {
    await showIn("light");
    await showStep(page, wayTo("enteringCredentials"));
    await page.locator('[data-verb="submit"]').press("Enter");
    await page.locator(".failure a").first().waitFor();
    expect(await violationsIn(page, "bank-login")).toEqual([]);
  });

  // 320 CSS pixels are a phone, and 200 % on 640.
  test.each([320, 640])("nothing has to be scrolled sideways at %i pixels", async (width) => {
    await showIn("light", width);
    for (const [step, way] of restingSteps) {
      await showStep(page, way);
      const [content, visible] = await page.evaluate(() => [
        document.documentElement.scrollWidth,
        document.documentElement.clientWidth,
      ]);
      expect(content, step).toBeLessThanOrEqual(visible ?? 0);
    }
  });

  test("whoever wants less motion gets it", async () => {
    await showIn("light");
    await page.emulateMedia({ reducedMotion: "reduce" });
    await showStep(page, wayTo("submitting"));
    const turn = () => page.locator(".spinner").evaluate((spinner) => getComputedStyle(spinner).animationDuration);
    expect(await turn()).toBe("6s");
  });
});
