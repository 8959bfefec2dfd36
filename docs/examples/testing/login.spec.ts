import { test } from "@playwright/test";
import { loginPaths, runPath } from "ventanilla/testing";
import { pageDriver } from "./page-driver";

for (const path of loginPaths()) {
  test(path.name, async ({ page }) => {
    // The page under test makes its client with `fetch: window.bank = fetchFor(window.path)` and `retry: false`.
    await page.addInitScript((given) => Object.assign(window, { path: given }), path);
    await page.goto("/login.html");
    await runPath(path, pageDriver(page), { timeout: 20_000 });
  });
}
