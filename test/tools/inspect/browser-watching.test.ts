import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { loginMachine } from "ventanilla/machines/login";
import { build } from "vite";
import { describe, expect, vi } from "vitest";
import { createActor } from "xstate";
import { sources } from "../../../docs/examples/sources.ts";
import { inspectLogin } from "../../../src/tools/inspect/browser.ts";
import { serveViewer } from "../../../src/tools/inspect/server/viewer-server.ts";
import { findCanaries, newCanaries } from "../../leaks/canaries.ts";
import { test as base } from "../../screens/browser/screen-page.ts";
import { serveFolder, setUpServer } from "../../screens/browser/vite.ts";
import { sharedFolder } from "../../shared-folder.ts";
import { statesIn } from "./states.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const pages = setUpServer(async () => {
  const inBrowsers = { find: /^ventanilla\/inspect$/, replacement: here("../../../src/tools/inspect/browser.ts") };
  const input = [here("page/index.html"), here("page/receiver.html")];
  const folder = await sharedFolder("ventanilla-inspected-pages", (outDir) =>
    build({
      configFile: false,
      root: here("page"),
      logLevel: "error",
      resolve: { alias: [inBrowsers, ...sources] },
      build: { outDir, emptyOutDir: true, minify: false, rolldownOptions: { input } },
    }),
  );
  return serveFolder(folder);
});

const test = base
  /** Opens a page, and the window that watches its runs. */
  .extend("watch", ({ open }) => async (from: string): Promise<{ page: Page; watcher: Page }> => {
    const { page } = await open(pages().url);
    await page.evaluate((address) => {
      window.watchFrom = address;
    }, from);
    const [watcher] = await Promise.all([page.waitForEvent("popup"), page.click("button")]);
    await watcher.waitForLoadState();
    return { page, watcher };
  })
  .extend("watchInViewer", ({ watch, onTestFinished }) => async () => {
    const viewer = await serveViewer();
    onTestFinished(viewer.close);
    const opened = await watch(viewer.url);
    await opened.watcher.locator("#source", { hasText: "Waiting" }).waitFor();
    return opened;
  });

const received = (watcher: Page) => watcher.evaluate(() => window.received);

describe("a page that follows the Stately handshake", () => {
  test("gets no secret", async ({ watch }) => {
    const canaries = newCanaries(["username", "password", "answer", "key", "question", "apiKey"]);
    const values = Object.fromEntries(Object.values(canaries).map(({ name, value }) => [name, value]));
    const { page, watcher } = await watch(`${pages().url}receiver.html`);
    const reached = await page.evaluate((given) => window.runWithCanaries(given), values);
    expect(reached.map(({ value }) => value)).toEqual([
      '"idle"',
      '{"submitting":"sendingCredentials"}',
      '"awaitingInteraction"',
      '{"submitting":"sendingAnswer"}',
      '"loggedIn"',
    ]);
    await expect.poll(async () => statesIn(await received(watcher))).toEqual(reached);
    const messages = await received(watcher);
    expect(findCanaries([messages, JSON.stringify(messages)], Object.values(canaries))).toEqual([]);
    expect(JSON.stringify(messages)).toContain('"fields":["username","password"]');
  });

  test("gets nothing after stop()", async ({ watch }) => {
    const { page, watcher } = await watch(`${pages().url}receiver.html`);
    await page.evaluate(() => window.stopWatching());
    await page.evaluate(() => window.runWithCanaries({}));
    expect(await received(watcher)).toEqual([]);
  });
});

describe("the offline viewer", () => {
  test("shows the run of the page that opened it, from another origin", async ({ watchInViewer }) => {
    const { page, watcher } = await watchInViewer();
    await page.evaluate(() => window.runWithCanaries({}));
    await watcher.locator("#state", { hasText: "login: loggedIn" }).waitFor();
    expect(await watcher.locator("#source").textContent()).toBe(`Watching ${new URL(pages().url).origin}`);
    expect(await watcher.locator("svg:not([hidden]) .current").getAttribute("id")).toBe("login:loggedIn");
  });

  test("takes messages from the page that opened it only", async ({ watchInViewer }) => {
    const { watcher } = await watchInViewer();
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
  test("`inspectLogin` of browsers does nothing", async ({ onTestFinished }) => {
    const complain = vi.spyOn(console, "error");
    onTestFinished(() => complain.mockRestore());
    const inspect = inspectLogin();
    expect(createActor(loginMachine, { input: {}, inspect }).start().getSnapshot().value).toBe("idle");
    expect(await inspect.address).toEqual({ viewer: "https://stately.ai/inspect", server: undefined });
    inspect.stop();
    expect(complain).not.toHaveBeenCalled();
  });

  test("it still refuses a history that is not an integer", () => {
    expect(() => inspectLogin({ history: -1 })).toThrow("invalid_input: history");
  });
});
