import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { serveViewer } from "ventanilla/inspect";
import { loginMachine } from "ventanilla/machines/login";
import { build, type PreviewServer, preview } from "vite";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { createActor } from "xstate";
import { sources } from "../../docs/examples/sources.ts";
import { inspectLogin } from "../../src/inspect/browser.ts";
import { closePages, openChromium } from "../browser/chromium.ts";
import { findCanaries, newCanaries } from "../leaks/canaries.ts";
import { buildViewer } from "./build-viewer.ts";
import { statesIn } from "./states.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

let browser: Browser;
let server: PreviewServer;
let folder: string;
let url: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ventanilla-inspect-"));
  const config = {
    configFile: false,
    root: here("page"),
    logLevel: "error",
    resolve: {
      alias: [{ find: /^ventanilla\/inspect$/, replacement: here("../../src/inspect/browser.ts") }, ...sources],
    },
  } as const;
  const input = [here("page/index.html"), here("page/receiver.html")];
  const outDir = folder;
  [browser] = await Promise.all([
    openChromium(),
    buildViewer(),
    build({ ...config, build: { outDir, emptyOutDir: true, minify: false, rolldownOptions: { input } } }),
  ]);
  server = await preview({ ...config, build: { outDir }, preview: { port: 0, host: "127.0.0.1" } });
  url = server.resolvedUrls?.local[0] ?? "";
});
afterAll(async () => {
  await closePages(browser);
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

/** A page, and the window that watches its runs. */
async function watched(from: string): Promise<{ page: Page; watcher: Page }> {
  const context = await browser.newContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.goto(url);
  await page.evaluate((address) => {
    window.watchFrom = address;
  }, from);
  const [watcher] = await Promise.all([page.waitForEvent("popup"), page.click("button")]);
  await watcher.waitForLoadState();
  return { page, watcher };
}

const received = (watcher: Page) => watcher.evaluate(() => window.received);

describe("a page that follows the Stately handshake", () => {
  test("gets no secret", async () => {
    const canaries = newCanaries(["username", "password", "answer", "key", "question", "apiKey"]);
    const values = Object.fromEntries(Object.values(canaries).map(({ name, value }) => [name, value]));
    const { page, watcher } = await watched(`${url}receiver.html`);
    const reached = await page.evaluate((given) => window.runWithCanaries(given), values);
    expect(reached.map(({ value }) => value)).toEqual([
      '"idle"',
      '"submitting"',
      '"awaitingInteraction"',
      '"submitting"',
      '"loggedIn"',
    ]);
    await expect.poll(async () => statesIn(await received(watcher))).toEqual(reached);
    const messages = await received(watcher);
    expect(findCanaries([messages, JSON.stringify(messages)], Object.values(canaries))).toEqual([]);
    expect(JSON.stringify(messages)).toContain('"fields":["username","password"]');
  });

  test("gets nothing after stop()", async () => {
    const { page, watcher } = await watched(`${url}receiver.html`);
    await page.evaluate(() => window.stopWatching());
    await page.evaluate(() => window.runWithCanaries({}));
    expect(await received(watcher)).toEqual([]);
  });
});

describe("the offline viewer", () => {
  async function watchedInViewer() {
    const viewer = await serveViewer();
    onTestFinished(viewer.close);
    const opened = await watched(viewer.url);
    await opened.watcher.locator("#source", { hasText: "Waiting" }).waitFor();
    return opened;
  }

  test("shows the run of the page that opened it, from another origin", async () => {
    const { page, watcher } = await watchedInViewer();
    await page.evaluate(() => window.runWithCanaries({}));
    await watcher.locator("#state", { hasText: "login: loggedIn" }).waitFor();
    expect(await watcher.locator("#source").textContent()).toBe(`Watching ${new URL(url).origin}`);
    expect(await watcher.locator("svg:not([hidden]) .current").getAttribute("id")).toBe("login:loggedIn");
  });

  test("takes messages from the page that opened it only", async () => {
    const { watcher } = await watchedInViewer();
    const rows = await watcher.evaluate(async () => {
      const arrived = new Promise((resolve) => window.addEventListener("message", resolve, { once: true }));
      window.postMessage(
        { type: "@xstate.event", sessionId: "x:0", rootId: "x:0", event: { type: "forged" }, createdAt: "1" },
        "*",
      );
      await arrived;
      // The viewer shows a message in the next microtask.
      await Promise.resolve();
      return document.querySelectorAll("#log li").length;
    });
    expect(rows).toBe(0);
  });
});

describe("where there is no window", () => {
  test("`inspectLogin` of browsers does nothing", async () => {
    const complain = vi.spyOn(console, "error");
    onTestFinished(() => complain.mockRestore());
    const inspect = inspectLogin();
    expect(createActor(loginMachine, { input: {}, inspect }).start().getSnapshot().value).toBe("idle");
    expect(await inspect.address).toEqual({ viewer: "https://stately.ai/inspect", server: undefined });
    inspect.stop();
    expect(complain).not.toHaveBeenCalled();
  });

  test("it still refuses a history that is no whole number", () => {
    expect(() => inspectLogin({ history: -1 })).toThrow("invalid_input: history");
  });
});
