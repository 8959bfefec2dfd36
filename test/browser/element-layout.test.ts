import type { Page } from "playwright-core";
import type { Fault } from "ventanilla/testing";
import { describe, expect } from "vitest";
import { type ElementPage, test } from "./element-page.ts";

const WIDTHS = [375, 1280];

const logins = {
  quetzal_mx: { values: { username: "otp", password: "s3creto" }, answer: "975310" },
  puente_co: { values: { username: "local", password: "s3creto", country_code: "CO", type: "cc" } },
  ceibo_ar: { values: { username: "group", password: "s3creto", type: "corp" }, answer: "246802", client: "0" },
} as const;

/** Fills the form in and sends it. */
async function send({ page }: ElementPage, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(values)) {
    const field = page.locator(`[name="${name}"]`);
    if ((await field.evaluate(({ tagName }) => tagName)) === "SELECT") await field.selectOption(value);
    else await field.fill(value);
  }
  await page.locator('[data-verb="submit"]').press("Enter");
}

async function answer({ page }: ElementPage, text: string): Promise<void> {
  await page.locator("bank-login form input").fill(text);
  await page.locator('[data-verb="answer"]').press("Enter");
}

describe.each(WIDTHS)("%i pixels wide", (width) => {
  test.beforeEach(({ page }) => page.setViewportSize({ width, height: 800 }));

  test.for(Object.entries(logins))(
    "the card of %s keeps its height from the form to the session",
    async ([provider, login], { element, page }) => {
      const { values, answer: right, client } = { answer: undefined, client: undefined, ...login };
      await element.show(
        { clientSelection: true },
        [],
        [{ action: { type: "choose", value: "0" }, sentence: "a client is chosen", expected: "linked" }],
      );
      await element.choose(provider);
      await element.step("enteringCredentials");
      await page.evaluate(() => {
        // Each wait lasts long enough to be drawn.
        window.latency = 100;
        const heights: number[] = [];
        Object.assign(window, { heights });
        const card = document.querySelector("bank-login")?.shadowRoot?.querySelector("section");
        if (card) new ResizeObserver(() => heights.push(card.offsetHeight)).observe(card);
      });
      await send(element, { ...values, password: "wrong" });
      await element.step("failed");
      await send(element, { password: values.password });
      if (right) {
        await element.step("answering");
        await answer(element, right);
      }
      if (client) await element.choose(client);
      await element.step("linked");
      expect(await page.evaluate(() => (window as unknown as { heights: number[] }).heights)).toHaveLength(1);
    },
  );

  test("a failure of many lines moves no form, however long", async ({ element, page }) => {
    const body = { status: "error", message: "Invalid key" };
    await element.show({}, [...longNames, { request: "GET /transfer/destinations", number: 1, what: { body } }]);
    await element.choose("test");
    await element.step("enteringCredentials");
    const before = await controlPositions(page);
    await send(element, { username: "12345", password: "wrong" });
    await element.step("failed");
    expect(await controlPositions(page)).toEqual(before);
    // A wait that is long enough to be looked at on a busy machine.
    const takeTime = (latency: number) =>
      page.evaluate((milliseconds) => void Object.assign(window, { latency: milliseconds }), latency);
    await takeTime(3000);
    await send(element, { password: "gfdsa" });
    await element.step("submitting");
    expect(await controlPositions(page)).toEqual(before);
    await takeTime(0);
    await element.step("failed");
    expect(await page.getByRole("alert").evaluate((alert) => (alert as HTMLElement).offsetHeight)).toBeGreaterThan(
      4 * 24,
    );
    expect(await controlPositions(page)).toEqual(before);
  });

  test("a code that is asked again stays where it was", async ({ element, page }) => {
    await element.show();
    await element.choose("quetzal_mx");
    await send(element, logins.quetzal_mx.values);
    await element.step("answering");
    const before = await controlPositions(page);
    await answer(element, "000000");
    await page.getByRole("alert").waitFor();
    expect(await controlPositions(page)).toEqual(before);
  });
});

/** Where the controls of the form stand in the card, from the form to what it waits for and what it is told. */
const controlPositions = (page: Page) =>
  page.locator("bank-login").evaluate((element) => {
    const card = element.shadowRoot?.querySelector("section");
    const top = card?.getBoundingClientRect().top ?? 0;
    return Array.from(card?.querySelectorAll("form :is(input, select, button[type=submit])") ?? [], (control) =>
      Math.round(control.getBoundingClientRect().top - top),
    );
  });

const longName = "Banco Cooperativo de Ahorro y Crédito Interprovincial-Agropecuario-Industrial del Noroeste S.A.";
const longNames: Fault[] = [
  {
    request: "GET /provider/",
    what: { body: { status: "success", providers: [{ code: "test", country: "UY", name: longName }] } },
  },
  {
    request: "GET /provider/{code}/",
    what: {
      body: {
        status: "success",
        provider: {
          name: longName,
          country: "UY",
          account_type: [],
          auth_fields: [
            { name: "username", type: "text", interactive: false, optional: false, label_en: "User name" },
            { name: "password", type: "password", interactive: false, optional: false, label_en: "Password" },
          ],
        },
      },
    },
  },
];

test("the longest name of a bank fits, and leaves the way back and the way out where they are", async ({
  element,
  page,
}) => {
  await page.setViewportSize({ width: 375, height: 800 });
  await element.show({}, longNames);
  await element.choose("test");
  await element.step("enteringCredentials");
  const overflowing = await page
    .locator("bank-login section, bank-login section *")
    .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 1).length);
  expect(overflowing).toBe(0);
  for (const verb of ["changeProvider", "cancelLink"]) {
    expect((await page.locator(`[data-verb="${verb}"]`).boundingBox())?.width).toBe(48);
  }
});
