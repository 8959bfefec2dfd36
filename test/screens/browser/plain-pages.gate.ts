import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { describe, expect } from "vitest";
import { relayFor } from "../../../docs/examples/element/server.ts";
import { asWords } from "../../leaks/canaries.ts";
import { test as base, type ScreenPage } from "./screen-page.ts";
import { serveSite, strictPolicy } from "./site.ts";

declare global {
  interface Window {
    receive(message: string): void;
  }
}

// A gate test: a page names the built file by its hash, which `npm run docs` writes.
const file = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

/** Finds the file of a path on the page's own server. */
function findFile(path: string, folder: string): string {
  if (path === "/element.js") return file("dist/element.js");
  if (path.startsWith("/node_modules/ventanilla/")) return file(path.slice("/node_modules/ventanilla/".length));
  return path.startsWith("/node_modules/") ? file(path.slice(1)) : file(`docs/examples/${folder}${path}`);
}

const test = base.extend("servePages", ({ onTestFinished }) => async (folder: "plain" | "web-view", policy: string) => {
  const sessions: string[] = [];
  const { url, close } = await serveSite(
    (path) => findFile(path, folder),
    `${strictPolicy}; ${policy}`,
    (origin) => relayFor(origin, (session) => sessions.push(session)),
  );
  onTestFinished(close);
  return { url, sessions };
});

test.for([
  ["index.html", "one file, by its hash", "script-src 'self'"],
  ["shared.html", "an import map", "script-src 'self' 'unsafe-inline'"],
])("docs/examples/plain/%s logs in with %s and no bundler", async ([name, , policy = ""], { open, servePages }) => {
  const { url, sessions } = await servePages("plain", policy);
  const screen = await open(`${url}/${name}`);
  await screen.logIn("test", "12345otp", "asdfg");
  await screen.answer("8888");
  await screen.page.getByText("Session at test.").waitFor();
  expect(sessions).toEqual(["test [secret]"]);
  expect(screen.consoleErrors).toEqual([]);
});

test("dist/element.js imports nothing", async () => {
  const code = await readFile(file("dist/element.js"), "utf8");
  expect(code).not.toMatch(/\bimport\s*[({"'*]|\bimport\s+\w/);
});

describe("the page for the web view of an app", () => {
  /** Opens the page as an app that listens at a channel. */
  const inApp = test.extend("openInApp", ({ open, servePages }) => async (channel: string, query: string) => {
    // With a relay of its own: a relay limits the logins of one user.
    const { url } = await servePages("web-view", "script-src 'self'; style-src 'self'");
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
    const screen: ScreenPage = await open("about:blank", phone);
    const { page } = screen;
    const messages: string[] = [];
    await page.exposeFunction("receive", (message: string) => messages.push(message));
    await page.addInitScript((path) => {
      const open = ([name, ...rest]: string[]): object =>
        name ? { [name]: open(rest) } : { postMessage: (message: string) => window.receive(message) };
      Object.assign(window, open(path.split(".")));
    }, channel);
    await page.goto(`${url}/index.html?${query}`);
    return { screen, page, messages };
  });

  inApp.for(["webkit.messageHandlers.ventanilla", "ventanilla", "ReactNativeWebView"])(
    "sends the app its events by %s, and no secret",
    async (channel, { openInApp }) => {
      const { screen, messages } = await openInApp(channel, "provider=test");
      await screen.submit({ username: "12345otp", password: "canary-password" });
      await screen.waitForState("failed");
      await screen.submit({ password: "asdfg" });
      await screen.answer("8888");
      await screen.waitForState("linked");
      const events = messages.map((message) => JSON.parse(message));
      expect(events.filter(({ type }) => type !== "state")).toEqual([
        { type: "failure", code: "wrong_credentials", recovery: "correct", text: expect.any(String) },
        { type: "login", id: expect.any(String), provider: "test" },
      ]);
      expect(events.filter(({ type }) => type === "state").map(({ state }) => state)).toEqual(
        expect.arrayContaining(["idle", "submitting", "failed", "awaitingInteraction", "linked"]),
      );
      expect(messages.join()).not.toMatch(asWords("12345otp", "canary-password", "asdfg", "8888"));
      // The relay's keys are sealed tokens, the service's are UUIDs, as is the login's id.
      expect(messages.join().replaceAll(/"id":"[^"]+"/g, "")).not.toMatch(/eyJ|[0-9a-f]{8}-[0-9a-f]{4}/);
    },
  );

  inApp("takes bank, language and colours from the app, the last two at any time", async ({ openInApp }) => {
    const { page } = await openInApp("ventanilla", "provider=test&locale=es&theme=dark");
    const readColorScheme = () => page.locator("bank-login").evaluate((login) => getComputedStyle(login).colorScheme);
    await page.getByLabel("Contraseña", { exact: true }).waitFor();
    const loaded = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
    expect(loaded.filter((address) => address.endsWith("/bank/provider/"))).toEqual([]);
    expect(await readColorScheme()).toContain("dark");
    await page.locator("bank-login").evaluate((login) => void Object.assign(login, { locale: "pt", theme: "light" }));
    await page.getByLabel("Senha", { exact: true }).waitFor();
    expect(await readColorScheme()).toContain("light");
  });

  inApp(
    "keeps what was typed and shows the focused field when the phone is turned or its keyboard opens",
    async ({ openInApp }) => {
      const { screen, page } = await openInApp("ventanilla", "provider=test");
      await screen.fill({ username: "12345otp", password: "asdfg" });
      const countLoads = () => page.evaluate(() => performance.getEntriesByType("resource").length);
      const loads = await countLoads();
      for (const [width, height] of [
        [844, 390],
        [844, 160],
        [390, 844],
        [390, 240],
      ] as const) {
        await page.setViewportSize({ width, height });
        await expect
          .poll(async () => {
            const box = await page.locator('[name="password"]').boundingBox();
            // A page scrolls by whole pixels.
            return box !== null && box.y > -1 && box.y + box.height < height + 1;
          })
          .toBe(true);
      }
      expect([await screen.valueOf("username"), await screen.valueOf("password")]).toEqual(["12345otp", "asdfg"]);
      expect(await countLoads()).toBe(loads);
      await screen.press("submit");
      await screen.waitForState("awaitingInteraction");
    },
  );
});
