import { spawnSync } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { describe, expect } from "vitest";
import { findFirstSentence } from "../../docs/.vitepress/plain-text.ts";
import { logInUntilQuestion } from "../screens/browser/play.ts";
import { test } from "../screens/browser/screen-page.ts";
import { serveFolder, setUpServer } from "../screens/browser/vite.ts";

// What `npm run site` has built. That fails on a link that leads nowhere.
const folder = fileURLToPath(new URL("../../site/", import.meta.url));
const site = setUpServer(() => serveFolder(folder));

const { stdout: isShallow } = spawnSync("git", ["rev-parse", "--is-shallow-repository"], { encoding: "utf8" });
const hasHistory = isShallow === "false\n";

const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".html"));
const pages = await Promise.all(names.map(async (name) => [name, await readFile(`${folder}${name}`, "utf8")] as const));
const docs = (await readdir(new URL("../../docs", import.meta.url))).filter((name) => /(?<!^index)\.md$/.test(name));

describe("the site", () => {
  test("begins with a login, beside the statechart that drives it, and no request leaves it", async ({ open }) => {
    const { url } = site();
    const screen = await open("about:blank");
    const addresses: string[] = [];
    screen.page.on("request", (request) => addresses.push(request.url()));
    await screen.page.goto(url);
    expect(await screen.page.title()).toBe("A bank login as one statechart | ventanilla");
    await screen.logIn("test", "12345otp", "asdfg");
    await screen.page.frameLocator("iframe").locator("#state").getByText("awaitingInteraction").waitFor();
    await screen.answer("8888");
    await screen.waitForState("linked");
    expect(screen.consoleErrors).toEqual([]);
    expect(addresses.filter((address) => !address.startsWith(url) && !address.startsWith("data:"))).toEqual([]);
  });

  test("finds first what somebody searches for", async ({ open }) => {
    const { page } = await open(`${site().url}tutorial.html`);
    // The box opens with the results of the search before: no two rows in a row find the same page.
    for (const [words, found] of [
      ["what banks ask", "/guide.html#what-banks-ask"],
      ["tutorial", "/tutorial.html"],
      ["outcome_unknown", "/errors.html"],
      ["createRelay", "/relay.html"],
      ["docker", "/production.html"],
      ["versioning", "/versions.html"],
      ["production", "/production.html"],
      ["session key", "/questions.html#where-is-my-session-key"],
      ["how do I log in from Python", "/readme.html#where-people-log-in"],
      ["why 403 from the relay", "/relay.html#http-403"],
      ["how do I test without a bank", "/sandbox.html#test-without-a-bank"],
      ["how do I add French", "/questions.html#can-it-speak-french"],
      ["what happens when the person closes the tab", "/questions.html#what-if-the-person-closes-the-tab"],
      ["how long do 10,000 logins take", "/questions.html#how-long-do-10000-logins-take"],
      ["how do I take a new version", "/questions.html#how-do-i-take-a-new-version"],
      ["GDPR", "/questions.html#gdpr-what-is-kept-of-a-person"],
    ] as const) {
      await page.getByRole("button", { name: "Search" }).click();
      await page.getByRole("searchbox").fill(words);
      const first = page.locator(".VPLocalSearchBox a.result").first();
      await expect.poll(() => first.getAttribute("href"), { message: words }).toContain(found);
      await first.locator(".excerpt").waitFor();
      await first.click();
      await expect.poll(() => page.url(), { message: words }).toContain(found);
    }
  });

  test("has no link to a page, a section or a file that is not there", async () => {
    const files = new Set(await readdir(folder, { recursive: true }));
    const ids = new Map(pages.map(([name, html]) => [name, new Set(html.match(/(?<=\sid=")[^"]+/g))]));
    const dead = pages.flatMap(([name, html]) =>
      [...html.matchAll(/\s(?:href|src)="([^"]+)"/g)].flatMap(([, link = ""]) => {
        const { protocol, pathname, hash } = new URL(link.replaceAll("&amp;", "&"), `file:///${name}`);
        if (protocol !== "file:") return [];
        const path = decodeURI(pathname.slice(1)).replace(/(^|\/)$/, "$1index.html");
        const isThere =
          files.has(path) && (hash === "" || !ids.has(path) || ids.get(path)?.has(decodeURI(hash.slice(1))));
        return isThere ? [] : [`${name}: ${link}`];
      }),
    );
    expect(dead).toEqual([]);
  });

  test.for(docs)("%s is described by its first sentence", async (name) => {
    const [, html = ""] = pages.find(([page]) => page === name.replace(/md$/, "html")) ?? [];
    const [, description = ""] = /<meta name="description" content="([^"]*)">/.exec(html) ?? [];
    const plain = description
      .replaceAll("&quot;", '"')
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&amp;", "&");
    expect(plain).toBe(findFirstSentence(await readFile(new URL(`../../docs/${name}`, import.meta.url), "utf8")));
    expect(html.includes("Last updated")).toBe(hasHistory);
  });

  test("shows its pictures in the colours of the page", async ({ open }) => {
    for (const name of ["element.html", "hosted.html", "inspection.html"]) {
      const { page } = await open(`${site().url}${name}`);
      const readShown = () =>
        page.locator(".vp-doc img:visible").evaluateAll((all) => all.map((image) => image.className));
      for (const [shown, other] of [
        ["dark", "light"],
        ["light", "dark"],
      ] as const) {
        await page.emulateMedia({ colorScheme: shown });
        await expect.poll(readShown, { message: name }).toContain(`only-${shown}`);
        expect(await readShown(), name).not.toContain(`only-${other}`);
      }
    }
  });

  test("fits a phone", async ({ open }) => {
    const { page } = await open("about:blank", { viewport: { width: 360, height: 800 } });
    for (const name of [
      "",
      "tutorial.html",
      "errors.html",
      "relay.html",
      "reference/ventanilla/functions/login.html",
    ]) {
      await page.goto(`${site().url}${name}`);
      expect(await page.evaluate(() => document.documentElement.scrollWidth), name).toBe(360);
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
    await screen.waitForState("linked");
    expect(screen.consoleErrors).toEqual([]);
    expect(addresses.filter((address) => !address.startsWith(url) && !address.startsWith("data:"))).toEqual([]);
  });

  test("has each page as plain text, for programs that read", async () => {
    const list = await readFile(`${folder}llms.txt`, "utf8");
    const everything = await readFile(`${folder}llms-full.txt`, "utf8");
    for (const name of docs) {
      const text = await readFile(new URL(`../../docs/${name}`, import.meta.url), "utf8");
      expect(list).toContain(`(/${name}): `);
      expect(await readFile(`${folder}${name}`, "utf8")).toBe(text);
      expect(everything).toContain(text);
    }
  });
});
