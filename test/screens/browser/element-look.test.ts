import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import type { BankLogin } from "ventanilla/element";
import type { Path } from "ventanilla/testing";
import { describe, expect } from "vitest";
import { toInitials } from "../../../src/screens/element/bank-face.ts";
import { violationsIn } from "./axe.ts";
import { test } from "./element-page.ts";
import { stepPaths } from "./element-steps.ts";

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

describe("the face of a bank", () => {
  test.for([
    // Legal forms are no initials.
    ["Banco Bradesco S.A.", "bradesco_br", "Br"],
    ["Nu Pagamentos S.A. (Nubank)", "nubank_br", "Nu"],
    ["Grupo Financiero Banorte, S.A.B. de C.V.", "banorte_mx", "Ba"],
    ["Cooperativa Andina, S. de R.L.", "andina_mx", "An"],
    ["Scotiabank Perú S.A.A.", "scotia_pe", "SP"],
    // A short code is what people call the bank.
    ["Banco República Oriental del Uruguay", "brou_uy", "BROU"],
    ["Banco de Crédito del Perú Empresas", "bcp_corp_pe", "BCP"],
    ["Banco do Brasil", "bb_br", "BB"],
    ["Itaú Unibanco S.A.", "itau_br", "Itaú"],
    ["Banco Faro", "faro_uy", "Faro"],
    // One that has nothing to do with the name is not.
    ["Banco de prueba", "test", "Pr"],
    // A name that says what the bank is, is known by its initials.
    ["Caixa Econômica Federal", "caixa_br", "CEF"],
    ["Banco de la Nación Argentina", "nacion_ar", "BNA"],
    ["Banco Santander México", "santander_mx", "SM"],
    ["BROU Personas", "", "BROU"],
    ["Itaú", "", "It"],
    ["Ñandutí Banco", "", "Ña"],
    ["Banco", "", "Ba"],
    ["N26", "", "N26"],
    ["365", "", ""],
    ["", "", ""],
  ])("of %j with the code %j has the letters %j", ([name = "", code, initials]) => {
    expect(toInitials(name, code)).toBe(initials);
  });

  test("is the page's own logo, if it has one", async ({ element, page }) => {
    await element.show();
    const source = await page.locator("bank-login").evaluate(async (shown: BankLogin) => {
      shown.logos = { faro_uy: "/logos/faro.svg" };
      await shown.updateComplete;
      return shown.shadowRoot?.querySelector<HTMLImageElement>('[data-choice="faro_uy"] img')?.src;
    });
    expect(new URL(source ?? "").pathname).toBe("/logos/faro.svg");
    element.consoleErrors.length = 0;
  });

  test("tells the banks of the sandbox apart", async ({ element, page }) => {
    await element.show();
    const faces = await page
      .locator("[data-choice] .logo")
      .evaluateAll((all) =>
        all.map((face) => `${face.textContent?.trim()} ${(face as HTMLElement).style.getPropertyValue("--hue")}`),
      );
    expect(faces.length).toBeGreaterThan(10);
    expect(new Set(faces).size).toBe(faces.length);
  });

  test.for(["light", "dark"] as const)(
    "has a contrast of 4.5 to 1 in each of its 360 colours (%s)",
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
});

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

describe("what was sent", () => {
  test("stays as dots during the request, and is gone when it has ended", async ({ element, page }) => {
    await element.showForm("test");
    await element.fill({ username: "12345otp", password: "wrong" });
    await element.pressNamed("Show: Password");
    await element.setLatency(Number.POSITIVE_INFINITY);
    await element.press("submit");
    await element.waitForStep("submitting");
    const password = page.locator('[name="password"]');
    const read = () => password.evaluate(({ type, value }: HTMLInputElement) => [type, value.length]);
    expect(await read()).toEqual(["password", 5]);
    expect(await password.isDisabled()).toBe(true);
    await element.setLatency(0);
    await element.waitForStep("failed");
    expect(await read()).toEqual(["password", 0]);
    await element.submit({ password: "asdfg" });
    await element.waitForStep("answering");
    await element.setLatency(Number.POSITIVE_INFINITY);
    await element.answer("1111");
    await element.waitForStep("submitting");
    expect(await element.valueOf("otp")).toBe("1111");
    await element.press("cancel");
    await element.waitForStep("enteringCredentials");
    expect(await read()).toEqual(["password", 0]);
  });
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
    await element.waitForStep("submitting");
    const read = () => page.locator("button.primary").evaluate((button) => getComputedStyle(button).backgroundColor);
    // For a moment after the click the button ignores the mouse. Without another movement it would take ten seconds to notice it again.
    await page.locator("button.primary").hover();
    await page.locator("button.primary:hover").waitFor();
    const under = await read();
    await page.mouse.move(0, 0);
    expect(under).toBe(await read());
    await element.setLatency(0);
    await element.waitForStep("answering");
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

describe("before the password", () => {
  test("a line says who gets it and how", async ({ element, page }) => {
    await element.showForm("test");
    const note = page.getByText("Your details go encrypted to this site and its partner that logs you in.");
    const isBefore = await note.evaluate(
      (note) =>
        (note.getRootNode() as ShadowRoot).querySelector('[name="password"]')?.compareDocumentPosition(note) ===
        Node.DOCUMENT_POSITION_PRECEDING,
    );
    expect(isBefore).toBe(true);
    await element.submit({ username: "12345otp", password: "asdfg" });
    await element.waitForStep("answering");
    expect(await note.count()).toBe(0);
  });

  test("the line is in the page's own words, or not there", async ({ element, page }) => {
    await element.showForm("test");
    const setPrivacy = (privacy: string) =>
      page.locator("bank-login").evaluate((shown: BankLogin, privacy) => {
        shown.texts = { component: { privacy } };
        return shown.updateComplete;
      }, privacy);
    await setPrivacy("Mandarina logs in for you.");
    expect(await page.getByText("Mandarina logs in for you.").count()).toBe(1);
    await setPrivacy("");
    expect(await page.locator("[part=privacy]").count()).toBe(0);
  });
});

test("a login that was closed has a sign and a sentence, and begins again", async ({ element, page }) => {
  await element.show();
  await element.press("cancelLink");
  await element.waitForStep("cancelled");
  expect(await page.locator(".message.closed svg").count()).toBe(1);
  expect(await page.locator(".message.closed").innerText()).toBe(
    "You closed the login before it was complete. To connect your bank, start again.",
  );
  await element.press("again");
  await element.waitForStep("choosingProvider");
});

describe("a step", () => {
  test("comes with a short motion, which the form that stays does not repeat", async ({ element, page }) => {
    await page.emulateMedia({ reducedMotion: "no-preference" });
    await element.show();
    await element.waitForStep("choosingProvider");
    const motions = await watchMotions(page);
    await element.choose("test");
    await element.waitForStep("enteringCredentials");
    expect(await readMotions(motions)).toContain("enter");
    await element.submit({ username: "12345", password: "wrong" });
    await element.waitForStep("failed");
    expect(await readMotions(motions)).toEqual([]);
  });

  test("comes without motion for people who want less", async ({ element, page }) => {
    await element.show();
    await element.waitForStep("choosingProvider");
    const motions = await watchMotions(page);
    await element.choose("test");
    await element.waitForStep("enteringCredentials");
    expect(await readMotions(motions)).toEqual([]);
  });
});

test("with forced colours the main button is filled", async ({ element, page }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await element.show();
  await element.logIn("test", "12345otp", "asdfg");
  await element.waitForStep("answering");
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

const read = (path: string) => readFile(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), "utf8");

test("docs/element.md names each custom property", async () => {
  const [page, theme] = await Promise.all(["docs/element.md", "src/screens/element/styles/theme.ts"].map(read));
  const properties = [...(theme ?? "").matchAll(/var\(--bank-login-([\w-]+)/g)].map(([, name]) => name);
  expect(properties.length).toBeGreaterThan(10);
  expect(properties.filter((name) => !page?.includes(`-${name}\``))).toEqual([]);
});

test.for(["ledger", "mandarina"])(
  "axe finds nothing in the colours of the theme %s, light and dark",
  async (name, { element, page }) => {
    await page.addStyleTag({
      content: `:root { color-scheme: light dark } ${await read("docs/examples/element/themes.css")}`,
    });
    for (const step of ["choosingProvider", "failed", "answering", "linked"]) {
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
