import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openChromium } from "./chromium.ts";
import { openPage } from "./page.ts";
import { logInAsFarAsTheQuestion, servePlayground } from "./play.ts";

let browser: Browser;
let served: Awaited<ReturnType<typeof servePlayground>>;
beforeAll(async () => {
  browser = await openChromium();
  served = await servePlayground();
});
afterAll(() => Promise.all([browser.close(), served.close()]));

test.each(["light", "dark"] as const)(
  "the playground shows a login and its statechart side by side, %s",
  async (colorScheme) => {
    const { page, complaints } = await openPage(browser, served.url, { colorScheme });
    const addresses: string[] = [];
    page.on("request", (request) => addresses.push(request.url()));
    await logInAsFarAsTheQuestion(page);
    const viewer = page.frameLocator("iframe");
    const state = viewer.locator("#state");
    await expect.poll(() => state.innerText()).toContain("awaitingInteraction");
    await page.locator('[name="otp"]').fill("8888");
    await page.locator('[data-verb="answer"]').click();
    await page.locator('bank-login [data-step="linked"]').waitFor();
    await expect.poll(() => viewer.locator("#log").innerText()).toContain("interaction.answer");
    // Neither the log nor anything else in the viewer knows what was typed, and nobody was asked but this page.
    const shown = await viewer.locator("body").innerText();
    expect(shown).not.toMatch(/asdfg|8888|12345otp/);
    expect(complaints).toEqual([]);
    expect(addresses.filter((address) => !address.startsWith(served.url) && !address.startsWith("data:"))).toEqual([]);
    await page.close();
  },
);
