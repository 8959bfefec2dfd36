import { setTimeout } from "node:timers/promises";
import type { Path } from "ventanilla/testing";
import { expect } from "vitest";
import { stepPaths } from "./element-steps.ts";
import { type ScreenPage, test } from "./screen-page.ts";

// Milliseconds after the first click: as far as a system waits for the second click of a double click.
const CLICKS = [0, 80, 200, 400, 500];
/** When a page must have seen the last of them. One that is seen later is no second click any more. */
const LATEST = 530;
// At one width the bank responds between two of the clicks, at the other after all of them.
const BETWEEN = { width: 375, latency: 300 };
const AFTER = { width: 1280, latency: 700 };

/** The states whose buttons send something. */
const SENDING = ["choosingProvider", "idle", "failed", "awaitingInteraction", "selectClient"];

/**
 * Clicks each button of each state several times: the clicks must do what one press of Enter does.
 *
 * @param isBrief for a screen with the style sheet and the view of one that is tested whole: the states that send, at one width.
 */
export function testDoubleClicks(url: () => string, { isBrief = false } = {}): void {
  const runs = isBrief ? [BETWEEN] : [BETWEEN, AFTER];
  const states = [...stepPaths].filter(([state]) => !isBrief || SENDING.includes(state));
  const rows = runs.flatMap(({ width, latency }) =>
    states.map(([state, path]) => [state, width, latency, path] as const),
  );

  test.concurrent.for(rows)(
    "two clicks on a button of %s do what one does, %i pixels wide",
    // A busy machine may be too late several times.
    { timeout: 300_000 },
    async ([, width, latency, path], { open }) => {
      const screen = await open(url(), { viewport: { width, height: 800 } });
      const show = async () => {
        await screen.setLatency(0);
        await screen.showEnd(path);
        await fillIn(screen, path);
      };
      await show();
      for (const button of await listButtons(screen)) {
        await show();
        await screen.page.locator(button).first().press("Enter");
        const once = await readResult(screen);
        do await show();
        while (!(await clickAgainAndAgain(screen, button, latency)));
        expect(await readResult(screen), `${button}, a bank that takes ${latency} ms`).toEqual(once);
      }
    },
  );
}

/** The buttons of a state, each as a selector; of a list the first. */
export async function listButtons({ page }: ScreenPage): Promise<string[]> {
  const selectors = await page.locator("button:visible:enabled").evaluateAll((buttons) =>
    buttons.map((button) => {
      const { verb, choice } = (button as HTMLElement).dataset;
      if (verb) return `[data-verb="${verb}"]`;
      return choice ? "[data-choice]" : `button${button.className ? `.${button.className}` : '[type="submit"]'}`;
    }),
  );
  return [...new Set(selectors)];
}

/**
 * Clicks a button, and goes on clicking in the same place.
 *
 * @returns whether the page saw the clicks in time: a busy machine may be too late, and must do all of it again.
 */
export async function clickAgainAndAgain(screen: ScreenPage, button: string, latency: number): Promise<boolean> {
  const { page } = screen;
  const target = page.locator(button).first();
  // Waits until the button takes clicks.
  await target.click({ trial: true });
  const box = await target.boundingBox();
  if (!box) throw new Error(`${button} is not shown.`);
  await screen.setLatency(latency);
  const seen = await page.evaluateHandle(() => {
    const times: number[] = [];
    addEventListener("pointerdown", () => times.push(performance.now()), { capture: true });
    return times;
  });
  const begin = Date.now();
  for (const time of CLICKS) {
    await setTimeout(begin + time - Date.now());
    // Too late to be the second click already here.
    if (time > 0 && Date.now() - begin > LATEST) return false;
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  }
  const [first = 0, ...others] = await seen.jsonValue();
  return (others.at(-1) ?? Number.POSITIVE_INFINITY) - first <= LATEST;
}

/** Fills in what the state needs: the right user, and a password that is right unless the state is a failure. */
async function fillIn({ page }: ScreenPage, { account, steps }: Path): Promise<void> {
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

/** The state and the requests that the clicks led to, once the bank has responded to all of them and the screen shows it. */
async function readResult({ page }: ScreenPage) {
  await page.evaluate(async () => {
    const frames = () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    for (let before = -1; window.pending > 0 || before !== window.requests.length; await frames()) {
      before = window.requests.length;
    }
  });
  // A page may draw twice before it has read a response to its end.
  const shown = page.locator("[data-state]:not([data-state^=loading], [data-state=submitting])");
  const state = await shown.getAttribute("data-state");
  return { state, ...(await page.evaluate(() => ({ requests: window.requests, aborted: window.aborted }))) };
}
