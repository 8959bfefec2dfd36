import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { describe, expect } from "vitest";
import { logInUntilQuestion } from "../screens/browser/play.ts";
import { test } from "../screens/browser/screen-page.ts";
import { serveFolder, setUpServer } from "../screens/browser/vite.ts";

// What `npm run site` has built. It fails on a link that leads nowhere.
const folder = fileURLToPath(new URL("../../site/", import.meta.url));
const site = setUpServer(() => serveFolder(folder));

describe("the site", () => {
  test("finds a page by a word, and shows it", async ({ open }) => {
    const { page, consoleErrors } = await open(site().url);
    expect(await page.title()).toBe("ventanilla");
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByRole("searchbox").fill("what banks ask");
    await page.locator(".VPLocalSearchBox a", { hasText: "What banks ask" }).first().click();
    await expect.poll(() => page.url()).toContain("/guide.html#what-banks-ask");
    await page.locator("#what-banks-ask").waitFor();
    expect(consoleErrors).toEqual([]);
  });

  test.for(["light", "dark"] as const)("fits a phone, %s", async (colorScheme, { open }) => {
    for (const name of ["", "errors.html", "relay.html", "reference/ventanilla/relay.html"]) {
      const { page } = await open(`${site().url}${name}`, { colorScheme, viewport: { width: 375, height: 812 } });
      expect(await page.evaluate(() => document.documentElement.scrollWidth), name).toBe(375);
    }
  });

  test("leads from an example that a page names to its code", async ({ open }) => {
    const { page } = await open(`${site().url}relay.html`);
    await page.getByRole("link", { name: "examples/relay.ts" }).click();
    await page.locator("#relayts").waitFor();
    expect(await page.locator("#relayts + div").innerText()).toContain("createRelay({");
  });

  test("has a playground, in which a login goes from a bank to its destinations in the page alone", async ({
    open,
  }) => {
    const { url } = site();
    const home = await open(url);
    const href = await home.page.getByRole("link", { name: "Playground" }).first().getAttribute("href");
    const screen = await open(new URL(href ?? "", url).href);
    const addresses: string[] = [];
    screen.page.on("request", (request) => addresses.push(request.url()));
    await logInUntilQuestion(screen);
    await screen.answer("8888");
    await screen.waitForStep("linked");
    expect(screen.consoleErrors).toEqual([]);
    expect(addresses.filter((address) => !address.startsWith(url) && !address.startsWith("data:"))).toEqual([]);
  });

  test("has each page as plain text, for programs that read", async () => {
    const list = await readFile(`${folder}llms.txt`, "utf8");
    const pages = (await readdir(new URL("../../docs", import.meta.url))).filter((name) => name.endsWith(".md"));
    const everything = await readFile(`${folder}llms-full.txt`, "utf8");
    for (const name of pages) {
      const text = await readFile(new URL(`../../docs/${name}`, import.meta.url), "utf8");
      expect(list).toContain(`(/${name}): `);
      expect(await readFile(`${folder}${name}`, "utf8")).toBe(text);
      expect(everything).toContain(text);
    }
  });
});
