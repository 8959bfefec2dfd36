import type { Page } from "playwright-core";
import type { BankLogin } from "ventanilla/element";
import { describe, expect } from "vitest";
import { violationsIn } from "./axe.ts";
import { test } from "./element-page.ts";

const readBox = (page: Page, selector: string) =>
  page
    .locator(selector)
    .last()
    .evaluate((part) => {
      const { top, bottom, height } = part.getBoundingClientRect();
      return { top, bottom, height };
    });

// What a keyboard leaves of a phone of 844 pixels.
const ABOVE_KEYBOARD = 508;

describe("on a phone", () => {
  test.beforeEach(({ page }) => page.setViewportSize({ width: 390, height: 844 }));

  test.for(["en", "es", "pt"])(
    "the main button follows the fields, above the keyboard (%s)",
    async (locale, { element, page }) => {
      await element.showForm("test");
      await page.evaluate((locale) => void Object.assign(document.documentElement, { lang: locale }), locale);
      const field = await readBox(page, "form input");
      const button = await readBox(page, "form [type=submit]");
      // A line for what is wrong with the field is kept free.
      expect(button.top - field.bottom).toBeLessThanOrEqual(32);
      expect(button.bottom).toBeLessThanOrEqual(ABOVE_KEYBOARD);
    },
  );

  test("a failure stands above the fields, once", async ({ element, page }) => {
    await element.showForm("test");
    await element.submit({ username: "12345", password: "wrong" });
    await element.waitForState("failed");
    expect(await page.getByRole("alert").count()).toBe(1);
    expect((await readBox(page, ".failure")).bottom).toBeLessThan((await readBox(page, "form .label")).top);
  });

  test("the header is one line of 56 pixels, with the × on its middle, and the country beside the search", async ({
    element,
    page,
  }) => {
    await element.show();
    await element.waitForState("choosingProvider");
    const middle = ({ top, height }: { top: number; height: number }) => Math.round(top + height / 2);
    const header = await readBox(page, "header");
    expect(Math.round(header.height)).toBeLessThanOrEqual(57);
    const line = header.top + 28;
    for (const part of ["h2", "[data-verb=cancelLink]"]) {
      expect(Math.abs(middle(await readBox(page, part)) - line)).toBeLessThanOrEqual(1);
    }
    expect(middle(await readBox(page, "#country"))).toBe(middle(await readBox(page, "#search")));
  });
});

test("with letters of 200 % no step is empty for 700 pixels", async ({ element, page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.addStyleTag({ content: ":root { font-size: 200% }" });
  await element.showForm("test");
  const button = await readBox(page, "form [type=submit]");
  const card = await readBox(page, "section");
  expect(card.bottom - button.bottom).toBeLessThan(300);
});

test("each field says what the Enter key of a phone does, and it does so", async ({ element, page }) => {
  await element.showForm("test");
  const hints = page
    .locator("form input")
    .evaluateAll((all) => all.map((one) => (one as HTMLInputElement).enterKeyHint));
  expect(await hints).toEqual(["next", "go"]);
  await page.locator('[name="username"]').fill("12345");
  await page.locator('[name="username"]').press("Enter");
  expect(await element.readFocus()).toBe("input#field-password.");
  expect(await page.locator("[aria-invalid=true]").count()).toBe(0);
  await page.keyboard.type("gfdsa");
  await page.keyboard.press("Enter");
  await element.waitForState("linked");
});

test("nothing shifts by itself from the form to a failure, a question and a repeated question", async ({
  element,
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await element.showForm("quetzal_mx");
  const shifts = await page.evaluateHandle(() => {
    const total = { value: 0 };
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) total.value += (entry as PerformanceEntry & { value: number }).value;
    }).observe({ type: "layout-shift" });
    return total;
  });
  // Longer than a shift is excused by a key press.
  await element.setLatency(600);
  await element.submit({ username: "otp", password: "wrong" });
  await element.waitForState("failed");
  await element.submit({ password: "s3creto" });
  await element.answer("000000");
  await page.getByRole("alert").waitFor();
  expect(await shifts.evaluate(({ value }) => value)).toBeLessThan(0.02);
});

describe("a bank in trouble", () => {
  const provider = { name: "Banco Faro", country: "UY", auth_fields: [{ name: "username", type: "text" }] };
  const answers = (body: object) => [{ request: "GET /provider/{code}/", what: { body } }] as const;
  const down = { prod: [{ endpoint: "/login/", status: "down" }] };

  test.for([
    [
      "es",
      "Este banco está en mantenimiento. Es posible que ahora no pueda ingresar.",
      { status: "under_maintenance", provider },
    ],
    ["es", "Este banco informa un problema. Es posible que ahora no pueda ingresar.", { status: "degraded", provider }],
    [
      "en",
      "This bank is not responding right now. The login will probably fail.",
      { status: "success", provider: { ...provider, endpoints_status: down } },
    ],
  ] as const)("has a warning (%s): %s", async ([locale, text, body], { element, page }) => {
    await page.evaluate((locale) => void Object.assign(document.documentElement, { lang: locale }), locale);
    await element.showForm("faro_uy", {}, answers(body));
    const warning = page.getByRole("note");
    expect(await warning.locator("p").innerText()).toBe(text);
    await warning.getByRole("button").press("Enter");
    await element.waitForState("choosingProvider");
  });
});

describe("a page that says who it is", () => {
  const set = (page: Page, properties: object) =>
    page.locator("bank-login").evaluate((shown: BankLogin, properties) => {
      Object.assign(shown, properties);
      return shown.updateComplete;
    }, properties);

  test("stands beside the bank in the header, and in the line on privacy, which describes the password", async ({
    element,
    page,
  }) => {
    await element.show();
    await set(page, { hostName: "Mandarina", hostLogo: "/mandarina.svg" });
    await element.choose("faro_uy");
    await element.waitForState("idle");
    expect(await page.getByRole("heading").innerText()).toBe("Mandarina\u00a0· Log in to\nBanco Faro");
    expect(await page.locator("header .logo").count()).toBe(2);
    expect(await page.locator("header img").first().getAttribute("src")).toMatch(/\/mandarina\.svg$/);
    const described = await page.locator('[name="password"]').getAttribute("aria-describedby");
    expect(await page.locator(`#${described} [part=privacy]`).innerText()).toBe(
      "Your details go encrypted to Mandarina and its partner that logs you in.\nThis page keeps none of them.",
    );
    // A failure is in its place.
    await element.submit({ username: "plain", password: "wrong" });
    await element.waitForState("failed");
    expect(await page.locator("#notes").getByRole("alert").innerText()).toContain("is not right");
    expect(await page.locator('[name="password"]').getAttribute("aria-describedby")).toBe(described);
    element.consoleErrors.length = 0;
  });

  test.for([
    ["with continue-url the end has a button to it", "/next", 1],
    ["a script is no address to go on at", "javascript:alert(1)", 0],
  ] as const)("%s", async ([, continueUrl, count], { element, page }) => {
    await element.show();
    await set(page, { continueUrl });
    await element.logIn("test", "12345", "gfdsa");
    await element.waitForState("linked");
    expect(await page.getByRole("link", { name: "Continue" }).count()).toBe(count);
  });

  test("shows where to get a new password at this bank, and at no other", async ({ element, page }) => {
    await element.show();
    await set(page, { passwordHelp: { faro_uy: "https://faro.example/help" } });
    const link = page.getByRole("link", { name: "Forgot your password? Go to your bank" });
    await element.choose("test");
    await element.waitForState("idle");
    expect(await link.count()).toBe(0);
    await element.press("changeProvider");
    await element.choose("faro_uy");
    await element.waitForState("idle");
    expect(await link.evaluate((a: HTMLAnchorElement) => [a.href, a.target, a.rel])).toEqual([
      "https://faro.example/help",
      "_blank",
      "noopener noreferrer",
    ]);
  });

  test.for([
    ["en", "faro_uy", "Go to your bank", 1],
    ["es", "faro_uy", "Ir a su banco", 1],
    ["pt", "faro_uy", "Ir ao banco", 1],
    ["en", "test", "Go to your bank", 0],
  ] as const)(
    "shows it to a user whom the bank has locked, in %s, if it is that of %s",
    async ([locale, code, name, count], { element, page }) => {
      await element.show();
      await set(page, { locale, passwordHelp: { [code]: "https://bank.example/help" } });
      await element.logIn("faro_uy", "blocked", "s3creto");
      await element.waitForState("failed");
      const links = await page.getByRole("link", { name, exact: true }).all();
      const shown = links.map((link) => link.evaluate((a: HTMLAnchorElement) => [a.href, a.target]));
      expect(await Promise.all(shown)).toEqual(Array(count).fill(["https://bank.example/help", "_blank"]));
      expect(await violationsIn(page, "bank-login")).toEqual([]);
    },
  );
});

test("a wait says what happens, in three steps, in the place of the line on privacy", async ({ element, page }) => {
  await element.showForm("test");
  await element.setLatency(Number.POSITIVE_INFINITY);
  await element.submit({ username: "12345", password: "gfdsa" });
  await element.waitForState("submitting");
  expect(await page.locator("[part=progress] li").allInnerTexts()).toEqual([
    "Your details are on their way.",
    "The bank checks them.",
    "Then connected, or one more step.",
  ]);
  expect(await page.locator("[part=privacy]").count()).toBe(0);
});
