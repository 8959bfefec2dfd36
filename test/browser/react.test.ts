import { expect, test } from "vitest";
import { generatedPaths } from "../generated-paths.ts";
import { openChromium } from "./chromium.ts";
import { pageDriver } from "./driver.ts";
import { openPage } from "./page.ts";
import { testScreens } from "./screens.ts";
import { serveBuilt, serveForDevelopment } from "./vite.ts";

testScreens("react");

test("the component of the README logs in, by way of a wrong password and a one-time code, keeps the user name and the focus, and says that it waits", async () => {
  const { url, close } = await serveForDevelopment("react", "docs/examples/react");
  const browser = await openChromium();
  const page = await browser.newPage();
  await page.goto(new URL("small.html", url).href);
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
  const { url, close } = await serveForDevelopment("react", "test/browser/react");
  const browser = await openChromium();
  const page = await browser.newPage();
  const driver = pageDriver(page);
  await page.goto(new URL("hidden.html", url).href);
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
