import { describe, expect, test } from "vitest";
import { generatedPaths } from "../generated-paths.ts";
import { openChromium } from "./chromium.ts";
import { pageDriver } from "./driver.ts";
import { openPage } from "./page.ts";
import { testScreens } from "./screens.ts";
import { renderedOnServer, serveBuilt } from "./vite.ts";

testScreens("react", {
  plugin: renderedOnServer("/element-server", "/element-server.tsx", "/element-hydrate.tsx"),
  test: (development) => describe("<BankLogin> of React", () => testElement(development)),
});

function testElement(development: () => { readonly url: string }): void {
  test("a server sends the tag alone, and defines no element", async () => {
    // Another test file of this process may have defined it.
    const before = globalThis.customElements?.get("bank-login");
    const sent = await (await fetch(new URL("element-server", development().url))).text();
    expect(sent).toContain('<bank-login class="wide"></bank-login>');
    expect(globalThis.customElements?.get("bank-login")).toBe(before);
  });

  test.each([
    ["hydrates", "element-server"],
    ["creates", "element-server?create"],
  ])("where React %s it, each event reaches the newest handler, once", async (_how, path) => {
    const { page, complaints } = await openPage(await openChromium(), new URL(path, development().url).href);
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
}

test("the component of the README logs in, by way of a wrong password and a one-time code, keeps the user name and the focus, and says that it waits", async () => {
  const { url, close } = await serveBuilt("react", "docs/examples/react");
  const { page } = await openPage(await openChromium(), new URL("small.html", url).href);
  const enter = async (values: Record<string, string>) => {
    for (const [label, value] of Object.entries(values)) await page.getByLabel(label).fill(value);
    await page.getByRole("button", { name: "Continue" }).press("Enter");
  };
  await page.evaluate(() => {
    const look = () => document.querySelector('[role="status"]') && document.body.setAttribute("data-said-to-wait", "");
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
  });
  await page.getByLabel("User").fill("12345otp");
  await page.getByLabel("Password").fill("wrong");
  await page.getByLabel("Password").press("Enter");
  await page.getByText("The user name or the password is not right.").waitFor();
  await page.locator("[data-said-to-wait]").waitFor();
  expect(await page.getByRole("status").count()).toBe(0);
  expect(await page.getByLabel("User").inputValue()).toBe("12345otp");
  expect(await page.getByLabel("Password").inputValue()).toBe("");
  expect(await page.evaluate(() => document.activeElement?.getAttribute("name"))).toBe("password");
  await enter({ Password: "asdfg" });
  await page.getByText("OTP required").waitFor();
  await enter({ "One-time code": "8888" });
  await page.getByText("You are logged in.").waitFor();
  expect(await page.getByRole("button").count()).toBe(0);
  await page.close();
  await close();
});

test("the small login begins with the user name that the page knows", async () => {
  const { url, close } = await serveBuilt("react", "test/browser/react");
  const { page } = await openPage(await openChromium(), new URL("?small", url).href);
  await page.evaluate((path) => window.show(path, "12345"), generatedPaths.login[0]);
  expect(await page.getByLabel("User").inputValue()).toBe("12345");
  await page.close();
  await close();
});

test("a screen that is hidden gives up its login, and begins anew when it is shown again", async () => {
  const { url, close } = await serveBuilt("react", "test/browser/react");
  const { page } = await openPage(await openChromium(), new URL("hidden.html", url).href);
  const driver = pageDriver(page);
  const log = () => page.evaluate(() => [window.requests, window.aborted]);
  const login = async () => {
    await driver.fill({ username: "12345", password: "gfdsa" });
    await driver.submit();
    await page.locator('[data-step="submitting"]').waitFor();
  };
  const press = () => page.getByRole("button", { name: "Switch" }).click();
  await login();
  await press();
  await expect.poll(log).toEqual([["POST"], ["POST"]]);
  await press();
  await page.locator('[data-step="enteringCredentials"]').waitFor();
  await login();
  expect(await log()).toEqual([["POST", "POST"], ["POST"]]);
  await page.close();
  await close();
});
