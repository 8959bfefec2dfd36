import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { closePages, openChromium } from "./chromium.ts";
import { restingSteps, showStep } from "./element-steps.ts";
import { openPage } from "./page.ts";
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

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

describe("accessibility", () => {
  let page: Page;
  afterEach(() => page.close());

  const showIn = async (scheme: "light" | "dark", width = 480) => {
    ({ page } = await openPage(browser, served.url, { colorScheme: scheme, viewport: { width, height: 800 } }));
    await page.addStyleTag({ content: ":root { color-scheme: light dark }" });
    await page.addScriptTag({ content: axe });
  };
  const violations = () =>
    page.evaluate(async () => {
      const { violations } = await (
        window as unknown as { axe: { run(): Promise<{ violations: unknown[] }> } }
      ).axe.run();
      return violations;
    });

  test.each(["light", "dark"] as const)("axe finds nothing in any step, %s", async (scheme) => {
    await showIn(scheme);
    for (const [step, way] of restingSteps) {
      await showStep(page, way);
      // The page around the component is not what is judged.
      const found = (await violations()).filter((violation) => JSON.stringify(violation).includes("bank-login"));
      expect(found, step).toEqual([]);
    }
  });

  test("axe would find a colour that can't be read", async () => {
    await showIn("light");
    const way = restingSteps.find(([step]) => step === "choosingProvider")?.[1];
    if (!way) throw new Error("No way leads to the list.");
    await showStep(page, way);
    await page.addStyleTag({ content: "bank-login { --bank-login-text: #c8c8c8 }" });
    expect(JSON.stringify(await violations())).toMatch(/color-contrast.*bank-login/);
  });

  test("axe finds nothing in a form that was sent empty", async () => {
    await showIn("light");
    const way = restingSteps.find(([step]) => step === "enteringCredentials")?.[1];
    if (!way) throw new Error("No way leads to a form.");
    await showStep(page, way);
    await page.locator('[data-verb="submit"]').press("Enter");
    await page.locator(".failure a").first().waitFor();
    expect((await violations()).filter((violation) => JSON.stringify(violation).includes("bank-login"))).toEqual([]);
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
    const context = { reducedMotion: "reduce", viewport: { width: 480, height: 800 } } as const;
    ({ page } = await openPage(browser, served.url, context));
    const way = restingSteps.find(([step]) => step === "submitting")?.[1];
    if (!way) throw new Error("No way leads to a wait.");
    await showStep(page, way);
    const turn = () => page.locator(".spinner").evaluate((spinner) => getComputedStyle(spinner).animationDuration);
    expect(await turn()).toBe("6s");
  });
});
