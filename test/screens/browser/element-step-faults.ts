import type { Page } from "playwright-core";
import type { Path } from "ventanilla/testing";
import { describe, expect } from "vitest";
import { violationsIn } from "./axe.ts";
import { test } from "./element-page.ts";
import { stepPaths } from "./element-steps.ts";

/** How a step is looked at: with what axe checks in each colour scheme, and in windows of these widths. */
interface Looks {
  readonly rules: { readonly [scheme in "light" | "dark"]?: "all" | "colours" };
  readonly widths: readonly number[];
}

/** The controls that are smaller than a finger. */
const listSmallControls = (page: Page) =>
  page.locator("bank-login :is(button, a, input, select):visible").evaluateAll((all) =>
    all
      .map((one) => [one.outerHTML, one.getBoundingClientRect()] as const)
      .filter(([, { width, height }]) => Math.min(width, height) < 44)
      .map(([html]) => html),
  );

/** The classes of the elements that scroll. */
export const listScrollingParts = (page: Page) =>
  page
    .locator("bank-login section *")
    .evaluateAll((all) =>
      all
        .filter((one) => /auto|scroll/.test(getComputedStyle(one).overflowY) && one.scrollHeight > one.clientHeight)
        .map(({ className }) => className),
    );

/** The faults of a step: in each width, and those that axe finds in each colour scheme. */
async function listFaults(page: Page, { rules, widths }: Looks): Promise<string[]> {
  const faults: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    const checked = rules[colorScheme];
    if (!checked) continue;
    await page.emulateMedia({ colorScheme });
    const violations = await violationsIn(page, "bank-login", checked);
    faults.push(...violations.map((violation) => `${colorScheme}: ${violation.join(" ")}`));
  }
  const overflow = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;
  for (const width of widths) {
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

export const findPath = (step: string) => stepPaths.get(step) as Path;

/** Tests each step of the component. */
export function testSteps(looks: Looks): void {
  test.beforeEach(async ({ page }) => {
    await page.addStyleTag({ content: ":root { color-scheme: light dark }" });
  });

  describe("axe finds nothing, each control is large enough, and only the page scrolls, never sideways:", () => {
    test.for([...stepPaths])("%s", async ([, path], { element, page }) => {
      await element.showEnd(path);
      expect(await listFaults(page, looks)).toEqual([]);
    });

    test("a form that was submitted empty", async ({ element, page }) => {
      await element.showEnd(findPath("idle"));
      await element.press("submit");
      await page.locator("[aria-invalid=true]").first().waitFor();
      expect(await listFaults(page, looks)).toEqual([]);
    });
  });
}
