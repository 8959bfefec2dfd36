import type { Fault } from "ventanilla/testing";
import { describe, expect } from "vitest";
import { createPng, dataUrl, png } from "../api/pictures.ts";
import { violationsIn } from "./axe.ts";
import { type ElementPage, test } from "./element-page.ts";

/** A login of the sandbox's, at what it asks. */
async function ask(element: ElementPage, username: string, faults: readonly Fault[] = []): Promise<void> {
  await element.show({ provider: "mirador_gt" }, faults);
  await element.sendForm(username, "s3creto");
  await element.step("answering");
}

/** A login that asks with a text of its own. */
const askWith = (element: ElementPage, context: string) =>
  ask(element, "captcha", [{ request: "POST /login/", number: 1, what: { body: { ...interaction, context } } }]);
const interaction = { status: "interaction_required", key: "3f1c1a5e-7a1d-4f6e-9a39-6d7d5f0b7c11", field: "captcha" };

describe("a picture", () => {
  test.for([
    ["captcha", "7K4MP2", [230, 65]],
    ["card", "9WH3T", [156, 52]],
  ] as const)("shows at %s, with a text that stands for it", async ([username, answer, size], { element, page }) => {
    await ask(element, username);
    const image = page.getByRole("img", { name: "Picture from your bank with the characters to type" });
    await image.evaluate((img: HTMLImageElement) => img.decode());
    expect(await image.evaluate((img: HTMLImageElement) => [img.naturalWidth, img.naturalHeight])).toEqual(size);
    const field = page.getByLabel("Characters in the picture");
    expect(await field.evaluate((input: HTMLInputElement) => [input.autocomplete, input.spellcheck])).toEqual([
      "off",
      false,
    ]);
    await element.answer("Characters in the picture", answer);
    await element.step("linked");
    expect(element.complaints).toEqual([]);
  });

  test("that was answered wrongly is shown again", async ({ element, page }) => {
    await ask(element, "captcha");
    await element.answer("Characters in the picture", "ABCDEF");
    await page.getByRole("alert").getByText("Answers sent: 1.").waitFor();
    expect(await page.getByRole("img", { name: "Picture from your bank" }).count()).toBe(1);
  });

  test("grows with a click and with a key, and shrinks with the next one", async ({ element, page }) => {
    await ask(element, "captcha");
    const button = page.getByRole("button", { name: "Picture from your bank with the characters to type" });
    const width = () => button.locator("img").evaluate((img) => img.getBoundingClientRect().width);
    const small = await width();
    await button.click();
    expect(await width()).toBeGreaterThan(small * 1.3);
    expect(await button.getAttribute("aria-pressed")).toBe("true");
    await button.press("Enter");
    expect(await width()).toBe(small);
    await button.press(" ");
    expect(await width()).toBeGreaterThan(small * 1.3);
  });

  test("as wide as a photograph scrolls within its frame, and the page does not", async ({ element, page }) => {
    await askWith(element, createPng(2000, 1500));
    const button = page.getByRole("button", { name: "Picture from your bank" });
    for (const _ of [1, 2]) {
      const [content, visible] = await page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        return [scrollWidth, clientWidth];
      });
      expect(content).toBeLessThanOrEqual(visible ?? 0);
      await button.click();
    }
  });

  test.for([
    ["an SVG", `data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" onload="window.hacked=1"/>`],
    ["a PNG that unpacks to gigabytes", createPng(60_000, 60_000)],
    ["a picture of another type than it says", dataUrl("image/gif", png)],
  ] as const)("is not shown where it is %s: the person is told what to do", async ([, context], { element, page }) => {
    await askWith(element, context);
    await page.getByText("Your bank sent a picture that can't be shown. Cancel and log in again").waitFor();
    expect(await page.locator("bank-login img").count()).toBe(0);
    await element.press("Cancel");
    await element.step("enteringCredentials");
  });

  test.for([
    ["a page", "data:text/html,<script>window.hacked=1</script>"],
    ["a script", "javascript:window.hacked=1"],
    ["markup", "<img src=x onerror='window.hacked=1'><b>Type the code</b>"],
  ] as const)("is not made of %s: the text shows as it is", async ([, context], { element, page }) => {
    await askWith(element, context);
    expect(await page.locator("#question").innerText()).toBe(context);
    expect(await page.locator("bank-login .step :is(img, b, script, iframe)").count()).toBe(0);
    expect(await page.evaluate(() => "hacked" in window)).toBe(false);
  });
});

test("choices are a list of the bank's, and a code follows", async ({ element, page }) => {
  await ask(element, "channel");
  await page.getByLabel("Where the code goes").selectOption("Mobile phone");
  await element.press("Continue");
  await page.getByLabel("One-time code").fill("604812");
  await element.press("Continue");
  await element.step("linked");
});

test("a confirmation has nothing to type in, and a keyboard confirms nothing by itself", async ({ element, page }) => {
  await ask(element, "confirm");
  await page.getByText("Confirme el ingreso en la app de Banco Mirador").waitFor();
  expect(await page.locator("bank-login :is(input, select):visible").count()).toBe(0);
  expect(await page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.tagName)).toBe("H2");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "I have confirmed" }).press("Enter");
  await element.step("linked");
  const logins = await page.evaluate(() => window.requests.filter((sent) => sent === "POST /login/"));
  expect(logins).toHaveLength(2);
});

test.for(["light", "dark"] as const)("axe finds nothing in any kind, %s", async (colorScheme, { element, page }) => {
  await page.emulateMedia({ colorScheme });
  await page.addStyleTag({ content: ":root { color-scheme: light dark }" });
  for (const username of ["captcha", "drawing", "channel", "confirm"]) {
    await ask(element, username);
    expect(await violationsIn(page, "bank-login"), username).toEqual([]);
  }
});
