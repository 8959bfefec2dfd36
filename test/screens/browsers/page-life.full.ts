import { describe, expect, test } from "vitest";
import { type BankPage, inEachBrowser } from "./bank-page.ts";

const SUBMIT = '[data-verb="submit"]';
const CODE = 'form input[name="otp"]';

/** What a person types next must arrive in the field. */
async function expectTyping(page: BankPage, field: string, text: string): Promise<void> {
  await expect.poll(() => page.readFocus()).toBe(`input ${field}`);
  await page.type(text);
  expect(await page.readValue(`[name="${field}"]`)).toBe(text);
}

async function leaveAndGoBack(page: BankPage): Promise<void> {
  await page.leave();
  await page.traverse(-1);
  expect(await page.isRestored()).toBe(true);
}

inEachBrowser((open) => {
  describe("after Back from another site", () => {
    test("a revealed password is gone, and all else that was typed", async () => {
      const page = await open();
      await page.fillIn("test", "12345", "gfdsa");
      await page.click(".reveal");
      const readType = () =>
        page.evaluate(
          () =>
            document.querySelector("bank-login")?.shadowRoot?.querySelector<HTMLInputElement>("[name=password]")?.type,
        );
      await expect.poll(readType).toBe("text");
      await leaveAndGoBack(page);
      expect(await page.readStep()).toBe("idle");
      await expect.poll(readType).toBe("password");
      expect(await page.readValue("[name=password]")).toBe("");
      expect(await page.readValue("[name=username]")).toBe("");
    });

    test("a code that was typed is gone, and the question can be answered", async () => {
      const page = await open();
      await page.fillIn("test", "12345otp", "asdfg");
      await page.click(SUBMIT);
      await page.waitForState("awaitingInteraction");
      await page.fill("otp", "88");
      await leaveAndGoBack(page);
      expect(await page.readValue(CODE)).toBe("");
      await page.fill("otp", "8888");
      await page.press("Enter");
      await page.waitForState("linked");
      expect(page.site.countLogins()).toBe(2);
    });

    test("a finished login offers a way on", async () => {
      const page = await open();
      await page.fillIn("test", "12345", "gfdsa");
      await page.click(SUBMIT);
      await page.waitForState("linked");
      await leaveAndGoBack(page);
      await expect.poll(() => page.readText()).not.toContain("can continue now");
      const countButtons = () =>
        page.evaluate(
          () => document.querySelector("bank-login")?.shadowRoot?.querySelectorAll("button:enabled").length ?? 0,
        );
      await expect.poll(countButtons).toBeGreaterThan(0);
      expect(page.site.countLogins()).toBe(1);
    });
  });

  describe.each([
    ["a click", 1],
    ["a double click", 2],
  ])("after %s a person goes on typing", (_, times) => {
    test.each([
      ["", false],
      [", with buttons that take no focus", true],
    ])("on a bank, on Log in and on Confirm%s", async (_, isSafari) => {
      // Far down in the list: the form is shorter, and what lies below it is the page's own.
      const page = await open();
      if (isSafari) await page.clickAsSafari();
      await page.click('[data-choice="quetzal_mx"]', times);
      await page.waitForState("idle");
      await expectTyping(page, "username", "otp");
      await page.press("Tab");
      await page.type("s3creto");
      await page.click(SUBMIT, times);
      await page.waitForState("awaitingInteraction");
      await expectTyping(page, "otp", "1");
      await page.click('[data-verb="answer"]', times);
      await expect.poll(() => page.site.countLogins()).toBe(2);
      await page.waitForState("awaitingInteraction");
      await expectTyping(page, "otp", "975310");
      await page.press("Enter");
      await page.waitForState("linked");
      expect(page.site.countLogins()).toBe(3);
    });

    test("while the bank takes its time", async () => {
      const page = await open('provider="test"');
      await page.fill("username", "12345otp");
      await page.fill("password", "asdfg");
      const respond = page.site.hold();
      await page.click(SUBMIT, times);
      await expect.poll(() => page.site.countLogins()).toBe(1);
      respond();
      await page.waitForState("awaitingInteraction");
      await expectTyping(page, "otp", "8888");
    });
  });

  test("after Enter a person goes on typing", async () => {
    const page = await open('provider="test"');
    await page.fill("username", "12345otp");
    await page.fill("password", "asdfg");
    await page.press("Enter");
    await page.waitForState("awaitingInteraction");
    await expectTyping(page, "otp", "8888");
  });

  test.each([
    ["a click", (page: BankPage) => page.click(SUBMIT)],
    ["Enter", (page: BankPage) => page.press("Enter")],
  ])("after %s, with another window in front while the bank answers, a person goes on typing", async (_, submit) => {
    const page = await open('provider="test"');
    await page.fill("username", "12345otp");
    await page.fill("password", "asdfg");
    const respond = page.site.hold();
    await submit(page);
    await expect.poll(() => page.site.countLogins()).toBe(1);
    const close = await page.openOtherWindow();
    respond();
    await page.waitForState("awaitingInteraction");
    await close();
    await expectTyping(page, "otp", "8888");
  });

  test("the Tab key goes from the country to the first bank: the list is no stop of its own", async () => {
    const page = await open();
    await page.click("#search");
    await page.press("Tab");
    await page.press("Tab");
    expect(await page.readFocus()).toBe("button canal_pa");
  });
});
