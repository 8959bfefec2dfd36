import type { Page } from "playwright-core";
import { describe, expect, onTestFinished, vi } from "vitest";
import { expectedId } from "../../bank/service.ts";
import { stage } from "../../servers/hosted/stage.ts";
import { listen } from "../../servers/relay/stage.ts";
import { violationsIn } from "./axe.ts";
import { test as base, ScreenPage } from "./screen-page.ts";
import { listWronglyShown } from "./wrongly-shown.ts";

/** A shop to go back to, and a page of it for each link. */
const test = base.extend("start", ({ open }) => async (session: object = {}, options: object = {}) => {
  const visits: { readonly url: string; readonly referrer: string | undefined }[] = [];
  const shop = await listen((request, response) => {
    if (!request.url?.startsWith("/favicon"))
      visits.push({ url: request.url ?? "", referrer: request.headers.referer });
    response.setHeader("content-type", "text/html").end("<!doctype html><title>Shop</title><h1>Back at the shop</h1>");
  });
  const set = await stage({ returnTo: [shop], ...options });
  const created = await set.hosted.create({ user: "42", returnTo: `${shop}/done`, ...session });
  const openLink = async (url = created.url) => {
    const screen = await open("about:blank");
    const requests: string[] = [];
    screen.page.on("request", (request) => requests.push(request.url()));
    await screen.page.goto(url);
    return { screen, page: screen.page, requests };
  };
  return { ...set, ...created, shop, visits, openLink };
});

/** In each step of the page. */
const expectAllRight = async (page: Page) => expect(await page.evaluate(listWronglyShown, undefined)).toEqual([]);

test("a person opens a link, logs in with a code, and goes back to the shop", async ({ start }) => {
  const set = await start();
  const { screen, requests } = await set.openLink();
  const { page } = screen;
  await page.getByText(`Shop (${new URL(set.shop).host}) asks you to connect your bank.`).waitFor();
  await screen.waitForState("choosingProvider");
  expect((await set.hosted.read(set.id)).status).toBe("opened");
  await screen.logIn("test", "12345otp", "wrong");
  await screen.waitForState("failed");
  await expectAllRight(page);
  await screen.submit({ password: "asdfg" });
  await screen.waitForState("awaitingInteraction");
  await expectAllRight(page);
  expect((await set.hosted.read(set.id)).status).toBe("awaiting_interaction");
  await screen.answer("8888");
  await page.getByText("Back at the shop").waitFor();
  expect(set.visits).toEqual([{ url: `/done?session=${set.id}&status=logged_in`, referrer: undefined }]);
  await expect
    .poll(() => set.ends)
    .toEqual([
      {
        id: set.id,
        user: "42",
        status: "logged_in",
        provider: "test",
        login: expectedId,
        loggedInAt: expect.any(Date),
      },
    ]);
  expect(set.posts()).toEqual(["POST /login/", "POST /login/", "POST /login/"]);
  expect(screen.consoleErrors.filter((text) => !text.includes("403"))).toEqual([]);
  // Nothing comes from elsewhere, and the address is in no request but that of the page.
  const token = set.url.split("/").at(-1) ?? "";
  expect(new Set(requests.map((url) => new URL(url).origin))).toEqual(new Set([set.origin, set.shop]));
  expect(requests.filter((url) => url.includes(token)).every((url) => url === set.url)).toBe(true);
});

test("logging in again: bank and user name are there, the person types the password, and axe finds nothing", async ({
  start,
}) => {
  const set = await start({ provider: "test", username: "12345", locale: "es" });
  const { screen } = await set.openLink();
  await screen.page.getByText("le pide conectar su banco").waitFor();
  await screen.waitForState("idle");
  await expect.poll(() => screen.valueOf("username")).toBe("12345");
  expect(await screen.readFocus()).toBe("input#field-password.");
  expect(await screen.page.content()).not.toContain("12345");
  for (const [colorScheme, rules] of [
    ["light", "all"],
    ["dark", "colours"],
  ] as const) {
    await screen.page.emulateMedia({ colorScheme });
    expect(await violationsIn(screen.page, undefined, rules)).toEqual([]);
  }
  await screen.submit({ password: "gfdsa" });
  await screen.page.getByText("Back at the shop").waitFor();
  expect(set.posts()).toEqual(["POST /login/"]);
});

test("the form of a known bank needs two round trips and no script, and what is typed into it stays", async ({
  start,
}) => {
  const set = await start({ provider: "test" });
  const { screen, page } = await set.openLink("about:blank");
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/*.js?*", async (route) => {
    await held;
    await route.continue();
  });
  const tools = await page.context().newCDPSession(page);
  await tools.send("Network.enable");
  const initiators = new Map<string, string | undefined>();
  tools.on("Network.requestWillBeSent", ({ request, initiator }) => initiators.set(request.url, initiator.url));
  let bytes = 0;
  tools.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await page.goto(set.url, { waitUntil: "commit" });
  const username = page.locator("#first-form input").first();
  await username.waitFor();
  // The page, and what it names itself.
  expect([...initiators.values()].filter((url) => url !== set.url)).toEqual([undefined]);
  // At slow 3G that is 0.8 s and a quarter of a second: the time itself is in hosted-slow.full.ts.
  expect(bytes).toBeLessThan(12_000);
  const readShift = await screen.watchShift();
  await username.pressSequentially("123");
  release();
  await screen.waitForState("idle");
  // The caret is where it was.
  await page.keyboard.type("45");
  expect(await screen.valueOf("username")).toBe("12345");
  expect(await readShift()).toBeLessThan(0.05);
});

describe("the ×", () => {
  test("asks, and ends nothing before the first submit: the person can come back", async ({ start }) => {
    const set = await start();
    const { screen, page } = await set.openLink();
    await screen.waitForState("choosingProvider");
    await screen.press("cancelLink");
    await page.locator("#comes-back").waitFor();
    await screen.pressNamed("Stay");
    await screen.waitForState("choosingProvider");
    await screen.press("cancelLink");
    await screen.pressNamed("Leave");
    await page.getByText("Back at the shop").waitFor();
    expect(set.visits).toMatchObject([{ url: `/done?session=${set.id}&status=opened` }]);
    expect((await set.hosted.read(set.id)).status).toBe("opened");
    await page.goto(set.url);
    await screen.logIn("test", "12345", "gfdsa");
    await expect.poll(async () => (await set.hosted.read(set.id)).status).toBe("logged_in");
  });

  test("without a way back says that the link still works, and nothing that is hidden has a box", async ({ start }) => {
    const set = await start({ returnTo: undefined });
    const { screen, page } = await set.openLink("about:blank");
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/state/", async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(set.url);
    // The page does not know its time yet.
    await expectAllRight(page);
    release();
    await screen.waitForState("choosingProvider");
    await expectAllRight(page);
    await screen.press("cancelLink");
    await page.locator("#comes-back").waitFor();
    await expectAllRight(page);
    await screen.pressNamed("Leave");
    await page.locator("#left").waitFor();
    await expectAllRight(page);
    expect(await page.locator("#left").textContent()).toMatch(/It works until: \d{1,2}:\d\d/);
  });

  test("in a question says that it ends the login, and does so", async ({ start }) => {
    const set = await start();
    const { screen, page } = await set.openLink();
    await screen.logIn("test", "12345otp", "asdfg");
    await screen.waitForState("awaitingInteraction");
    await screen.press("cancelLink");
    await page.getByText("The login is cancelled then, and this link can't be used again.").waitFor();
    expect(await violationsIn(page)).toEqual([]);
    await screen.pressNamed("Stay");
    await screen.waitForState("awaitingInteraction");
    expect((await set.hosted.read(set.id)).status).toBe("awaiting_interaction");
    await screen.press("cancelLink");
    await screen.pressNamed("Leave");
    await page.getByText("Back at the shop").waitFor();
    expect(set.visits).toMatchObject([{ url: `/done?session=${set.id}&status=cancelled` }]);
  });
});

describe("the question", () => {
  const readStorage = (page: Page) =>
    page.evaluate(() => [JSON.stringify({ ...sessionStorage }), JSON.stringify({ ...localStorage }), document.cookie]);

  /** The same link in another tab of the browser. */
  async function openTab(page: Page, url: string): Promise<ScreenPage> {
    const opened = page.context().waitForEvent("page");
    await page.evaluate((address) => void window.open(address, "_blank", "noopener"), url);
    return new ScreenPage(await opened);
  }

  test("is shown again after a reload and in another tab, and nothing of it is in the browser", async ({ start }) => {
    const set = await start({ returnTo: undefined });
    const { screen, page } = await set.openLink();
    await screen.logIn("test", "12345otp", "asdfg");
    await screen.waitForState("awaitingInteraction");
    expect(await readStorage(page)).toEqual(["{}", "{}", ""]);
    await page.reload();
    await screen.waitForState("awaitingInteraction");
    await page.getByText("OTP required").waitFor();
    expect(await screen.readFocus()).toBe("input#field-otp.code");
    const tab = await openTab(page, set.url);
    await tab.waitForState("awaitingInteraction");
    expect(await readStorage(tab.page)).toEqual(["{}", "{}", ""]);
    await tab.answer("8888");
    await tab.page.getByText("Banco de prueba is connected. You can close this page.").first().waitFor();
    // The first tab learns it with its answer, and the bank gets no third request.
    await screen.answer("8888");
    await page.getByText("Banco de prueba is connected.").first().waitFor();
    expect(set.posts()).toHaveLength(2);
    await page.reload();
    await page.getByText("Banco de prueba is connected.").first().waitFor();
  });

  test("is left by the way back to the form, and another login begins", async ({ start }) => {
    const set = await start();
    const { screen, page } = await set.openLink();
    await screen.logIn("test", "12345otp", "asdfg");
    await screen.waitForState("awaitingInteraction");
    await screen.press("cancel");
    await screen.submit({ username: "12345", password: "gfdsa" });
    await page.getByText("Back at the shop").waitFor();
    expect(set.posts()).toHaveLength(2);
  });
});

test("a page that is still open learns at its next submit that the app has cancelled the login", async ({ start }) => {
  const set = await start();
  const { screen } = await set.openLink();
  await screen.choose("test");
  await screen.fill({ username: "12345", password: "gfdsa" });
  await set.hosted.cancel(set.id);
  await screen.press("submit");
  await screen.page.getByText("The login was cancelled. To continue, ask for a new link: Shop.").waitFor();
  expect(set.posts()).toEqual([]);
});

test("a browser that keeps no cookies is told what to allow", async ({ start, open }) => {
  const set = await start();
  const { page } = await open("about:blank");
  // Not by Playwright's own request, which would keep the cookie.
  await page.route(set.url, async (route) => {
    const response = await fetch(set.url);
    const { "set-cookie": _, ...headers } = Object.fromEntries(response.headers);
    await route.fulfill({ headers, body: await response.text() });
  });
  await page.goto(set.url);
  await page.getByText("Your browser does not accept cookies here.").waitFor();
  expect(await page.locator("bank-login").count()).toBe(0);
});

test("another page can neither frame the page nor reach its window", async ({ start, open }) => {
  const set = await start();
  const site = await listen((_, response) => {
    response.setHeader("content-type", "text/html").end(`<!doctype html><iframe src="${set.url}"></iframe>`);
  });
  const { page } = await open(site.replace("127.0.0.1", "localhost"));
  await expect.poll(() => page.frames().at(1)?.url()).toMatch(/^chrome-error:/);
  const opened = await page.evaluate((url) => {
    const other = window.open(url);
    return new Promise((resolve) => {
      const look = () => (other?.closed ? resolve("severed") : setTimeout(look, 10));
      look();
    });
  }, set.url);
  expect(opened).toBe("severed");
});

test("docs/examples/hosted.ts takes the key of who opens its link", async ({ open }) => {
  const printed: string[] = [];
  const log = vi.spyOn(console, "log").mockImplementation((...words) => void printed.push(words.join(" ")));
  onTestFinished(() => log.mockRestore());
  vi.stubEnv("PORT", "0");
  onTestFinished(() => void vi.unstubAllEnvs());
  await import("../../../docs/examples/hosted.ts");
  const url = printed[0]?.split(" ").at(-1) ?? "";
  const screen = await open(url);
  await screen.waitForState("idle");
  await screen.submit({ username: "12345", password: "gfdsa" });
  await expect.poll(() => printed.slice(1)).toEqual(["account 42: logged_in", "success"]);
});
