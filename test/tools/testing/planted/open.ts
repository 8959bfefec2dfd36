import { createBankClient } from "ventanilla";
import { SANDBOX_API_KEY } from "ventanilla/sandbox";
import { fetchFor, type Path, PathError, type PathFetch, type RunPathOptions, runPath } from "ventanilla/testing";
import { afterAll, beforeAll, vi } from "vitest";
import { domDriver } from "../../../../docs/examples/testing/dom-driver.ts";
import type { ScreenInput } from "./react-screens.tsx";

/** Shows a screen, and returns how to remove it. */
export type Show = (root: Element, input: ScreenInput) => () => void;

/** What a screen of a path is created with, and where. */
export function openRoot(path: Path, bank: PathFetch) {
  const client = createBankClient({ baseUrl: "http://bank.test", apiKey: SANDBOX_API_KEY, fetch: bank, retry: false });
  const root = document.body.appendChild(document.createElement("main"));
  const { flow, provider, settings } = path;
  const detail = path.flow === "login" ? path.detail : undefined;
  const input: ScreenInput = { flow, client, provider, detail, settings };
  return { root, input, close: () => root.remove() };
}

/** Runs a path on a screen in the DOM emulation. @returns what the test kit says. */
export async function runInDom(path: Path, show: Show, options: RunPathOptions): Promise<string | undefined> {
  const bank = fetchFor(path);
  const { root, input, close } = openRoot(path, bank);
  const remove = show(root, input);
  try {
    await runPath(path, domDriver(root.firstElementChild?.shadowRoot ?? root, bank), options);
    return undefined;
  } catch (error) {
    if (!(error instanceof PathError)) throw error;
    return error.message.split("\n")[0];
  } finally {
    remove();
    close();
  }
}

/**
 * Lets the tests of a file run on a fake clock: no busy machine is too slow for a time-out, and no time-out is waited for. Between two ticks
 * there is time for a screen to be drawn and for the bank to respond.
 */
export function runOnFakeClock(): void {
  let isOver = false;
  let ticking: Promise<void> | undefined;
  const tick = async () => {
    while (!isOver) {
      await vi.advanceTimersByTimeAsync(10);
      for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
    }
  };
  beforeAll(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date"] });
    ticking = tick();
  });
  afterAll(async () => {
    isOver = true;
    await ticking;
    vi.useRealTimers();
  });
}
