import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { relayFor } from "../../docs/examples/element/server.ts";
import { openChromium } from "./chromium.ts";
import { openPage } from "./page.ts";
import { serveSite, strict } from "./site.ts";

declare global {
  interface Window {
    hear(text: string): void;
  }
}

// Here for what is built: these pages load the files that the package has.
const file = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
/** Where a file of the page's own server lies. */
function toFile(path: string, folder: string): string {
  if (path === "/element.js") return file("dist/element.js");
  if (path.startsWith("/node_modules/ventanilla/")) return file(path.slice("/node_modules/ventanilla/".length));
  return path.startsWith("/node_modules/") ? file(path.slice(1)) : file(`docs/examples/${folder}${path}`);
}

/** Serves the pages and their relay. */
async function servePages(folder: "plain" | "web-view", policy: string) {
  const sessions: string[] = [];
  const openRelay = (origin: string) => relayFor(origin, (session) => sessions.push(session));
  const site = await serveSite((path) => toFile(path, folder), policy, openRelay);
  return { ...site, sessions };
}

async function fillIn(page: Page, values: Readonly<Record<string, string>>, button: string): Promise<void> {
  for (const [label, value] of Object.entries(values)) await page.getByLabel(label, { exact: true }).fill(value);
  await page.getByRole("button", { name: button }).press("Enter");
}

test.each([
  ["index.html", "one file, by its hash", `${strict}; script-src 'self'`],
  ["shared.html", "an import map", `${strict}; script-src 'self' 'unsafe-inline'`],
])("docs/examples/plain/%s logs in with %s and no bundler", async (name, _what, policy) => {
  const { origin, sessions, close } = await servePages("plain", policy);
  const { page, complaints } = await openPage(`${origin}/${name}`);
  await page.getByLabel("Search").fill("prueba");
  await page.locator('[data-choice="test"]').press("Enter");
  await fillIn(page, { "User name": "12345otp", Password: "asdfg" }, "Log in");
  await fillIn(page, { "One-time code": "8888" }, "Continue");
  await page.getByText("Session at test.").waitFor();
  expect(sessions).toEqual(["test [secret]"]);
  expect(complaints).toEqual([]);
  await page.close();
  await close();
});

test("the file is whole: it imports nothing", async () => {
  const code = await readFile(file("dist/element.js"), "utf8");
  expect(code).not.toMatch(/\bimport\s*[({"'*]|\bimport\s+\w/);
});

describe("the page for the web view of an app", () => {
  /** Opens the page as an app does that has opened a channel for messages. */
  async function openInApp(channel: string, query: string) {
    // With a relay of its own: a relay limits the logins of one user.
    const { origin, close } = await servePages("web-view", `${strict}; script-src 'self'; style-src 'self'`);
    const context = await (await openChromium()).newContext({
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });
    const page = await context.newPage();
    const events: string[] = [];
    await page.exposeFunction("hear", (text: string) => events.push(text));
    await page.addInitScript((path) => {
      const open = (names: string[]): object => {
        const [name, ...rest] = names;
        return name === undefined ? { postMessage: (text: string) => window.hear(text) } : { [name]: open(rest) };
      };
      Object.assign(window, open(path.split(".")));
    }, channel);
    await page.goto(`${origin}/index.html?${query}`);
    const closeAll = async () => {
      await context.close();
      await close();
    };
    return { page, events, closeAll };
  }

  test.each(["webkit.messageHandlers.ventanilla", "ventanilla", "ReactNativeWebView"])(
    "tells the app by %s what happened, and no secret",
    async (channel) => {
      const { page, events, closeAll } = await openInApp(channel, "provider=test");
      await fillIn(page, { "User name": "12345otp", Password: "canary-password" }, "Log in");
      await page.getByText("The user name or the password is not right.").waitFor();
      await fillIn(page, { Password: "asdfg" }, "Log in");
      await fillIn(page, { "One-time code": "8888" }, "Continue");
      await page.locator('bank-login [data-step="linked"]').waitFor();
      const messages = events.map((text) => JSON.parse(text));
      expect(messages.filter(({ type }) => type !== "step")).toEqual([
        { type: "failure", code: "wrong_credentials", recovery: "correct", text: expect.any(String) },
        { type: "login", provider: "test" },
      ]);
      expect(messages.filter(({ type }) => type === "step").map(({ step }) => step)).toEqual(
        expect.arrayContaining(["enteringCredentials", "submitting", "failed", "answering", "linked"]),
      );
      for (const secret of ["12345otp", "canary-password", "asdfg", "8888"])
        expect(events.join()).not.toContain(secret);
      // A key of the relay's is a sealed token, of the service's a UUID.
      expect(events.join()).not.toMatch(/eyJ|[0-9a-f]{8}-[0-9a-f]{4}/);
      await closeAll();
    },
  );

  test("takes language and colours from the app, also while it shows", async () => {
    const { page, closeAll } = await openInApp("ventanilla", "provider=test&locale=es&theme=dark");
    await page.getByLabel("Contraseña", { exact: true }).waitFor();
    const colorScheme = () => page.locator("bank-login").evaluate((login) => getComputedStyle(login).colorScheme);
    expect(await colorScheme()).toContain("dark");
    await page.evaluate(() =>
      Object.assign(document.querySelector("bank-login") ?? {}, { locale: "pt", theme: "light" }),
    );
    await page.getByLabel("Senha", { exact: true }).waitFor();
    expect(await colorScheme()).toContain("light");
    await closeAll();
  });

  test("keeps what was typed when the phone is turned, and the field in sight when the keyboard opens", async () => {
    const { page, closeAll } = await openInApp("ventanilla", "provider=test");
    await page.getByLabel("User name").fill("12345otp");
    await page.getByLabel("Password", { exact: true }).fill("asdfg");
    const countLoads = () => page.evaluate(() => performance.getEntriesByType("resource").length);
    const loads = await countLoads();
    for (const size of [
      { width: 844, height: 390 },
      { width: 844, height: 160 },
      { width: 390, height: 844 },
      { width: 390, height: 240 },
    ]) {
      await page.setViewportSize(size);
      await expect
        .poll(async () => {
          const box = await page.getByLabel("Password", { exact: true }).boundingBox();
          return box !== null && box.y >= 0 && box.y + box.height <= size.height;
        })
        .toBe(true);
    }
    expect(await page.getByLabel("User name").inputValue()).toBe("12345otp");
    expect(await page.getByLabel("Password", { exact: true }).inputValue()).toBe("asdfg");
    expect(await countLoads()).toBe(loads);
    await page.getByRole("button", { name: "Log in" }).press("Enter");
    await page.getByLabel("One-time code").waitFor();
    await closeAll();
  });
});
