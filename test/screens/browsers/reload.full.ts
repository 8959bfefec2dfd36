import { expect, test } from "vitest";
import { type BankPage, inEachBrowser } from "./bank-page.ts";

const SUBMIT = '[data-verb="submit"]';

inEachBrowser((openPage) => {
  /** A page of a person whom the site knows. */
  async function open(): Promise<BankPage> {
    const page = await openPage("", true);
    await page.evaluate(() => void Object.assign(document, { cookie: "user=ana" }));
    return page;
  }

  async function reachQuestion(): Promise<BankPage> {
    const page = await open();
    await page.fillIn("test", "12345otp", "asdfg");
    await page.click(SUBMIT);
    await page.waitForState("awaitingInteraction");
    return page;
  }

  test("a reload before and after the login shows the list of banks", async () => {
    const page = await open();
    await page.fillIn("test", "12345", "gfdsa");
    await page.reload();
    await page.waitForState("choosingProvider");
    await page.fillIn("test", "12345", "gfdsa");
    await page.click(SUBMIT);
    await page.waitForState("linked");
    await page.reload();
    await page.waitForState("choosingProvider");
    expect(page.site.countLogins()).toBe(1);
  });

  test("the question shows after another site that was opened in its place", async () => {
    const page = await reachQuestion();
    await page.leave();
    await page.goto(page.site.url);
    await page.waitForState("awaitingInteraction");
    expect(await page.readText()).toContain("OTP required");
    await page.fill("otp", "8888");
    await page.press("Enter");
    await page.waitForState("linked");
    expect(page.site.countLogins()).toBe(2);
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
  });

  test("another user of the browser can't answer", async () => {
    const page = await reachQuestion();
    await page.evaluate(() => void Object.assign(document, { cookie: "user=eva" }));
    await page.reload();
    await page.waitForState("failed");
    expect(await page.readText()).not.toContain("OTP required");
    expect(page.site.countLogins()).toBe(1);
  });
});
