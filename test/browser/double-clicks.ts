import type { Page } from "playwright-core";
import type { Path } from "ventanilla/testing";
import { expect, test } from "vitest";
import { restingSteps } from "./element-steps.ts";
import { openPage } from "./page.ts";

// After the first click, in milliseconds: as far as a system waits for the second click of a double click.
const CLICKS = [0, 80, 200, 400, 500];
// At both widths the bank answers between two of the clicks, or after all of them.
const RUNS = [
  { width: 1280, latency: 700 },
  { width: 375, latency: 300 },
];

/** What a click led to: the step, and what the bank got. */
interface Result {
  readonly step: string;
  readonly requests: readonly string[];
  readonly aborted: readonly string[];
}

/** Clicks each button of each step, again and again: it must do what one click does. */
export function testDoubleClicks(url: () => string): void {
  test.concurrent.each(restingSteps)("two clicks on a button of %s do what one does", async (_step, path) => {
    await Promise.all(RUNS.map((run) => clickEach(url(), path, run)));
  });
}

async function clickEach(url: string, path: Path, { width, latency }: (typeof RUNS)[number]): Promise<void> {
  const { page } = await openPage(url, { viewport: { width, height: 800 } });
  const show = async () => {
    const complaint = await page.evaluate((path) => {
      window.latency = 0;
      return window.run(path);
    }, path);
    expect(complaint).toBeUndefined();
    await fillIn(page, path);
  };
  await show();
  for (const button of await listButtons(page)) {
    await show();
    await page.locator(button).first().press("Enter");
    const once = await readResult(page);
    await show();
    await clickAgainAndAgain(page, button, latency);
    const result = await readResult(page);
    expect(result, `${button}, ${width} pixels wide, a bank that takes ${latency} ms`).toEqual(once);
  }
  await page.close();
}

/** The buttons of a step, each as a selector; of a list the first. */
export async function listButtons(page: Page): Promise<string[]> {
  const names = await page.locator("button:visible:enabled").evaluateAll((buttons) =>
    buttons.map((button) => {
      const { verb, choice } = (button as HTMLElement).dataset;
      if (verb) return `[data-verb="${verb}"]`;
      return choice ? "[data-choice]" : `button${button.className ? `.${button.className}` : '[type="submit"]'}`;
    }),
  );
  return [...new Set(names)];
}

/** Clicks where a button is, and goes on clicking there. */
export async function clickAgainAndAgain(page: Page, button: string, latency: number): Promise<void> {
  const target = page.locator(button).first();
  // Waits until the button takes clicks.
  await target.click({ trial: true });
  const box = await target.boundingBox();
  if (!box) throw new Error(`${button} is not shown.`);
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.evaluate((milliseconds) => {
    window.latency = milliseconds;
  }, latency);
  const begin = Date.now();
  for (const time of CLICKS) {
    await new Promise((resolve) => setTimeout(resolve, begin + time - Date.now()));
    // A busy machine may be too late for a double click.
    if (Date.now() - begin <= 520) await page.mouse.click(x, y);
  }
}

/** What a step needs to go on: the right user, and a password that is right where it has not been wrong already. */
async function fillIn(page: Page, { account, steps }: Path): Promise<void> {
  const isFailed = steps.at(-1)?.expected === "failed";
  const values = { username: account?.username, password: isFailed ? "not this one" : account?.password };
  for (const [name, value = ""] of Object.entries(values)) {
    const field = page.locator(`[name="${name}"]:enabled`);
    if ((await field.count()) > 0) await field.fill(value);
  }
  for (const select of await page.locator("form select:enabled").all()) await select.selectOption({ index: 1 });
  const rest = page.locator("form input:enabled:not([name=username], [name=password])");
  for (const field of await rest.all()) await field.fill("1234");
}

/** Where a click led to, once everything that it set off has been answered. */
async function readResult(page: Page): Promise<Result> {
  await page.evaluate(async () => {
    const frames = () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    for (let before = -1; window.pending > 0 || before !== window.requests.length; await frames()) {
      before = window.requests.length;
    }
  });
  const [requests, aborted] = await page.evaluate(() => [window.requests, window.aborted] as const);
  const step = (await page.locator("[data-step]").getAttribute("data-step")) ?? "";
  return { step, requests, aborted };
}
