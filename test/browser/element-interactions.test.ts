import type { Browser, Page } from "playwright-core";
import type { Fault, Path } from "ventanilla/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { dataUrl, png, pngOf } from "../api/pictures.ts";
import { generatedPaths } from "../generated-paths.ts";
import { violationsIn } from "./axe.ts";
import { closePages, openChromium } from "./chromium.ts";
import { type Opened, reloadPage } from "./page.ts";
import { serveBuilt } from "./vite.ts";

let browser: Browser;
let served: Awaited<ReturnType<typeof serveBuilt>>;
let opened: Opened | undefined;
let page: Page;
let complaints: string[];
beforeAll(async () => {
  browser = await openChromium();
  served = await serveBuilt("element", "test/browser/element");
});
afterAll(() => Promise.all([closePages(browser), served.close()]));
beforeEach(async () => {
  opened = await reloadPage(opened, browser, served.url, { viewport: { width: 480, height: 900 } });
  ({ page, complaints } = opened);
});

const step = (name: string) => page.locator(`bank-login [data-step="${name}"]`).waitFor();
const confirm = (name: string) => page.getByRole("button", { name }).press("Enter");

/** A login of the sandbox's, at what it asks. */
async function ask(username: string, faults: readonly Fault[] = []): Promise<void> {
  const path = { ...generatedPaths.link[0], faults, settings: { provider: "mirador_gt" } } as Path;
  await page.evaluate((shown) => window.show(shown), path);
  await page.getByLabel("User name").fill(username);
  await page.getByLabel("Password", { exact: true }).fill("s3creto");
  await confirm("Log in");
  await step("answering");
}

/** A login that asks with a text of its own. */
const askWith = (context: string) =>
  ask("captcha", [{ request: "POST /login/", number: 1, what: { body: { ...asked, context } } }]);
const asked = { status: "interaction_required", key: "3f1c1a5e-7a1d-4f6e-9a39-6d7d5f0b7c11", field: "captcha" };

describe("a picture", () => {
  test.each([
    ["captcha", "7K4MP2", [230, 65]],
    ["card", "9WH3T", [156, 52]],
  ])("shows at %s, with a text that stands for it", async (username, answer, size) => {
    await ask(username);
    const image = page.getByRole("img", { name: "Picture from your bank with the characters to type" });
    await image.evaluate((img: HTMLImageElement) => img.decode());
    expect(await image.evaluate((img: HTMLImageElement) => [img.naturalWidth, img.naturalHeight])).toEqual(size);
    const field = page.getByLabel("Characters in the picture");
    expect(await field.evaluate((input: HTMLInputElement) => [input.autocomplete, input.spellcheck])).toEqual([
      "off",
      false,
    ]);
    await field.fill(answer);
    await confirm("Continue");
    await step("linked");
    expect(complaints).toEqual([]);
  });

  test("that was answered wrongly is asked for again, with an empty field", async () => {
    await ask("captcha");
    await page.getByLabel("Characters in the picture").fill("ABCDEF");
    await confirm("Continue");
    await page.getByRole("alert").getByText("Answers sent: 1.").waitFor();
    expect(await page.getByLabel("Characters in the picture").inputValue()).toBe("");
    expect(await page.getByRole("img", { name: "Picture from your bank" }).count()).toBe(1);
  });

  test("grows with a click and with a key, and shrinks with the next one", async () => {
    await ask("captcha");
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

  test("as wide as a photograph scrolls within its frame, and the page does not", async () => {
    await askWith(pngOf(2000, 1500));
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

  test.each([
    ["an SVG", `data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" onload="window.hacked=1"/>`],
    ["a PNG that unpacks to gigabytes", pngOf(60_000, 60_000)],
    ["a picture of another type than it says", dataUrl("image/gif", png)],
  ])("is not shown where it is %s: the person is told what to do", async (_, context) => {
    await askWith(context);
    await page.getByText("Your bank sent a picture that can't be shown. Cancel and log in again").waitFor();
    expect(await page.locator("bank-login img").count()).toBe(0);
    await confirm("Cancel");
    await step("enteringCredentials");
  });

  test.each([
    ["a page", "data:text/html,<script>window.hacked=1</script>"],
    ["a script", "javascript:window.hacked=1"],
    ["markup", "<img src=x onerror='window.hacked=1'><b>Type the code</b>"],
  ])("is not made of %s: the text shows as it is", async (_, context) => {
    await askWith(context);
    expect(await page.locator("#question").innerText()).toBe(context);
    expect(await page.locator("bank-login .step :is(img, b, script, iframe)").count()).toBe(0);
    expect(await page.evaluate(() => "hacked" in window)).toBe(false);
  });
});

test("choices are a list of the bank's, and a code follows", async () => {
  await ask("channel");
  await page.getByLabel("Where the code goes").selectOption("Mobile phone");
  await confirm("Continue");
  await page.getByLabel("One-time code").fill("604812");
  await confirm("Continue");
  await step("linked");
});

test("a confirmation has nothing to type in, and a keyboard confirms nothing by itself", async () => {
  await ask("confirm");
  await page.getByText("Confirme el ingreso en la app de Banco Mirador").waitFor();
  expect(await page.locator("bank-login :is(input, select):visible").count()).toBe(0);
  expect(await page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.tagName)).toBe("H2");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "I have confirmed" }).press("Enter");
  await step("linked");
  const logins = await page.evaluate(() => window.requests.filter((sent) => sent === "POST /login/"));
  expect(logins).toHaveLength(2);
});

test.each(["light", "dark"] as const)("axe finds nothing in any kind, %s", async (colorScheme) => {
  onTestFinished(() => page.close());
  await page.emulateMedia({ colorScheme });
  await page.addStyleTag({ content: ":root { color-scheme: light dark }" });
  for (const username of ["captcha", "drawing", "channel", "confirm"]) {
    await ask(username);
    expect(await violationsIn(page, "bank-login"), username).toEqual([]);
  }
});
