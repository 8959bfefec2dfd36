import type { Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { asWords } from "../../leaks/canaries.ts";
import { openSite } from "../browsers/stage.ts";
import { ScreenPage, test } from "./screen-page.ts";

/** A page with `<bank-login>` of a person whom the site knows. */
async function openAs(open: (url: string) => Promise<ScreenPage>, attributes = "") {
  const site = await openSite(attributes, { hasUsers: true, hasProxy: false });
  const screen = await open("about:blank");
  await screen.page.context().addCookies([{ name: "user", value: "ana", url: site.url }]);
  await screen.page.goto(site.url);
  return { site, screen, page: screen.page };
}

const readKept = (page: Page) => page.evaluate(() => JSON.stringify({ ...sessionStorage }));

test("a reload shows the question again, and storage has neither user name nor password nor answer", async ({
  open,
}) => {
  const { site, screen, page } = await openAs(open);
  await screen.logIn("test", "12345otp", "asdfg");
  await screen.waitForState("awaitingInteraction");
  expect(await readKept(page)).toMatch(/\\"number\\":1/);
  await page.reload();
  await screen.waitForState("awaitingInteraction");
  const respond = site.hold();
  await screen.answer("8888");
  await expect.poll(site.countLogins).toBe(2);
  expect(await readKept(page)).not.toMatch(asWords("12345otp", "asdfg", "8888"));
  await page.reload();
  await screen.waitForState("submitting");
  respond();
  await screen.waitForState("linked");
  expect(site.countLogins()).toBe(2);
  expect(await readKept(page)).toBe("{}");
});

test("a page that has crashed and is reloaded shows the question, and its answer is sent once", async ({ open }) => {
  const { site, screen, page } = await openAs(open);
  await screen.logIn("test", "12345otp", "asdfg");
  await screen.waitForState("awaitingInteraction");
  // Playwright gives a crashed page up. The browser does not.
  const browser = await page.context().newCDPSession(page);
  const crashed = page.waitForEvent("crash");
  // It never responds.
  browser.send("Page.crash").catch(() => undefined);
  await crashed;
  await browser.send("Page.reload");
  const read = async (expression: string) => {
    const { result } = await browser.send("Runtime.evaluate", { expression });
    return result.value;
  };
  const root = 'document.querySelector("bank-login").shadowRoot';
  await expect.poll(() => read(`${root}.textContent`)).toContain("OTP required");
  await read(`${root}.querySelector("[name=otp]").focus()`);
  await browser.send("Input.insertText", { text: "8888" });
  await read(`${root}.querySelector("form").requestSubmit()`);
  await expect.poll(() => read("sessionStorage.length")).toBe(0);
  expect(await read(`${root}.textContent`)).toContain("You are logged in");
  expect(site.countLogins()).toBe(2);
});

test("in a duplicated tab the question shows too; one answer is sent, and both tabs get what came of it", async ({
  open,
}) => {
  const { site, screen, page } = await openAs(open);
  await screen.logIn("test", "12345otp", "asdfg");
  await screen.waitForState("awaitingInteraction");
  // A window that a page opens gets a copy of its storage.
  const [second] = await Promise.all([
    page.waitForEvent("popup"),
    page.evaluate((url) => void window.open(url), site.url),
  ]);
  onTestFinished(() => second.close());
  const duplicate = new ScreenPage(second);
  await duplicate.answer("8888");
  await duplicate.waitForState("linked");
  await screen.answer("8888");
  await screen.waitForState("linked");
  expect(site.countLogins()).toBe(2);
});

test("a restart keeps nothing", async ({ open }) => {
  const { site, screen, page } = await openAs(open);
  await screen.logIn("test", "12345otp", "asdfg");
  await screen.waitForState("awaitingInteraction");
  await page.evaluate(() => document.querySelector("bank-login")?.restart());
  await screen.waitForState("choosingProvider");
  expect(await readKept(page)).toBe("{}");
  await page.reload();
  await screen.waitForState("choosingProvider");
  expect(site.countLogins()).toBe(1);
});

test("another account in the same tab sees no question of the first, which finds its own again", async ({ open }) => {
  const { site, screen, page } = await openAs(open, 'account="1"');
  await screen.logIn("test", "12345otp", "asdfg");
  await screen.waitForState("awaitingInteraction");
  const signInAs = (account: string) =>
    page.evaluate((account) => document.querySelector("bank-login")?.setAttribute("account", account), account);
  await signInAs("2");
  await screen.waitForState("choosingProvider");
  await signInAs("1");
  await screen.answer("8888");
  await screen.waitForState("linked");
  expect(site.countLogins()).toBe(2);
});

test("two components of a page keep a login each over a reload; a third of the same name warns", async ({ open }) => {
  const { site, page } = await openAs(open);
  const warnings: string[] = [];
  page.on("console", (message) => message.type() === "warning" && warnings.push(message.text()));
  const place = () =>
    page.evaluate(() => {
      document.querySelector("main")?.replaceChildren();
      for (const [name, id] of Object.entries({ a: "left", b: "right", c: "right" })) {
        const login = Object.assign(document.createElement("bank-login"), { id, relay: "/bank/", provider: "test" });
        login.dataset["name"] = name;
        document.querySelector("main")?.append(login);
      }
    });
  const find = (name: string, selector: string) => page.locator(`[data-name=${name}] ${selector}`);
  const logIn = async (name: string, username: string) => {
    await find(name, "[name=username]").fill(username);
    await find(name, "[name=password]").fill("asdfg");
    await find(name, "[data-verb=submit]").press("Enter");
    await find(name, '[data-state="awaitingInteraction"]').waitFor();
  };
  await place();
  for (const [name, username] of [
    ["a", "12345otp"],
    ["b", "12345pq"],
    ["c", "12345otp"],
  ] as const)
    await logIn(name, username);
  expect(site.countLogins()).toBe(3);
  expect(warnings.filter((text) => text.includes("can't be told apart"))).toHaveLength(1);
  await page.reload();
  await place();
  await find("a", '[data-state="awaitingInteraction"]').waitFor();
  await find("b", '[data-state="awaitingInteraction"]').waitFor();
  await find("c", '[data-state="idle"]').waitFor();
});
