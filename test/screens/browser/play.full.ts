import { expect } from "vitest";
import { logInUntilQuestion, servePlayground } from "./play.ts";
import { testLogin } from "./play-login.ts";
import { test } from "./screen-page.ts";
import { layoutFaults, windowSizes } from "./viewer-layout.ts";
import { setUpServer } from "./vite.ts";

const playground = setUpServer(servePlayground);

testLogin("dark");

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
