import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { serveViewer } from "ventanilla/inspect";
import { build, type PreviewServer, preview } from "vite";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { sources } from "../../docs/examples/sources.ts";
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

/** A page whose runs are watched from another window. */
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

  test("gets nothing more once the watching is stopped", async () => {
    const { page, watcher } = await watched(`${url}receiver.html`);
    await page.evaluate(() => window.stopWatching());
    await page.evaluate(() =>
      window.runWithCanaries({ username: "u", password: "p", answer: "a", key: "k", apiKey: "a" }),
    );
    expect(await received(watcher)).toEqual([]);
  });
});

describe("the offline viewer", () => {
  test("shows what the page that opened it does, from another origin", async () => {
    const viewer = await serveViewer();
    onTestFinished(viewer.close);
    const { page, watcher } = await watched(viewer.url);
    await watcher.locator("#source", { hasText: "Waiting" }).waitFor();
    await page.evaluate(() =>
      window.runWithCanaries({ username: "u", password: "p", answer: "a", key: "k", apiKey: "a" }),
    );
    await watcher.locator("#state", { hasText: "login: loggedIn" }).waitFor();
    expect(await watcher.locator("#source").textContent()).toBe(`Watching ${new URL(url).origin}`);
    const lit = watcher.locator("svg:not([hidden]) .current");
    expect(await lit.getAttribute("id")).toBe("login:loggedIn");
  });

  test("takes nothing from anybody but the page that opened it", async () => {
    const viewer = await serveViewer();
    onTestFinished(viewer.close);
    const { watcher } = await watched(viewer.url);
    await watcher.locator("#source", { hasText: "Waiting" }).waitFor();
    const rows = await watcher.evaluate(async () => {
      const arrived = new Promise((resolve) => window.addEventListener("message", resolve, { once: true }));
      window.postMessage(
        { type: "@xstate.event", sessionId: "x:0", rootId: "x:0", event: { type: "forged" }, createdAt: "1" },
        "*",
      );
      await arrived;
      // What is taken is shown before anything else happens.
      await Promise.resolve();
      return document.querySelectorAll("#log li").length;
    });
    expect(rows).toBe(0);
  });
});
