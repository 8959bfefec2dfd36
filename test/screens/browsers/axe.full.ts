import { expect, test } from "vitest";
import { type BankPage, inEachBrowser } from "./bank-page.ts";

const SUBMIT = '[data-verb="submit"]';

inEachBrowser((open) => {
  test("axe finds nothing at any step, light or dark", async () => {
    const check = async (page: BankPage, step: string) => {
      await page.waitForState(step);
      await page.setColorScheme("light");
      expect(await page.findViolations(), step).toEqual([]);
      await page.setColorScheme("dark");
      expect(await page.findViolations("color-contrast"), `${step}, dark`).toEqual([]);
    };

    const page = await open();
    await check(page, "choosingProvider");
    await page.click('[data-choice="test"]');
    await page.waitForState("idle");
    await page.click(SUBMIT);
    await expect.poll(() => page.readValue("[aria-invalid=true]")).toBe("");
    await check(page, "idle");
    await page.fill("username", "12345otp");
    await page.fill("password", "wrong");
    await page.click(SUBMIT);
    await check(page, "failed");
    await page.fill("password", "asdfg");
    await page.click(".reveal");
    const respond = page.site.hold();
    await page.click(SUBMIT);
    await check(page, "submitting");
    respond();
    await check(page, "awaitingInteraction");
    await page.fill("otp", "8888");
    await page.press("Enter");
    await check(page, "linked");

    const picture = await open('provider="mirador_gt"');
    await picture.fill("username", "captcha");
    await picture.fill("password", "s3creto");
    await picture.press("Enter");
    await check(picture, "awaitingInteraction");

    const chooser = await open('provider="canal_pa" client-selection');
    await chooser.fill("username", "samekey");
    await chooser.fill("password", "s3creto");
    await chooser.fill("company_code", "7701");
    await chooser.press("Enter");
    await check(chooser, "selectClient");
  });
});
