import { afterAll, beforeAll, describe, expect, onTestFinished } from "vitest";
import { axeSource } from "../browser/axe.ts";
import { type Display, openDisplay } from "./display.ts";
import { openSite } from "./stage.ts";
import { type Browser, browsers, type Tab } from "./windows.ts";

type Site = Awaited<ReturnType<typeof openSite>>;

/** A page with `<bank-login>` in a real window, used with mouse and keys. */
export class BankPage {
  readonly site: Site;
  readonly #tab: Tab;
  readonly #display: Display;

  constructor(site: Site, tab: Tab, display: Display) {
    this.site = site;
    this.#tab = tab;
    this.#display = display;
  }

  goto(url: string): Promise<unknown> {
    return this.#tab.goto(url);
  }

  /** Runs a function in the page. It can use nothing but its parameters. */
  evaluate<Result, Parameters extends readonly unknown[]>(
    run: (...parameters: Parameters) => Result | Promise<Result>,
    ...parameters: Parameters
  ): Promise<Result> {
    return this.#tab.evaluate(String(run), parameters) as Promise<Result>;
  }

  /**
   * Clicks an element of the page or of the component, once it takes clicks.
   *
   * @param times how many clicks. The second and further ones come where the first one was, whatever is there by then.
   * @param pause milliseconds from click to click.
   */
  async click(selector: string, times = 1, pause = 80): Promise<void> {
    let place: readonly [x: number, y: number] | undefined;
    await expect
      .poll(async () => (place = await this.evaluate(findPlace, selector)), { message: `${selector} takes no click` })
      .toBeTruthy();
    if (place) await this.#tab.click(...place, times, pause);
  }

  /** Types characters, wherever the focus is. */
  type(text: string): Promise<void> {
    return this.#tab.press([...text]);
  }

  /** Presses a key by its name in `KeyboardEvent`. */
  press(key: string): Promise<void> {
    return this.#tab.press([key]);
  }

  /** Clicks a field of the form by its name, and types. */
  async fill(name: string, text: string): Promise<void> {
    await this.click(`[name="${name}"]`);
    await this.type(text);
  }

  /** Chooses a bank and fills in its form. */
  async fillIn(provider: string, username: string, password: string): Promise<void> {
    await this.click(`[data-choice="${provider}"]`);
    await this.waitForState("idle");
    await this.fill("username", username);
    await this.fill("password", password);
  }

  readStep(): Promise<string | undefined> {
    return this.evaluate(
      () =>
        document.querySelector("bank-login")?.shadowRoot?.querySelector<HTMLElement>("[data-state]")?.dataset["state"],
    );
  }

  async waitForState(step: string): Promise<void> {
    await expect.poll(() => this.readStep()).toBe(step);
  }

  /** The element that has the focus, through shadow roots: its tag with its name, verb, choice or id. `body` is nowhere. */
  readFocus(): Promise<string> {
    return this.evaluate(() => {
      let active = document.activeElement;
      while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
      if (!(active instanceof HTMLElement)) return "";
      const { verb, choice } = active.dataset;
      const name = active.getAttribute("name") ?? verb ?? choice ?? active.id;
      return `${active.localName}${name ? ` ${name}` : ""}`;
    });
  }

  /** Whether the page's window is the active one. */
  isInFront(): Promise<boolean> {
    return this.evaluate(() => document.hasFocus());
  }

  /** Waits until a step that comes in with a motion is in its place. */
  async waitForRest(): Promise<void> {
    const isMoving = () =>
      this.evaluate(() => {
        const motions = document.querySelector("bank-login")?.shadowRoot?.getAnimations() ?? [];
        return motions.some((motion) => (motion as CSSAnimation).animationName === "enter");
      });
    await expect.poll(isMoving).toBe(false);
  }

  /** What a field has in it. */
  readValue(selector: string): Promise<string | undefined> {
    return this.evaluate(
      (selector) => document.querySelector("bank-login")?.shadowRoot?.querySelector<HTMLInputElement>(selector)?.value,
      selector,
    );
  }

  /** The text of the component as a person sees it. */
  readText(): Promise<string> {
    return this.evaluate(
      () => document.querySelector("bank-login")?.shadowRoot?.querySelector<HTMLElement>("section")?.innerText ?? "",
    );
  }

  /** Follows a link to another site, by a click. */
  async leave(): Promise<void> {
    await this.click("a");
    await expect.poll(() => this.evaluate(() => document.title)).toBe("Elsewhere");
  }

  /** Whether the page came from the cache of back and forward, as it was left. */
  isRestored(): Promise<boolean> {
    return this.evaluate(() => document.body.dataset["restored"] === "true");
  }

  /** Goes back to the page, or forward to it, until the title has this in it. */
  async traverse(steps: -1 | 1, title = "Bank"): Promise<void> {
    await this.#tab.traverse(steps);
    await expect.poll(() => this.evaluate(() => document.title).catch(() => "")).toContain(title);
  }

  async reload(): Promise<void> {
    await this.evaluate(() => void Object.assign(document.body.dataset, { old: "" }));
    await this.#tab.reload();
    await expect.poll(() => this.evaluate(() => "old" in document.body.dataset).catch(() => true)).toBe(false);
  }

  /** Puts the window of another program in front. @returns what closes it, so that the page's window is in front again. */
  async openOtherWindow(): Promise<() => Promise<void>> {
    const close = await this.#display.openOtherWindow();
    await expect.poll(() => this.isInFront()).toBe(false);
    return async () => {
      await close();
      await expect.poll(() => this.isInFront()).toBe(true);
    };
  }

  /** From here on a button takes no focus when it is clicked, and the element that has it loses it, as in Safari. */
  async clickAsSafari(): Promise<void> {
    await this.evaluate(() => {
      addEventListener("mousedown", (event) => {
        const path = event.composedPath();
        if (event.defaultPrevented || !path.some((target) => target instanceof HTMLButtonElement)) return;
        event.preventDefault();
        let active = document.activeElement;
        while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
        if (active instanceof HTMLElement) active.blur();
      });
    });
  }

  /** Sets the colours of the page, as its owner does. The component follows. */
  async setColorScheme(scheme: "light" | "dark"): Promise<void> {
    await this.evaluate(
      (scheme) => document.querySelector("[name=color-scheme]")?.setAttribute("content", scheme),
      scheme,
    );
  }

  /** What axe finds on the page, as rule and elements. @param rule the only one to check. */
  async findViolations(rule?: string): Promise<string[][]> {
    // A step that comes in is half transparent.
    await this.waitForRest();
    if (!(await this.evaluate(() => "axe" in window))) await this.#tab.evaluate(`() => { ${axeSource} }`, []);
    return this.evaluate(
      async (options) => {
        const { axe } = window as unknown as {
          axe: { run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
        };
        const { violations } = await axe.run(options);
        return violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]);
      },
      rule ? { runOnly: rule } : {},
    );
  }

  screenshot(): Promise<Uint8Array> {
    return this.#tab.screenshot();
  }
}

/** The middle of an element, scrolled to, if a click there reaches it. Runs in the page. */
function findPlace(selector: string): readonly [x: number, y: number] | undefined {
  const root = document.querySelector("bank-login")?.shadowRoot;
  const element = root?.querySelector(selector) ?? document.querySelector(selector);
  if (!element || element.matches(":disabled")) return undefined;
  element.scrollIntoView({ block: "nearest" });
  const { x, y, width, height } = element.getBoundingClientRect();
  const place = [x + width / 2, y + height / 2] as const;
  const hit = (element.getRootNode() as ShadowRoot | Document).elementFromPoint(...place);
  return element.contains(hit) ? place : undefined;
}

/** Defines tests for each browser. Its window is opened once for them; each test has a page and a site of its own. */
export function inEachBrowser(
  define: (open: (attributes?: string, hasUsers?: boolean) => Promise<BankPage>, name: keyof typeof browsers) => void,
): void {
  describe.each(Object.keys(browsers) as (keyof typeof browsers)[])("%s", (name) => {
    let display: Display;
    let browser: Browser;
    beforeAll(async () => {
      display = await openDisplay();
      browser = await browsers[name](display);
    });
    afterAll(async () => {
      await browser?.close();
      await display?.close();
    });
    define(async (attributes, hasUsers) => {
      const site = await openSite(attributes, { hasUsers: hasUsers ?? false });
      const tab = await browser.open();
      onTestFinished(tab.close);
      await tab.goto(site.url);
      const page = new BankPage(site, tab, display);
      // Chromium does not always notice that its window is the active one, when it is slow to open.
      const isInFront = async () => (await page.isInFront()) || tab.activate();
      await expect.poll(isInFront, { interval: 500 }).toBe(true);
      return page;
    }, name);
  });
}
