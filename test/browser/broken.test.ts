import type { Browser, Page } from "playwright-core";
import { linkPaths, loginPaths } from "ventanilla/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closePages, openChromium } from "./chromium.ts";
import { serveBuilt } from "./vite.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openChromium();
});
afterAll(() => closePages(browser));

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

/** What the first path says that finds something wrong. */
async function firstComplaint(page: Page): Promise<string | undefined> {
  for (const path of [...loginPaths(), ...linkPaths()]) {
    const complaint = await page.evaluate(([shown, timeout]) => window.run(shown, timeout), [path, 10_000] as const);
    if (complaint !== undefined) return complaint;
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
    'the screen shows "answering", expected "enteringCredentials".',
  ],
  [
    "a form that forgets what is optional or chosen",
    "LoginSteps.tsx",
    "submit?.(values);",
    'submit?.({ username: values["username"] ?? "", password: values["password"] ?? "" });',
    'the screen shows "answering", expected "loggedIn".',
  ],
  [
    "an answer that is lost",
    "LoginSteps.tsx",
    "answer={view.answer}",
    "answer={() => {}}",
    'the screen shows "answering", expected "loggedIn".',
  ],
  [
    "a choice that is always the first client",
    "LoginSteps.tsx",
    "choose={view.choose}",
    'choose={() => view.choose(view.clients[0]?.id ?? "")}',
    'the screen shows "failed", expected "loggedIn".',
  ],
  [
    "a failure without its text",
    "LoginSteps.tsx",
    "{view.failure.text}",
    "",
    'the screen shows "failed" without the text "',
  ],
  [
    "a question without its text",
    "LoginSteps.tsx",
    "{question.text}",
    "",
    'the screen shows "answering" without the text "',
  ],
])("the paths catch %s", async (_, file, line, change, expected) => {
  const { page, close } = await openBroken(file, line, change);
  const complaint = await firstComplaint(page);
  expect(complaint).toMatch(/^PathError: After /);
  expect(complaint).toContain(expected);
  await close();
});
