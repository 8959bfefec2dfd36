import { expect } from "vitest";
import { test } from "./element-page.ts";
import { findPath, listScrollingParts, testSteps } from "./element-step-faults.ts";

testSteps({ rules: { dark: "colours" }, widths: [375, 640, 1280] });

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
