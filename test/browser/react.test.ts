import { expect, test } from "vitest";
import { openChromium } from "./chromium.ts";
import { pageDriver } from "./driver.ts";
import { testScreens } from "./screens.ts";
import { serveForDevelopment } from "./vite.ts";

testScreens("react");

test("the 25 lines of the README log in, by way of a wrong password and a one-time code", async () => {
  const { url, close } = await serveForDevelopment("react", "docs/examples/react");
  const browser = await openChromium();
  const page = await browser.newPage();
  await page.goto(new URL("small.html", url).href);
  const enter = async (values: Record<string, string>) => {
    for (const [label, value] of Object.entries(values)) await page.getByLabel(label).fill(value);
    await page.getByRole("button", { name: "Continue" }).click();
  };
  await enter({ User: "12345otp", Password: "wrong" });
  await page.getByText("The user name or the password is not right.").waitFor();
  await enter({ User: "12345otp", Password: "asdfg" });
  await page.getByText("OTP required").waitFor();
  await enter({ "One-time code": "8888" });
  await page.getByText("You are logged in.").waitFor();
  expect(await page.getByRole("button").count()).toBe(0);
  await browser.close();
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
  await browser.close();
  await close();
});
