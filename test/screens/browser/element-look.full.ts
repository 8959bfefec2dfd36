import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import type { Path } from "ventanilla/testing";
import { describe, expect } from "vitest";
import { violationsIn } from "./axe.ts";
import { test } from "./element-page.ts";
import { stepPaths } from "./element-steps.ts";

const themes = await readFile(new URL("../../../docs/examples/element/themes.css", import.meta.url), "utf8");
const card = (page: Page) => page.locator("bank-login section");
/** The names of the motions that begin from now on, the spinner's left out. */
const watchMotions = (page: Page) =>
  page.locator("bank-login").evaluateHandle(({ shadowRoot }) => {
    const names: string[] = [];
    shadowRoot?.addEventListener("animationstart", (event) => {
      const { animationName } = event as AnimationEvent;
      if (animationName !== "turn") names.push(animationName);
    });
    return { names, shadowRoot };
  });
type Motions = Awaited<ReturnType<typeof watchMotions>>;
/** Those that the styles of now have begun: on a busy machine one begins many frames later. Its event comes with a frame. */
const readMotions = (motions: Motions) =>
  motions.evaluate(async ({ names, shadowRoot }) => {
    await Promise.allSettled((shadowRoot?.getAnimations() ?? []).map(({ ready }) => ready));
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
    return names.splice(0);
  });

test.for(["light", "dark"] as const)(
  "the face of a bank has a contrast of 4.5 to 1 in each of its 360 colours (%s)",
  async (colorScheme, { element, page }) => {
    await page.addStyleTag({ content: ":root { color-scheme: light dark }" });
    await page.emulateMedia({ colorScheme });
    await element.show();
    const contrasts = await page
      .locator("[data-choice] .logo")
      .first()
      .evaluate((face: HTMLElement) => {
        const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
        if (!canvas) throw new Error("There is no canvas.");
        const readLuminance = (color: string) => {
          canvas.fillStyle = color;
          canvas.fillRect(0, 0, 1, 1);
          const [red = 0, green = 0, blue = 0] = Array.from(canvas.getImageData(0, 0, 1, 1).data, (byte) => {
            const part = byte / 255;
            return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
          });
          return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
        };
        return Array.from({ length: 360 }, (_, hue) => {
          face.style.setProperty("--hue", String(hue));
          const { color, backgroundColor } = getComputedStyle(face);
          const [dark = 0, light = 0] = [readLuminance(color), readLuminance(backgroundColor)].sort();
          return (light + 0.05) / (dark + 0.05);
        });
      });
    expect(Math.min(...contrasts)).toBeGreaterThanOrEqual(4.5);
    // Each hue was drawn.
    expect(new Set(contrasts).size).toBeGreaterThan(100);
  },
);

test("the search stays in sight while the page scrolls through the banks, over the whole row", async ({
  element,
  page,
}) => {
  await page.setViewportSize({ width: 375, height: 500 });
  await element.show();
  await page.locator("[data-choice]").last().scrollIntoViewIfNeeded();
  const search = await page.locator(".filters").boundingBox();
  expect(search?.y).toBeGreaterThanOrEqual(0);
  expect(search?.y).toBeLessThan(20);
  const row = await page.locator(".banks li").last().boundingBox();
  expect(search?.width).toBeGreaterThan((row?.width ?? Number.POSITIVE_INFINITY) - 20);
});

test.for(["light", "dark"] as const)(
  "under the mouse the button shows the wait as elsewhere (%s)",
  async (colorScheme, { element, page }) => {
    await page.addStyleTag({ content: ":root { color-scheme: light dark }" });
    await page.emulateMedia({ colorScheme });
    await element.showForm("test");
    await element.fill({ username: "12345otp", password: "asdfg" });
    await element.setLatency(Number.POSITIVE_INFINITY);
    await page.locator("button.primary").click();
    await element.waitForState("submitting");
    const read = () => page.locator("button.primary").evaluate((button) => getComputedStyle(button).backgroundColor);
    // For a moment after the click the button ignores the mouse. Without another movement it would take ten seconds to notice it again.
    await page.locator("button.primary").hover();
    await page.locator("button.primary:hover").waitFor();
    const under = await read();
    await page.mouse.move(0, 0);
    expect(under).toBe(await read());
    await element.setLatency(0);
    await element.waitForState("awaitingInteraction");
  },
);

test("the country leaves the search most of the row, and names itself until one is chosen", async ({
  element,
  page,
}) => {
  await page.setViewportSize({ width: 375, height: 700 });
  await element.show();
  const country = page.getByLabel("Country");
  const readWidths = () =>
    page.locator(".filters").evaluate((row) => Array.from(row.children, (part) => part.getBoundingClientRect().width));
  const readShown = () => country.evaluate((select: HTMLSelectElement) => select.selectedOptions[0]?.label);
  const [search = 0, chip = 0] = await readWidths();
  expect(search).toBeGreaterThan(chip * 1.5);
  expect(await readShown()).toBe("Country");
  await country.selectOption({ label: "Peru" });
  expect(await readShown()).toBe("Peru");
  expect(await country.locator("option").first().innerText()).toBe("All countries");
});

describe("a step", () => {
  test("comes with a short motion, which the form that stays does not repeat", async ({ element, page }) => {
    await page.emulateMedia({ reducedMotion: "no-preference" });
    await element.show();
    await element.waitForState("choosingProvider");
    const motions = await watchMotions(page);
    await element.choose("test");
    await element.waitForState("idle");
    expect(await readMotions(motions)).toContain("enter");
    await element.submit({ username: "12345", password: "wrong" });
    await element.waitForState("failed");
    expect(await readMotions(motions)).toEqual([]);
  });

  test("comes without motion for people who want less", async ({ element, page }) => {
    await element.show();
    await element.waitForState("choosingProvider");
    const motions = await watchMotions(page);
    await element.choose("test");
    await element.waitForState("idle");
    expect(await readMotions(motions)).toEqual([]);
  });
});

test("with forced colours the main button is filled", async ({ element, page }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await element.show();
  await element.logIn("test", "12345otp", "asdfg");
  await element.waitForState("awaitingInteraction");
  const read = (selector: string) => page.locator(selector).evaluate((part) => getComputedStyle(part).backgroundColor);
  expect(await read("button.primary")).not.toBe(await read("section"));
  expect(await read("button.primary")).not.toBe(await read("[data-verb=cancelLink]"));
});

test("the lines of a title break outside of the bank's name", async ({ element, page }) => {
  await page.setViewportSize({ width: 375, height: 800 });
  await element.showForm("faro_uy");
  const lines = await page
    .locator("h2 span")
    .last()
    .evaluate((name) => [name.textContent, name.getClientRects().length, (name as HTMLElement).offsetHeight]);
  expect(lines).toEqual(["Banco Faro", 1, expect.any(Number)]);
  expect(lines[2]).toBeLessThan(30);
});

test.for(["ledger", "mandarina"])(
  "axe finds nothing in the colours of the theme %s, light and dark",
  async (name, { element, page }) => {
    await page.addStyleTag({
      content: `:root { color-scheme: light dark } ${themes}`,
    });
    for (const step of ["choosingProvider", "failed", "awaitingInteraction", "linked"]) {
      await element.showEnd(stepPaths.get(step) as Path);
      await page.locator("bank-login").evaluate((shown, name) => shown.classList.add(name), name);
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await violationsIn(page, "bank-login", "colours"), `${step}, ${colorScheme}`).toEqual([]);
      }
    }
  },
);

test("a page sets colour, corners, letters and distances", async ({ element, page }) => {
  await page.addStyleTag({
    content: `bank-login { --bank-login-accent: #00695c; --bank-login-radius: 2px; --bank-login-font: serif; --bank-login-spacing: 20px }`,
  });
  await element.showForm("test");
  const button = page.locator("button.primary");
  const look = await button.evaluate((shown) => {
    const { backgroundColor, borderRadius, fontFamily } = getComputedStyle(shown);
    return { backgroundColor, borderRadius, fontFamily };
  });
  expect(look).toEqual({ backgroundColor: "rgb(0, 105, 92)", borderRadius: "2px", fontFamily: "serif" });
  expect(await card(page).evaluate((shown) => getComputedStyle(shown).rowGap)).toBe("20px");
});
