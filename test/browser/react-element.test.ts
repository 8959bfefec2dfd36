import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { closePages, openChromium } from "./chromium.ts";
import { pageDriver } from "./driver.ts";
import { openPage } from "./page.ts";
import { renderedOnServer, serveForDevelopment } from "./vite.ts";

describe("<BankLogin> of React", () => {
  let browser: Browser;
  let served: Awaited<ReturnType<typeof serveForDevelopment>>;
  beforeAll(async () => {
    browser = await openChromium();
    served = await serveForDevelopment("react", "test/browser/react", [
      renderedOnServer("/element-server.tsx", "/element-hydrate.tsx"),
    ]);
  });
  afterAll(() => Promise.all([closePages(browser), served.close()]));

  test("a server sends the tag alone, and defines no element", async () => {
    // Another test file of this process may have defined it.
    const before = globalThis.customElements?.get("bank-login");
    const sent = await (await fetch(new URL("server", served.url))).text();
    expect(sent).toContain('<bank-login class="wide"></bank-login>');
    expect(globalThis.customElements?.get("bank-login")).toBe(before);
  });

  test.each([
    ["hydrates", "server"],
    ["creates", "server?create"],
  ])("where React %s it, each event reaches the newest handler, once", async (_how, path) => {
    const { page, complaints } = await openPage(browser, new URL(path, served.url).href);
    const driver = pageDriver(page);
    const step = (name: string) => page.locator(`bank-login.wide [data-step="${name}"]`).waitFor();
    const heard = () => page.evaluate(() => window.requests.splice(0));
    await step("enteringCredentials");
    expect(await page.getByRole("heading").innerText()).toBe("Ingresa a Banco de prueba");
    expect(await heard()).toEqual(["render 1: loadingFields", "render 1: enteringCredentials"]);
    await page.getByRole("button", { name: "Render" }).click();
    await driver.fill({ username: "12345", password: "wrong" });
    await driver.submit();
    await step("failed");
    expect(await heard()).toEqual(["render 2: submitting", "render 2: failed", "render 2: wrong_credentials"]);
    await page.getByRole("button", { name: "Render" }).click();
    await driver.fill({ password: "gfdsa" });
    await driver.submit();
    await step("linked");
    const end = ["submitting", "linked", "logged in at test"];
    expect(await heard()).toEqual(end.map((what) => `render 3: ${what}`));
    await page.getByRole("button", { name: "Remove" }).click();
    await page.locator("bank-login").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Remove" }).click();
    await step("enteringCredentials");
    await driver.cancelLink();
    await step("cancelled");
    expect((await heard()).slice(-2)).toEqual(["render 3: cancelled", "render 3: cancelled"]);
    expect(complaints.filter((text) => !text.includes("Lit is in dev mode"))).toEqual([]);
    await page.close();
  });
});
