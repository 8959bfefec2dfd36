import type { BankLogin } from "ventanilla/element";
import { describe, expect } from "vitest";
import {
  groupLogin,
  longName,
  longNames,
  provider,
  readHeights,
  testLongestFailure,
  testLow,
  watchHeights,
} from "./element-layout.ts";
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

// With a bank that takes longer than a shift is excused by a click or a key.
test.for([320, 390, 1280])(
  "a whole login with a wrong code at a slow bank shifts next to nothing, %i pixels wide",
  async (width, { element, page }) => {
    await page.setViewportSize({ width, height: 844 });
    await element.show({ destinations: true });
    await page
      .locator("bank-login")
      .evaluate((shown: BankLogin) => void Object.assign(shown, { hostName: "Mandarina" }));
    await element.waitForState("choosingProvider");
    const readShift = await element.watchShift();
    await element.setLatency(600);
    await element.choose("quetzal_mx");
    await element.waitForState("idle");
    await element.submit({ username: "otp", password: "s3creto" });
    await element.answer("000000");
    await page.getByRole("alert").waitFor();
    await element.answer("975310");
    await element.waitForState("linked");
    await readHeights(await watchHeights(page));
    expect(await readShift()).toBeLessThan(0.05);
  },
);

test("no word of a bank's name is broken in a card that is wider than 240 pixels", async ({ element, page }) => {
  const names = [
    "Cooperativa de Ahorro y Crédito de Trabajadores del Ministerio de Educación",
    "Banco de Crédito del Perú",
    "Caixa Econômica Federal",
    longName,
  ];
  /** The words with a line break inside. */
  const listBroken = (selector: string) =>
    page.locator(selector).evaluateAll((all) =>
      all.flatMap((shown) => {
        const text = [...shown.childNodes].find((node) => node instanceof Text && node.data.trim()) as Text;
        return [...text.data.matchAll(/[\p{L}.]+/gu)].flatMap(({ 0: word, index }) => {
          const range = document.createRange();
          range.setStart(text, index);
          range.setEnd(text, index + word.length);
          return range.getClientRects().length > 1 ? [word] : [];
        });
      }),
    );
  const broken: string[] = [];
  for (const [at, name] of names.entries()) {
    const body = { status: "success", providers: [{ code: "test", country: "UY", name }] };
    const detail = { status: "success", provider: { ...provider, name } };
    await page.evaluate(() => window.reset());
    await element.show({}, [
      { request: "GET /provider/", what: { body } },
      { request: "GET /provider/{code}/", what: { body: detail } },
    ]);
    const check = async (selector: string) => {
      for (const hostName of ["", "Mandarina"]) {
        for (const width of [241, 288, 328, 358, 416]) {
          await page.locator("bank-login").evaluate(
            (shown: BankLogin, [hostName, width]) => {
              shown.hostName = hostName;
              shown.style.inlineSize = `${width}px`;
              return shown.updateComplete.then(() => undefined);
            },
            [hostName, width] as const,
          );
          const words = await listBroken(selector);
          broken.push(...words.map((word) => `${word} of ${at}, ${selector} at ${width} ${hostName}`));
        }
      }
    };
    await check(".names > span:first-child");
    await element.choose("test");
    await element.waitForState("idle");
    await check("h2 .name");
    await element.submit({ username: "12345otp", password: "asdfg" });
    await element.waitForState("awaitingInteraction");
    await check("[part=provider]");
  }
  expect(broken).toEqual([]);
});
