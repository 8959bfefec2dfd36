import type { Page } from "playwright-core";
import type { Fault, LinkPath, Path } from "ventanilla/testing";
import { test as base, expect } from "vitest";
import { generatedPaths } from "../generated-paths.ts";
import { openPage } from "./page.ts";
import { serveBuilt } from "./vite.ts";

/** `<bank-login>` on a page, at the sandbox, as a person with a keyboard uses it. */
export class ElementPage {
  readonly page: Page;
  readonly complaints: readonly string[];
  /** Where its pages are served. */
  readonly url: string;

  constructor(page: Page, complaints: readonly string[], url: string) {
    this.page = page;
    this.complaints = complaints;
    this.url = url;
  }

  /** Shows the component with whatever settings and faults a test is about. The bank takes the client that the steps choose. */
  async show(settings: object = {}, faults: readonly Fault[] = [], steps: LinkPath["steps"] = []): Promise<void> {
    const path: LinkPath = { ...generatedPaths.link[0], faults, settings, steps };
    await this.page.evaluate((shown) => window.show(shown), path);
  }

  /** Shows it where a path ends. */
  async showEndOf(path: Path): Promise<void> {
    expect(await this.page.evaluate((shown) => window.run(shown), path)).toBeUndefined();
  }

  /** Waits for a step. */
  async step(name: string): Promise<void> {
    await this.page.locator(`bank-login [data-step="${name}"]`).waitFor();
  }

  /** Chooses a bank or a client. */
  async choose(code: string): Promise<void> {
    await this.page.locator(`[data-choice="${code}"]`).press("Enter");
  }

  /** Presses the button of that name. */
  async press(name: string): Promise<void> {
    await this.page.getByRole("button", { name }).press("Enter");
  }

  async fill(label: string, value: string): Promise<void> {
    await this.page.getByLabel(label, { exact: true }).fill(value);
  }

  /** Logs in at a bank of the list. */
  async logIn(provider: string, username: string, password: string): Promise<void> {
    await this.choose(provider);
    await this.sendForm(username, password);
  }

  async sendForm(username: string, password: string): Promise<void> {
    await this.fill("User name", username);
    await this.fill("Password", password);
    await this.press("Log in");
  }

  async answer(label: string, text: string): Promise<void> {
    await this.fill(label, text);
    await this.press("Continue");
  }

  /** What has the focus in the component: tag, id and class. */
  focused(): Promise<string> {
    return this.page.evaluate(() => {
      const active = document.activeElement?.shadowRoot?.activeElement;
      return active ? `${active.tagName.toLowerCase()}${active.id ? `#${active.id}` : ""}.${active.className}` : "";
    });
  }

  /** What was sent so far, as method and path. */
  requests(): Promise<string[]> {
    return this.page.evaluate(() => window.requests);
  }
}

async function openElement(url: string) {
  const { page, complaints } = await openPage(url);
  return { element: new ElementPage(page, complaints, url), complaints, close: () => page.context().close() };
}

/**
 * A test of `<bank-login>` in a browser. All tests of a file share a page, since to load it costs more than most of them; each finds
 * it as it was loaded. A test that changes what can't be put back, such as the clock, takes `ownElement`.
 */
export const test = base
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from it what a fixture depends on
  .extend("served", { scope: "file" }, async ({}, { onCleanup }) => {
    const served = await serveBuilt("element", "test/browser/element");
    onCleanup(served.close);
    return served;
  })
  .extend("shared", { scope: "file" }, async ({ served }, { onCleanup }) => {
    const shared = await openElement(served.url);
    onCleanup(shared.close);
    return shared;
  })
  .extend("element", async ({ shared: { element, complaints } }) => {
    await element.page.setViewportSize({ width: 480, height: 900 });
    await element.page.emulateMedia({ colorScheme: null, reducedMotion: null });
    await element.page.evaluate(() => window.reset());
    complaints.splice(0);
    return element;
  })
  .extend("page", ({ element }) => element.page)
  .extend("ownElement", async ({ served }, { onCleanup }) => {
    const { element, close } = await openElement(served.url);
    onCleanup(close);
    return element;
  });
