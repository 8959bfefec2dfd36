import type { JSHandle, Page } from "playwright-core";
import type { BankLogin } from "ventanilla/element";
import type { Fault } from "ventanilla/testing";
import { expect } from "vitest";
import { failureTexts, locales } from "../../../src/core/texts/languages.ts";
import { test } from "./element-page.ts";

/** The positions of the form's controls in the card. */
export const readPositions = (page: Page) =>
  page.locator("bank-login section").evaluate((card) => {
    const { top } = card.getBoundingClientRect();
    return Array.from(card.querySelectorAll("form :is(input, select, button[type=submit])"), (control) =>
      Math.round(control.getBoundingClientRect().top - top),
    );
  });

export const longName =
  "Banco Cooperativo de Ahorro y Crédito Interprovincial-Agropecuario-Industrial del Noroeste S.A.";
const field = { type: "text", interactive: false, optional: false };
export const accountTypes = [
  { name: "pers", label_en: "Personal" },
  { name: "corp", label_en: "Corporate" },
  { name: "smes", label_en: "Small and medium companies" },
];
export const provider = {
  name: longName,
  country: "UY",
  account_type: accountTypes.slice(0, 2),
  auth_fields: [
    { ...field, name: "username", label_en: "User name" },
    { ...field, name: "password", type: "password", label_en: "Password" },
  ],
};
export const longNames: readonly Fault[] = [
  {
    request: "GET /provider/",
    what: { body: { status: "success", providers: [{ code: "test", country: "UY", name: longName }] } },
  },
  { request: "GET /provider/{code}/", what: { body: { status: "success", provider } } },
];

/** Every height that the card has from now on. */
export const watchHeights = (page: Page) =>
  page.locator("bank-login section").evaluateHandle((card) => {
    const heights: number[] = [];
    new ResizeObserver(() => heights.push((card as HTMLElement).offsetHeight)).observe(card);
    return heights;
  });
/** Those until the next two frames: an observer is called with a frame, the first time too. */
export const readHeights = (heights: JSHandle<number[]>) =>
  heights.evaluate(async (heights) => {
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
    return heights;
  });
export const setLocale = (page: Page, locale: string) =>
  page.locator("bank-login").evaluate((shown: BankLogin, locale) => {
    shown.locale = locale;
    return shown.updateComplete;
  }, locale);

/** A login of the sandbox: its bank, what is typed besides the password, the answer, and the client that is chosen. */
export type TypedLogin = readonly [provider: string, values: Record<string, string>, answer?: string, client?: string];

/** With all that a login can have. */
export const groupLogin: TypedLogin = ["ceibo_ar", { username: "group", type: "corp" }, "246802", "0"];

/** Tests that neither a login nor a failure moves anything, in a window as low as at 200 %, or above a keyboard. */
export function testLow(width: number, logins: readonly TypedLogin[]): void {
  test.beforeEach(({ page }) => page.setViewportSize({ width, height: 400 }));

  test.for(logins)(
    "the card of %s keeps its height from the form to the session",
    async ([provider, values, answer, client], { element, page }) => {
      await element.show(
        { clientSelection: true },
        [],
        [{ action: { type: "choose", value: "0" }, sentence: "a client is chosen", expected: "linked" }],
      );
      await element.choose(provider);
      await element.waitForState("idle");
      // Long enough for each wait to be drawn.
      await element.setLatency(100);
      const heights = await watchHeights(page);
      await element.submit({ ...values, password: "wrong" });
      await element.waitForState("failed");
      await element.submit({ password: "s3creto" });
      if (answer) await element.answer(answer);
      if (client) await element.choose(client);
      await element.waitForState("linked");
      expect(await readHeights(heights)).toHaveLength(1);
    },
  );

  test("a failure and the progress move nothing, and a failure of many lines is in sight", async ({
    element,
    page,
  }) => {
    const isInSight = (part: Element) => part.getBoundingClientRect().bottom <= innerHeight;
    await element.showForm("test", {}, [
      ...longNames,
      { request: "POST /login/", number: 2, what: { http: 503, body: {} } },
    ]);
    const before = await readPositions(page);
    await element.submit({ username: "12345", password: "wrong" });
    await element.waitForState("failed");
    expect(await readPositions(page)).toEqual(before);
    await element.setLatency(Number.POSITIVE_INFINITY);
    await element.submit({ password: "gfdsa" });
    await element.waitForState("submitting");
    expect(await readPositions(page)).toEqual(before);
    expect(await page.locator(".spinner").evaluate(isInSight)).toBe(true);
    await element.setLatency(0);
    await element.waitForState("failed");
    expect(await page.getByRole("alert").evaluate(isInSight)).toBe(true);
    const lines = await page.getByRole("alert").evaluate((alert) => (alert as HTMLElement).offsetHeight / 24);
    expect(lines).toBeGreaterThan(3);
  });
}

/** Tests that the longest failure of each language has the place that is kept for it. */
export function testLongestFailure(width: number): void {
  test.for(locales)("the longest failure moves nothing (%s)", async (locale, { element, page }) => {
    await page.setViewportSize({ width, height: 900 });
    await element.showForm("test", {}, [{ request: "POST /login/", what: { http: 503, body: {} } }]);
    await setLocale(page, locale);
    const heights = await watchHeights(page);
    const before = await readPositions(page);
    await element.submit({ username: "12345", password: "gfdsa" });
    await element.waitForState("failed");
    const { service_unavailable, may_have_arrived } = failureTexts({ locale });
    expect(await page.getByRole("alert").innerText()).toBe(`${service_unavailable} ${may_have_arrived}`);
    expect(await readPositions(page)).toEqual(before);
    expect(await readHeights(heights)).toHaveLength(1);
  });
}
