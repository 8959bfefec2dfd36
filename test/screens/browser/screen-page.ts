import type { BrowserContextOptions, Page } from "playwright-core";
import type { Fault, LinkPath, Path } from "ventanilla/testing";
import { test as base, expect } from "vitest";
import { generatedPaths } from "../../generated-paths.ts";
import { openChromium } from "./chromium.ts";

/**
 * A page with a screen of the examples or with `<bank-login>`. It is used as with a keyboard: a button ignores clicks for half a second
 * after a change of step.
 */
export class ScreenPage {
  readonly page: Page;
  /** The errors and warnings on the console of the page. */
  readonly consoleErrors: string[] = [];

  constructor(page: Page) {
    this.page = page;
    page.on("pageerror", (error) => this.consoleErrors.push(String(error)));
    page.on("console", (message) => {
      // Some browsers ask for an icon, and no page here has one.
      if (message.location().url.endsWith("/favicon.ico")) return;
      if (["error", "warning"].includes(message.type())) this.consoleErrors.push(message.text());
    });
  }

  /** Shows the screen with these settings and faults of the bank. The bank takes the client that the steps choose. */
  async show(settings: object = {}, faults: readonly Fault[] = [], steps: LinkPath["steps"] = []): Promise<void> {
    await this.showStart({ ...generatedPaths.link[0], faults, settings, steps });
  }

  /** The same, up to the list of banks. */
  async showBanks(): Promise<void> {
    await this.show();
    await this.page.locator("[data-choice]").first().waitFor();
  }

  /** The same, up to the form of a bank. */
  async showForm(provider: string, settings?: object, faults?: readonly Fault[]): Promise<void> {
    await this.show(settings, faults);
    await this.choose(provider);
    await this.waitForState("idle");
  }

  /** Shows the screen where a path starts. */
  async showStart(path: Path, username?: string): Promise<void> {
    await this.page.evaluate(([path, username]) => window.show(path, username), [path, username] as const);
  }

  /** Shows the screen where a path ends. */
  async showEnd(path: Path): Promise<void> {
    expect(await this.page.evaluate((path) => window.run(path), path)).toBeUndefined();
  }

  /** Lets the bank take this long for each response, in milliseconds, those under way included. */
  async setLatency(latency: number): Promise<void> {
    await this.page.evaluate((latency) => void Object.assign(window, { latency }), latency);
  }

  async waitForState(name: string): Promise<void> {
    await this.page.locator(`[data-state="${name}"]`).waitFor();
  }

  /** Chooses a bank or a client by its code. */
  async choose(code: string): Promise<void> {
    await this.page.locator(`[data-choice="${code}"]`).press("Enter");
  }

  /** Fills in controls by the names of their fields. */
  async fill(values: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, value] of Object.entries(values)) {
      const control = this.page.locator(`[name="${name}"]`);
      if (await control.evaluate((element) => element.matches("select"))) await control.selectOption(value);
      else await control.fill(value);
    }
  }

  /** Presses the button of a verb of the view. */
  async press(verb: string): Promise<void> {
    await this.page.locator(`[data-verb="${verb}"]`).press("Enter");
  }

  /** Presses the button that has this name for assistive technology. */
  async pressNamed(name: string): Promise<void> {
    await this.page.getByRole("button", { name }).press("Enter");
  }

  async submit(values: Readonly<Record<string, string>>): Promise<void> {
    await this.fill(values);
    await this.press("submit");
  }

  /** Logs in at a bank of the list. */
  async logIn(provider: string, username: string, password: string): Promise<void> {
    await this.choose(provider);
    await this.submit({ username, password });
  }

  async answer(text: string): Promise<void> {
    await this.waitForState("awaitingInteraction");
    await this.page.locator("form input").fill(text);
    await this.press("answer");
  }

  /** Pastes a text into the control of a field, in place of what is in it. */
  async paste(name: string, text: string): Promise<void> {
    await this.page.locator(`[name="${name}"]`).evaluate((input: HTMLInputElement, text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text", text);
      input.focus();
      input.select();
      const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true, composed: true });
      // What a browser does unless a handler has done it.
      if (input.dispatchEvent(event)) input.value = text.replaceAll("\n", "");
    }, text);
  }

  /** The value of the control of a field. */
  valueOf(name: string): Promise<string> {
    return this.page.locator(`[name="${name}"]`).inputValue();
  }

  /** The element of the component that has the focus: tag, id and class. */
  readFocus(): Promise<string> {
    return this.page.evaluate(() => {
      const active = document.activeElement?.shadowRoot?.activeElement;
      return active ? `${active.tagName.toLowerCase()}${active.id ? `#${active.id}` : ""}.${active.className}` : "";
    });
  }

  /** Adds up from here on what moves without a click or a key. @returns reads the layout shift. */
  async watchShift(): Promise<() => Promise<number>> {
    const shifts = await this.page.evaluateHandle(() => {
      const total = { value: 0 };
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]) {
          if (!entry.hadRecentInput) total.value += entry.value;
        }
      }).observe({ type: "layout-shift" });
      return total;
    });
    return () => shifts.evaluate(({ value }) => value);
  }

  /** The requests so far, as method and path. */
  readRequests(): Promise<string[]> {
    return this.page.evaluate(() => window.requests);
  }
}

/** Opens an address in a browser context of its own. */
export async function openPage(url: string, options: BrowserContextOptions = {}): Promise<ScreenPage> {
  const page = await (await openChromium()).newPage({ reducedMotion: "reduce", ...options });
  // For a busy machine.
  page.setDefaultTimeout(100_000);
  const screen = new ScreenPage(page);
  await page.goto(url);
  return screen;
}

/** A test whose pages are closed at its end. */
export const test = base.extend(
  "open",
  ({ onTestFinished }) =>
    async (url: string, options?: BrowserContextOptions) => {
      const screen = await openPage(url, options);
      onTestFinished(() => screen.page.context().close());
      return screen;
    },
);
