import { test } from "vitest";
import { closePages, openChromium } from "./chromium.ts";
import { pageDriver } from "./driver.ts";
import { takePicture } from "./pictures.ts";
import { serveBuilt } from "./vite.ts";

test("the React example, step by step", async () => {
  const { url, close } = await serveBuilt("react", "docs/examples/react");
  const browser = await openChromium();
  const page = await browser.newPage({ viewport: { width: 400, height: 640 } });
  const driver = pageDriver(page);
  await page.goto(url);
  await page.getByLabel("Bank", { exact: true }).fill("banco");
  await takePicture(page, "react-1-bank");
  await page.getByLabel("Bank", { exact: true }).fill("");
  await driver.choose("test");
  await driver.fill({ username: "12345otp", password: "asdfg" });
  await takePicture(page, "react-2-credentials");
  await driver.submit();
  await page.locator('[data-step="answering"]').waitFor();
  await page.locator('[name="answer"]').fill("8888");
  await takePicture(page, "react-3-question");
  await driver.answer("8888");
  await page.locator('[data-step="linked"]').waitFor();
  await takePicture(page, "react-4-linked");
  await closePages(browser);
  await close();
});
