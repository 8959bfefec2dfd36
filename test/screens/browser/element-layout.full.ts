import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { locales } from "../../../src/core/texts/languages.ts";
import {
  accountTypes,
  groupLogin,
  longName,
  longNames,
  provider,
  readHeights,
  readPositions,
  setLocale,
  type TypedLogin,
  testLongestFailure,
  testLow,
  watchHeights,
} from "./element-layout.ts";
import { test } from "./element-page.ts";

// Beside what the gate tests, on a phone.
const otherLogins: readonly TypedLogin[] = [
  ["quetzal_mx", { username: "otp" }, "975310"],
  ["puente_co", { username: "local", country_code: "CO", type: "cc" }],
];

describe("1280 pixels wide", () => {
  testLongestFailure(1280);

  describe("and low", () => testLow(1280, [...otherLogins, groupLogin]));
});

describe("375 pixels wide", () => {
  describe("and low", () => testLow(375, otherLogins));
});

describe.each([375, 1280])("%i pixels wide", (width) => {
  test.beforeEach(({ page }) => page.setViewportSize({ width, height: 900 }));

  test("a second Enter after a failure moves nothing", async ({ element, page }) => {
    await element.showForm("puente_co");
    const heights = await watchHeights(page);
    await element.submit({ username: "local", password: "wrong", country_code: "CO", type: "cc" });
    await element.waitForState("failed");
    await element.press("submit");
    await page.locator("[aria-invalid=true]").first().waitFor();
    expect(await readHeights(heights)).toHaveLength(1);
  });

  test.for(locales)("a question that the bank asks again moves nothing (%s)", async (locale, { element, page }) => {
    await element.showForm("quetzal_mx");
    await setLocale(page, locale);
    const heights = await watchHeights(page);
    await element.submit({ username: "otp", password: "s3creto" });
    await element.waitForState("awaitingInteraction");
    const before = await readPositions(page);
    for (const sent of [1, 2]) {
      await element.answer(`00000${sent}`);
      await page.getByRole("alert").getByText(`: ${sent}.`).waitFor();
      expect(await readPositions(page)).toEqual(before);
    }
    expect(await readHeights(heights)).toHaveLength(1);
  });
});

// Each width with each language and each bank, and each language with each bank.
test.for([
  [320, "en", "ceibo_ar"],
  [320, "es", "test"],
  [320, "pt", "puente_co"],
  [375, "en", "test"],
  [375, "es", "puente_co"],
  [375, "pt", "ceibo_ar"],
  [1280, "en", "puente_co"],
  [1280, "es", "ceibo_ar"],
  [1280, "pt", "test"],
] as const)(
  "%i pixels wide, a form that is sent empty moves nothing (%s, %s)",
  async ([width, locale, bank], { element, page }) => {
    await page.setViewportSize({ width, height: 900 });
    await element.showForm(bank);
    await setLocale(page, locale);
    const before = await readPositions(page);
    const heights = await watchHeights(page);
    await element.press("submit");
    await page.locator("[aria-invalid=true]").first().waitFor();
    expect(await readPositions(page)).toEqual(before);
    expect(await readHeights(heights)).toHaveLength(1);
  },
);

describe.each([320, 375, 1280])("%i pixels wide", (width) => {
  test.beforeEach(({ page }) => page.setViewportSize({ width, height: 900 }));

  test("a long name of a bank shows in whole, and its login moves no button of the header", async ({
    element,
    page,
  }) => {
    const readButtons = () =>
      page.locator("bank-login section").evaluate((card) => {
        const { top } = card.getBoundingClientRect();
        const buttons = card.querySelectorAll("header button");
        return Array.from(buttons, (button) => Math.round(button.getBoundingClientRect().top - top));
      });
    const isOurResponse = () =>
      page
        .getByText(longName)
        .evaluate(
          (shown) =>
            shown.scrollHeight <= shown.clientHeight && shown.clientHeight <= (shown.parentElement?.clientHeight ?? 0),
        );
    await element.showForm("test", {}, longNames);
    expect(await isOurResponse()).toBe(true);
    const form = await readButtons();
    await element.submit({ username: "12345otp", password: "asdfg" });
    await element.waitForState("awaitingInteraction");
    expect(await isOurResponse()).toBe(true);
    expect(await readButtons()).toEqual(form);
  });
});

test("at 400 %, a question is in sight together with its field, then the progress", async ({ element, page }) => {
  await page.setViewportSize({ width: 320, height: 200 });
  const readSight = (parts: string) =>
    page
      .locator(parts)
      .evaluateAll((all) =>
        all.map((part) => part.getBoundingClientRect()).map(({ top, bottom }) => top >= 0 && bottom <= innerHeight),
      );
  await element.show();
  await element.logIn("test", "12345otp", "asdfg");
  await element.waitForState("awaitingInteraction");
  expect(await readSight("#question, #field-otp")).toEqual([true, true]);
  await element.setLatency(Number.POSITIVE_INFINITY);
  await element.answer("8888");
  await element.waitForState("submitting");
  expect(await readSight(".spinner")).toEqual([true]);
});

test.for([320, 375, 1280])("%i pixels wide, the kinds of account show in whole", async (width, { element, page }) => {
  await page.setViewportSize({ width, height: 800 });
  const body = { status: "success", provider: { ...provider, account_type: accountTypes } };
  await element.showForm("test", {}, [{ request: "GET /provider/{code}/", what: { body } }]);
  const shown = page.getByText("Personal, Corporate, Small and medium companies");
  expect(await shown.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBeLessThan(2);
});

describe("the header", () => {
  /** Its height, and the room above its first line and below its last one. */
  const readHeader = (page: Page) =>
    page.locator("bank-login header").evaluate((header) => {
      const { top, bottom, height } = header.getBoundingClientRect();
      const lines = Array.from(header.querySelectorAll("h2, p"), (line) => line.getBoundingClientRect());
      return { height, above: (lines[0]?.top ?? 0) - top, below: bottom - 1 - (lines.at(-1)?.bottom ?? 0) };
    });

  test("has room above and below three short lines, and keeps its height with two", async ({ element, page }) => {
    await page.setViewportSize({ width: 390, height: 800 });
    await element.showForm("test");
    expect(await page.locator("header .lead, header .name, header p").count()).toBe(3);
    const { height, above, below } = await readHeader(page);
    expect(height).toBeLessThan(70);
    expect(Math.min(above, below)).toBeGreaterThanOrEqual(6);
    await element.submit({ username: "12345otp", password: "asdfg" });
    await element.waitForState("awaitingInteraction");
    const next = await readHeader(page);
    expect(next).toMatchObject({ height: Math.ceil(height), above: expect.toSatisfy((room) => room >= 6) });
  });

  test.for([320, 390])("has room above and below a long name, %i pixels wide", async (width, { element, page }) => {
    await page.setViewportSize({ width, height: 800 });
    await element.showForm("test", {}, longNames);
    const check = async () => {
      const { height, above, below } = await readHeader(page);
      expect(height).toBeGreaterThan(57);
      expect(Math.min(above, below)).toBeGreaterThanOrEqual(6);
    };
    await check();
    await element.submit({ username: "12345otp", password: "asdfg" });
    await element.waitForState("awaitingInteraction");
    await check();
  });
});
