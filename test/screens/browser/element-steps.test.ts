import type { Page } from "playwright-core";
import type { Path } from "ventanilla/testing";
import { describe, expect } from "vitest";
import { violationsIn } from "./axe.ts";
import { test } from "./element-page.ts";
import { stepPaths } from "./element-steps.ts";

// 320 CSS pixels are a small phone, and 200 % on 640.
const WIDTHS = [320, 375, 640, 1280];

/** The controls that are smaller than a finger. */
const listSmallControls = (page: Page) =>
  page.locator("bank-login :is(button, a, input, select):visible").evaluateAll((all) =>
    all
      .map((one) => [one.outerHTML, one.getBoundingClientRect()] as const)
      .filter(([, { width, height }]) => Math.min(width, height) < 44)
      .map(([html]) => html),
  );

/** The classes of the elements that scroll. */
const listScrollingParts = (page: Page) =>
  page
    .locator("bank-login section *")
    .evaluateAll((all) =>
      all
        .filter((one) => /auto|scroll/.test(getComputedStyle(one).overflowY) && one.scrollHeight > one.clientHeight)
        .map(({ className }) => className),
    );

/** The faults of a step: in each width, and those that axe finds in each colour scheme. */
async function listFaults(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (const [colorScheme, rules] of [
    ["light", "all"],
    ["dark", "colours"],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    const violations = await violationsIn(page, "bank-login", rules);
    faults.push(...violations.map((violation) => `${colorScheme}: ${violation.join(" ")}`));
  }
  const overflow = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    if ((await page.evaluate(overflow)) > 0) faults.push(`${width}: scrolls sideways`);
    faults.push(...(await listSmallControls(page)).map((html) => `${width}: too small for a finger: ${html}`));
    // On a phone only the page scrolls.
    const scrolling = width < 640 ? await listScrollingParts(page) : [];
    faults.push(...scrolling.map((name) => `${width}: scrolls by itself: ${name}`));
  }
  await page.setViewportSize({ width: 320, height: 800 });
  const large = await page.addStyleTag({ content: ":root { font-size: 200% }" });
  if ((await page.evaluate(overflow)) > 0) faults.push("large letters: scrolls sideways");
  const letters = await page
    .locator("h2")
    .evaluate((title) => (title.closest(".titles")?.clientWidth ?? 0) / parseFloat(getComputedStyle(title).fontSize));
  if (letters < 6) faults.push(`large letters: room for ${letters} letters of a title`);
  await large.evaluate((style) => (style as HTMLElement).remove());
  return faults;
}

test.beforeEach(async ({ page }) => {
  await page.addStyleTag({ content: ":root { color-scheme: light dark }" });
});

const findPath = (step: string) => stepPaths.get(step) as Path;

describe("axe finds nothing, each control is large enough, and only the page scrolls, never sideways:", () => {
  test.for([...stepPaths])("%s", async ([, path], { element, page }) => {
    await element.showEnd(path);
    expect(await listFaults(page)).toEqual([]);
  });

  test("a form that was submitted empty", async ({ element, page }) => {
    await element.showEnd(findPath("enteringCredentials"));
    await element.press("submit");
    await page.locator("[aria-invalid=true]").first().waitFor();
    expect(await listFaults(page)).toEqual([]);
  });
});

test("on a desktop the list of banks scrolls in a card that is as high as without it", async ({ element, page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const readHeight = () => page.locator("bank-login section").evaluate((card) => (card as HTMLElement).offsetHeight);
  await element.showEnd(findPath("loadingProviders"));
  const before = await readHeight();
  await element.showEnd(findPath("choosingProvider"));
  expect(await readHeight()).toBe(before);
  expect(await listScrollingParts(page)).toEqual(["list banks"]);
});

test("the spinner slows down for people who want less motion", async ({ element, page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await element.showEnd(findPath("submitting"));
  const duration = page.locator(".spinner").evaluate((spinner) => getComputedStyle(spinner).animationDuration);
  expect(await duration).toBe("6s");
});
