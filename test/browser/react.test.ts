import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { generatedPaths } from "../generated-paths.ts";
import { pageDriver } from "./driver.ts";
import { openPage } from "./page.ts";
import { heldLogin, showPath, testScreens } from "./screens.ts";
import { serveBuilt } from "./vite.ts";

testScreens("react", (url) => {
  test("of <BankLogin> a server sends the tag alone, and defines no element", async () => {
    // Another test file of this process may have defined it.
    const before = globalThis.customElements?.get("bank-login");
    const sent = await (await fetch(new URL("element", url()))).text();
    expect(sent).toContain('<bank-login class="wide"></bank-login>');
    expect(globalThis.customElements?.get("bank-login")).toBe(before);
  });

  test.each([
    ["hydrates", "element"],
    ["creates", "element?create"],
  ])("where React %s <BankLogin>, each event reaches the newest handler, once", async (_how, path) => {
    const { page, complaints } = await openPage(new URL(path, url()).href);
    const driver = pageDriver(page);
    const step = (name: string) => page.locator(`bank-login.wide [data-step="${name}"]`).waitFor();
    const heard = () => page.evaluate(() => window.requests.splice(0));
    await step("enteringCredentials");
    expect(await page.getByRole("heading").innerText()).toBe("Ingrese a Banco de prueba");
    expect(await heard()).toEqual(["render 1: loadingFields", "render 1: enteringCredentials"]);
    await page.getByRole("button", { name: "Render" }).click();
    await driver.fill({ username: "12345", password: "wrong" });
    await driver.submit();
    await step("failed");
    expect(await heard()).toEqual(["render 2: submitting", "render 2: failed", "render 2: wrong_credentials"]);
    await driver.fill({ password: "gfdsa" });
    await driver.submit();
    await step("linked");
    expect((await heard()).at(-1)).toBe("render 2: logged in at test");
    await page.getByRole("button", { name: "Remove" }).click();
    await page.locator("bank-login").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Remove" }).click();
    await step("enteringCredentials");
    await driver.cancelLink();
    await step("cancelled");
    expect((await heard()).slice(-2)).toEqual(["render 2: cancelled", "render 2: cancelled"]);
    expect(complaints.filter((text) => !text.includes("Lit is in dev mode"))).toEqual([]);
    await page.close();
  });
});

/** Does something on the page of the built screens. */
async function onScreens(query: string, work: (page: Page) => Promise<void>): Promise<void> {
  const { url, close } = await serveBuilt("react", "test/browser/react");
  const { page } = await openPage(new URL(query, url).href);
  await work(page);
  await page.close();
  await close();
}

test("the component of the README logs in, by way of a wrong password and a one-time code, keeps the user name and the focus, and says that it waits", () =>
  onScreens("?small", async (page) => {
    const enter = async (label: string, value: string) => {
      await page.getByLabel(label).fill(value);
      await page.getByLabel(label).press("Enter");
    };
    await page.evaluate((path) => {
      window.latency = 100;
      return window.show({ ...path, provider: "test", faults: [] }, "12345otp");
    }, generatedPaths.login[0]);
    expect(await page.getByLabel("User").inputValue()).toBe("12345otp");
    await enter("Password", "wrong");
    await page.getByRole("status").waitFor();
    await page.getByText("The user name or the password is not right.").waitFor();
    expect(await page.getByRole("status").count()).toBe(0);
    expect(await page.getByLabel("User").inputValue()).toBe("12345otp");
    expect(await page.getByLabel("Password").inputValue()).toBe("");
    expect(await page.evaluate(() => document.activeElement?.getAttribute("name"))).toBe("password");
    await enter("Password", "asdfg");
    await page.getByText("OTP required").waitFor();
    await enter("One-time code", "8888");
    await page.getByText("You are logged in.").waitFor();
    expect(await page.getByRole("button").count()).toBe(0);
  }));

test("a screen that is hidden gives up its login, and begins anew when it is shown again", () =>
  onScreens("", async (page) => {
    const log = () => page.evaluate(() => [window.requests, window.aborted]);
    const driver = pageDriver(page);
    await showPath(page, heldLogin);
    await page.evaluate(() => window.setMode("hidden"));
    await expect.poll(log).toEqual([["POST /login/"], ["POST /login/"]]);
    await page.evaluate(() => window.setMode("visible"));
    await page.locator('[data-step="enteringCredentials"]').waitFor();
    await driver.fill({ username: "12345", password: "gfdsa" });
    await driver.submit();
    await page.locator('[data-step="loggedIn"]').waitFor();
    expect(await log()).toEqual([["POST /login/", "POST /login/"], ["POST /login/"]]);
  }));
