import { expect } from "vitest";
import { asWords } from "../../leaks/canaries.ts";
import { violationsIn } from "./axe.ts";
import { logInUntilQuestion, servePlayground } from "./play.ts";
import { test } from "./screen-page.ts";
import { layoutFaults, windowSizes } from "./viewer-layout.ts";
import { setUpServer } from "./vite.ts";

const playground = setUpServer(servePlayground);

test.for(["light", "dark"] as const)(
  "the playground shows a login and its statechart side by side, %s",
  async (colorScheme, { open }) => {
    const { url } = playground();
    const screen = await open(url, { colorScheme });
    const { page, consoleErrors } = screen;
    const addresses: string[] = [];
    page.on("request", (request) => addresses.push(request.url()));
    await logInUntilQuestion(screen);
    const viewer = page.frameLocator("iframe");
    await expect.poll(() => viewer.locator("#state").innerText()).toContain("awaitingInteraction");
    expect(await violationsIn(page)).toEqual([]);
    await screen.answer("8888");
    await screen.waitForStep("linked");
    await expect.poll(() => viewer.locator("#log").innerText()).toContain("interaction.answer");
    // The viewer shows nothing that was typed, and no request left the page.
    expect(await viewer.locator("body").innerText()).not.toMatch(asWords("asdfg", "8888", "12345otp"));
    expect(consoleErrors).toEqual([]);
    expect(addresses.filter((address) => !address.startsWith(url) && !address.startsWith("data:"))).toEqual([]);
  },
);

test("the playground fits phones, tablets and desktops, and its viewer never scrolls the login away", async ({
  open,
}) => {
  const screen = await open(playground().url, { viewport: { width: 375, height: 812 } });
  const { page } = screen;
  await logInUntilQuestion(screen);
  const viewer = page.frame({ url: /viewer\.html$/ });
  if (!viewer) throw new Error("The playground has no viewer.");
  await viewer.locator("#state", { hasText: "login: awaitingInteraction" }).waitFor();
  for (const [width, height] of windowSizes) {
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
});
