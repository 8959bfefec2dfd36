import { afterAll, beforeAll, expect, test } from "vitest";
import { violationsIn } from "./axe.ts";
import { openPage } from "./page.ts";
import { logInAsFarAsTheQuestion, servePlayground } from "./play.ts";
import { layoutFaults } from "./viewer-layout.ts";

let served: Awaited<ReturnType<typeof servePlayground>>;
beforeAll(async () => {
  served = await servePlayground();
});
afterAll(() => served.close());

test.each(["light", "dark"] as const)(
  "the playground shows a login and its statechart side by side, %s",
  async (colorScheme) => {
    const { page, complaints } = await openPage(served.url, { colorScheme });
    const addresses: string[] = [];
    page.on("request", (request) => addresses.push(request.url()));
    await logInAsFarAsTheQuestion(page);
    const viewer = page.frameLocator("iframe");
    const state = viewer.locator("#state");
    await expect.poll(() => state.innerText()).toContain("awaitingInteraction");
    expect(await violationsIn(page)).toEqual([]);
    await page.locator('[name="otp"]').fill("8888");
    await page.locator('[data-verb="answer"]').press("Enter");
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

test("the playground fits phones, tablets and desktops, and its viewer never scrolls the login away", async () => {
  const { page } = await openPage(served.url, { viewport: { width: 375, height: 812 } });
  await logInAsFarAsTheQuestion(page);
  const viewer = page.frame({ url: /viewer\.html$/ });
  if (!viewer) throw new Error("The playground has no viewer.");
  await viewer.locator("#state", { hasText: "login: awaitingInteraction" }).waitFor();
  for (const [width, height] of [
    [375, 812],
    [768, 1024],
    [1280, 800],
    [1440, 900],
    [1920, 1080],
  ] as const) {
    await page.setViewportSize({ width, height });
    expect(await layoutFaults(viewer), `the viewer at ${width}`).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth), `the page at ${width}`).toBe(width);
  }
  await page.setViewportSize({ width: 375, height: 812 });
  await page.evaluate(() => scrollTo(0, 0));
  for (const key of ["Home", "End"]) {
    await viewer.evaluate((name) => document.dispatchEvent(new KeyboardEvent("keydown", { key: name })), key);
    expect(await layoutFaults(viewer), key).toEqual([]);
  }
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await page.close();
});
