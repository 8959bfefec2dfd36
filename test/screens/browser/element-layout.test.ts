import { describe, expect } from "vitest";
import { groupLogin, longNames, testLongestFailure, testLow } from "./element-layout.ts";
import { test } from "./element-page.ts";

// What a person sees most on a phone. The other sizes, banks and steps are in element-layout.full.ts.
describe("375 pixels wide", () => {
  testLongestFailure(375);

  describe("and low", () => testLow(375, [groupLogin]));
});

test("the longest name of a bank fits beside the buttons of the header", async ({ element, page }) => {
  await page.setViewportSize({ width: 375, height: 800 });
  await element.showForm("test", {}, longNames);
  const overflowing = await page
    .locator("bank-login section, bank-login section *")
    .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 1).length);
  expect(overflowing).toBe(0);
  for (const verb of ["changeProvider", "cancelLink"]) {
    expect((await page.locator(`[data-verb="${verb}"]`).boundingBox())?.width).toBe(48);
  }
});
