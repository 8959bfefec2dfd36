import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { BankPage } from "./bank-page.ts";
import { type Display, openDisplay } from "./display.ts";
import { browsersWithLogin } from "./saved-login.ts";
import { openSite, shopForm } from "./stage.ts";

/** The login of the shop that the page belongs to. */
const saved = { username: "ana@shop.example", password: "shop-password" };

describe.each(Object.entries(browsersWithLogin))("%s, with a login saved for the page's origin,", (_, openBrowser) => {
  let display: Display;
  beforeAll(async () => {
    display = await openDisplay();
  });
  afterAll(() => display?.close());

  /** The site in a browser that has saved its login, and proves it at the form of the shop. */
  async function open(attributes = "") {
    const site = await openSite(attributes, { hasProxy: false });
    const browser = await openBrowser(display, { origin: site.url, ...saved });
    onTestFinished(browser.close);
    const page = new BankPage(site, await browser.open(), display);
    await page.goto(`${site.url}/shop`);
    await expect.poll(() => readShop(page)).toEqual(Object.values(saved));
    await page.goto(site.url);
    await page.click('[data-choice="test"]');
    await page.waitForState("idle");
    return page;
  }

  const readShop = (page: BankPage) =>
    page.evaluate(() => [...document.querySelectorAll<HTMLInputElement>("#shop input")].map(({ value }) => value));
  const readBank = async (page: BankPage) => [
    await page.readValue("[name=username]"),
    await page.readValue("[name=password]"),
  ];

  test("the bank's form stays empty, and the bank gets what the person types", async () => {
    const page = await open();
    // A form that comes later is filled in: the browser has passed the bank's.
    await page.evaluate((form) => document.body.insertAdjacentHTML("beforeend", form), shopForm);
    await expect.poll(() => readShop(page)).toEqual(Object.values(saved));
    expect(await readBank(page)).toEqual(["", ""]);
    await page.fill("username", "12345");
    await page.fill("password", "gfdsa");
    await page.press("Enter");
    await page.waitForState("linked");
    expect(page.site.countLogins()).toBe(1);
  });

  test("an origin that serves bank logins alone may have it filled in", async () => {
    const page = await open("saved-logins");
    await expect.poll(() => readBank(page)).toEqual(Object.values(saved));
    expect(page.site.countLogins()).toBe(0);
  });
});
