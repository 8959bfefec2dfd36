import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import puppeteer, { type KeyInput, type LaunchOptions } from "puppeteer-core";
import { type Display, patience } from "./display.ts";
import { openWebKit } from "./webdriver.ts";

/** A page of a window, as each browser's driver offers it. */
export interface Tab {
  goto(url: string): Promise<unknown>;
  /** Makes it the active tab of the active window. */
  activate(): Promise<unknown>;
  /** Runs a function in the page. @param source of the function. */
  evaluate(source: string, parameters: readonly unknown[]): Promise<unknown>;
  /** Clicks in one place. @param pause milliseconds from click to click. */
  click(x: number, y: number, times: number, pause: number): Promise<void>;
  /** Presses keys one after the other, by their names in `KeyboardEvent`: `a`, `Enter`. */
  press(keys: readonly string[]): Promise<void>;
  /** Goes back or forward in the history, and does not wait for the page. */
  traverse(steps: -1 | 1): Promise<unknown>;
  /** Loads the page again, and does not wait for it. */
  reload(): Promise<unknown>;
  screenshot(): Promise<Uint8Array>;
  close(): Promise<void>;
}

export interface Browser {
  open(): Promise<Tab>;
  close(): Promise<void>;
}

/** Firefox and Chromium by puppeteer: WebDriver BiDi for the one, Chrome's own protocol for the other. */
async function openWithPuppeteer(display: Display, options: LaunchOptions): Promise<Browser> {
  const browser = await puppeteer.launch({
    headless: false,
    env: display.environment,
    defaultViewport: null,
    ...patience,
    // The tests make their own certificate.
    acceptInsecureCerts: true,
    ...options,
  });
  return {
    open: async () => {
      const page = await browser.newPage();
      page.setDefaultTimeout(patience.timeout);
      return {
        goto: (url) => page.goto(url),
        activate: () => page.bringToFront(),
        evaluate: (source, parameters) => page.evaluate(`(${source})(...${JSON.stringify(parameters)})`),
        click: async (x, y, times, pause) => {
          await page.mouse.move(x, y);
          for (let clickCount = 1; clickCount <= times; clickCount++) {
            if (clickCount > 1) await setTimeout(pause);
            await page.mouse.down({ clickCount });
            await page.mouse.up({ clickCount });
          }
        },
        press: async (keys) => {
          for (const key of keys) await page.keyboard.press(key as KeyInput);
        },
        // Puppeteer would wait for a page that comes from the cache as for one that is loaded, in Firefox in vain.
        traverse: (steps) => page.evaluate((steps) => void window.setTimeout(() => history.go(steps)), steps),
        reload: () => page.evaluate(() => void window.setTimeout(() => location.reload())),
        screenshot: () => page.screenshot(),
        close: () => page.close(),
      };
    },
    close: () => browser.close(),
  };
}

/** The path of a program. */
export function find(program: string): string {
  const found = (process.env["PATH"] ?? "")
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find(existsSync);
  if (!found) throw new Error(`${program} is not installed.`);
  return found;
}

export const browsers = {
  /** @param profile a folder with what the browser has saved. Default: a new one, and nothing is saved. */
  Firefox: (display: Display, profile?: string) =>
    openWithPuppeteer(display, {
      browser: "firefox",
      ...(profile !== undefined && { userDataDir: profile }),
      executablePath: find("firefox-esr"),
      args: ["--width=1000", "--height=900"],
      extraPrefsFirefox: {
        // As for a person: a page in a window that is not in front has no focus.
        "focusmanager.testmode": false,
        "remote.prefs.recommended": false,
        // Puppeteer turns them off.
        ...(profile !== undefined && { "signon.autofillForms": true, "signon.rememberSignons": true }),
      },
    }),
  WebKitGTK: openWebKit,
  Chromium: (display: Display, profile?: string) =>
    openWithPuppeteer(display, {
      browser: "chrome",
      // With that switch it saves nothing.
      ...(profile !== undefined && { userDataDir: profile, ignoreDefaultArgs: ["--enable-automation"] }),
      executablePath: find("chromium"),
      args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--window-size=1000,900", "--window-position=0,0"],
    }),
} as const;
