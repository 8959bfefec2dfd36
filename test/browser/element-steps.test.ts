import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { violationsIn } from "./axe.ts";
import { test } from "./element-page.ts";
import { findPath, restingSteps } from "./element-steps.ts";

// 320 CSS pixels are a small phone, and 200 % on 640.
const SIZES = [320, 375, 640, 1280];

/** What can be pressed and is smaller than a finger. */
const smallControls = (page: Page) =>
  page.locator("bank-login :is(button, a, input, select):visible").evaluateAll((all) =>
    all
      .map((one) => [one.outerHTML, one.getBoundingClientRect()] as const)
      .filter(([, { width, height }]) => Math.min(width, height) < 44)
      .map(([html]) => html),
  );

/** What scrolls by itself. */
const scrollingParts = (page: Page) =>
  page
    .locator("bank-login section *")
    .evaluateAll((all) =>
      all
        .filter((one) => /auto|scroll/.test(getComputedStyle(one).overflowY) && one.scrollHeight > one.clientHeight)
        .map(({ className }) => className),
    );

/** Whether something has to be scrolled sideways. */
const isTooWide = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);

/** What is wrong with a step: in any size, and for axe in both schemes. */
async function faultsIn(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    const violations = await violationsIn(page, "bank-login");
    faults.push(...violations.map((violation) => `${colorScheme}: ${violation.join(" ")}`));
  }
  for (const width of SIZES) {
    await page.setViewportSize({ width, height: 800 });
    if (await isTooWide(page)) faults.push(`${width}: has to be scrolled sideways`);
    faults.push(...(await smallControls(page)).map((html) => `${width}: too small for a finger: ${html}`));
    // On a phone the page scrolls, and nothing in it.
    const scrolling = width < 640 ? await scrollingParts(page) : [];
    faults.push(...scrolling.map((name) => `${width}: scrolls by itself: ${name}`));
  }
  return faults;
}

test.beforeEach(async ({ page }) => {
  await page.addStyleTag({ content: ":root { color-scheme: light dark }" });
});

describe("axe finds nothing, a finger meets everything, and only the page scrolls, never sideways:", () => {
  test.for(restingSteps)("%s", async ([, path], { element, page }) => {
    await element.showEndOf(path);
    expect(await faultsIn(page)).toEqual([]);
  });

  test("a form that was sent empty", async ({ element, page }) => {
    await element.showEndOf(findPath("enteringCredentials"));
    await element.press("Log in");
    await page.locator(".failure a").first().waitFor();
    expect(await faultsIn(page)).toEqual([]);
  });
});

test("at a desktop the list of banks scrolls in a card that is as high as without it", async ({ element, page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const height = () => page.locator("bank-login section").evaluate((card) => (card as HTMLElement).offsetHeight);
  await element.showEndOf(findPath("loadingProviders"));
  const before = await height();
  await element.showEndOf(findPath("choosingProvider"));
  expect(await height()).toBe(before);
  expect(await scrollingParts(page)).toEqual(["banks"]);
});

test("whoever wants less motion gets it", async ({ element, page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await element.showEndOf(findPath("submitting"));
  const duration = page.locator(".spinner").evaluate((spinner) => getComputedStyle(spinner).animationDuration);
  expect(await duration).toBe("6s");
});
