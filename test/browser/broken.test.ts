import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { generatedPaths } from "../generated-paths.ts";
import { closePages, openChromium } from "./chromium.ts";
import { serveBuilt } from "./vite.ts";

/** What goes wrong in hand-written screens: each is an expression of the example away. */
const mistakes: [name: string, file: string, line: string, expression: string, mistake: string, complaint: string][] = [
  [
    "a cancel button that does nothing",
    "LoginScreen.tsx",
    'run={"cancel" in view ? view.cancel : undefined}',
    '"cancel" in view ? view.cancel : undefined',
    "() => {}",
    'the screen shows "answering", expected "enteringCredentials".',
  ],
  [
    "a form that forgets what is optional or chosen",
    "LoginSteps.tsx",
    "submit?.(takeValues(event.currentTarget));",
    "takeValues(event.currentTarget)",
    '(({ username = "", password = "" }) => ({ username, password }))(takeValues(event.currentTarget))',
    'the screen shows "answering", expected "loggedIn".',
  ],
  [
    "an answer that is lost",
    "LoginSteps.tsx",
    "answer={view.answer}",
    "view.answer",
    "() => {}",
    'the screen shows "answering", expected "loggedIn".',
  ],
  [
    "a choice that is always the first client",
    "LoginSteps.tsx",
    "choose={view.choose}",
    "view.choose",
    '() => view.choose(view.clients[0]?.id ?? "")',
    'the screen shows "failed", expected "loggedIn".',
  ],
  [
    "a failure without its text",
    "LoginSteps.tsx",
    "{view.failure.text}",
    "view.failure.text",
    '""',
    'the screen shows "failed" without the text "',
  ],
  [
    "a question without its text",
    "LoginSteps.tsx",
    "{question.text}",
    "question.text",
    '""',
    'the screen shows "answering" without the text "',
  ],
];

let browser: Browser;
let served: Awaited<ReturnType<typeof serveBuilt>>;
let planted = 0;
beforeAll(async () => {
  browser = await openChromium();
  // The example with every mistake in it: a page makes the one that it is told to make.
  const plant = (code: string, id: string) => {
    let changed = code;
    for (const [name, file, line, expression, mistake] of mistakes) {
      if (!id.endsWith(file) || !changed.includes(line)) continue;
      const either = `(window.mistake === ${JSON.stringify(name)} ? ${mistake} : ${expression})`;
      changed = changed.replace(line, () => line.replace(expression, () => either));
      planted += 1;
    }
    return changed;
  };
  served = await serveBuilt("react", "test/browser/react", [{ name: "plant", enforce: "pre", transform: plant }]);
});
afterAll(() => Promise.all([closePages(browser), served.close()]));

// All at once: a screen that is stuck is waited for.
test.concurrent.each(mistakes)("the paths catch %s", async (mistake, _file, _line, _expression, _mistake, expected) => {
  expect(planted).toBe(mistakes.length);
  const page = await browser.newPage();
  await page.goto(served.url);
  await page.evaluate((name) => Object.assign(window, { mistake: name }), mistake);
  let complaint: string | undefined;
  for (const path of [...generatedPaths.login, ...generatedPaths.link]) {
    complaint = await page.evaluate(([shown, timeout]) => window.run(shown, timeout), [path, 10_000] as const);
    if (complaint !== undefined) break;
  }
  expect(complaint).toMatch(/^PathError: After /);
  expect(complaint).toContain(expected);
});
