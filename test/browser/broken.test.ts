import type { Browser, Page } from "playwright-core";
import { linkPaths, loginPaths, type Path, PathError, runPath } from "ventanilla/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openChromium } from "./chromium.ts";
import { pageDriver } from "./driver.ts";
import { serveBuilt } from "./vite.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openChromium();
});
afterAll(() => browser.close());

/** The example with one line of it changed. */
async function openBroken(file: string, line: string, change: string): Promise<{ page: Page; close(): Promise<void> }> {
  let changes = 0;
  const { url, close } = await serveBuilt("react", "test/browser/react", [
    {
      name: "break",
      enforce: "pre",
      transform(code, id) {
        if (!id.endsWith(file)) return undefined;
        if (code.includes(line)) changes += 1;
        return code.replace(line, change);
      },
    },
  ]);
  expect(changes).toBe(1);
  const page = await browser.newPage();
  await page.goto(url);
  return { page, close };
}

/** The first path that finds something wrong. */
async function firstComplaint(page: Page, paths: readonly Path[]): Promise<PathError | undefined> {
  for (const path of paths) {
    await page.evaluate((shown) => window.show(shown), path);
    page.setDefaultTimeout(5000);
    const complaint = await runPath(path, pageDriver(page), { timeout: 2000 }).catch((error: unknown) => error);
    if (complaint instanceof PathError) return complaint;
    if (complaint !== undefined) throw complaint;
  }
  return undefined;
}

// What goes wrong in hand-written screens: each is one line of the example away.
test.each([
  [
    "a cancel button that does nothing",
    "LoginScreen.tsx",
    'run={"cancel" in view ? view.cancel : undefined}',
    "run={() => {}}",
    "enteringCredentials",
  ],
  [
    "a form that forgets what is optional or chosen",
    "LoginSteps.tsx",
    "submit?.(values);",
    'submit?.({ username: values["username"] ?? "", password: values["password"] ?? "" });',
    "loggedIn",
  ],
  ["an answer that is lost", "LoginSteps.tsx", "answer={view.answer}", "answer={() => {}}", "loggedIn"],
])("the paths catch %s", async (_, file, line, change, expected) => {
  const { page, close } = await openBroken(file, line, change);
  const complaint = await firstComplaint(page, [...loginPaths(), ...linkPaths()]);
  expect(complaint?.message).toMatch(/^After .*: the screen shows/);
  expect(complaint?.actual).not.toBe(complaint?.expected);
  expect(complaint?.expected).toBe(expected);
  await close();
});
