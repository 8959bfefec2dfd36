import { describe, expect, onTestFinished, test } from "vitest";
import { expectedId } from "../../bank/service.ts";
import { stage } from "../../servers/hosted/stage.ts";
import { listen } from "../../servers/relay/stage.ts";
import { type BankPage, inEachBrowser } from "./bank-page.ts";
import { openHttp2 } from "./http2.ts";

/**
 * A hosted login behind https, as in production, and the page that it goes back to.
 *
 * @param held the page learns where the session is after it. Not the script: the driver of WebKitGTK does nothing before it has loaded.
 */
async function stageHosted(isSecure: boolean, held?: Promise<void>) {
  let target = "";
  const forward = async (path: string, init: RequestInit) => {
    if (path.endsWith("/state/")) await held;
    return fetch(`${target}${path}`, { ...init, redirect: "manual" });
  };
  const proxy = await openHttp2(forward, []);
  onTestFinished(proxy.close);
  const back = await listen((_, response) => {
    response.setHeader("content-type", "text/html").end("<!doctype html><title>Shop</title><h1>Back at the shop</h1>");
  });
  const set = await stage({ returnTo: [back], ...(isSecure && { url: `${proxy.url}/login` }) });
  target = set.origin;
  return { ...set, back };
}

const readAddress = (page: BankPage) => page.evaluate(() => location.href).catch(() => "");

inEachBrowser((open, name) => {
  describe.each([
    ["http", false],
    ["https", true],
  ] as const)("over %s", (_, isSecure) => {
    test("a person opens a link, logs in with a code, and goes back", async () => {
      const page = await open();
      const { hosted, back, ends, posts } = await stageHosted(isSecure);
      const { id, url } = await hosted.create({ user: "42", provider: "test", username: "12345otp", returnTo: back });
      await page.goto(url);
      await page.waitForState("idle");
      await expect.poll(() => page.readValue("[name=username]")).toBe("12345otp");
      await page.fill("password", "asdfg");
      await page.click('[data-verb="submit"]');
      await page.waitForState("awaitingInteraction");
      await page.fill("otp", "8888");
      await page.click('[data-verb="answer"]');
      await expect.poll(() => readAddress(page)).toBe(`${back}/?session=${id}&status=logged_in`);
      await expect
        .poll(() => ends)
        .toEqual([
          { id, user: "42", status: "logged_in", provider: "test", login: expectedId, loggedInAt: expect.any(Date) },
        ]);
      expect(posts()).toHaveLength(2);
      // Opened again, in the same browser, it leads back.
      await page.goto(url);
      await expect.poll(() => readAddress(page)).toBe(`${back}/?session=${id}&status=logged_in`);
    });
  });

  test("what is typed before the component is there goes on in it, and nothing leaves before", async () => {
    const page = await open();
    let load = () => {};
    const { hosted, back, posts } = await stageHosted(true, new Promise((resolve) => (load = resolve)));
    const { url } = await hosted.create({ user: "42", provider: "test" });
    await page.goto(back);
    await page.evaluate((url) => location.assign(url), url);
    const focus = () => {
      const field = document.querySelector("#first-form")?.shadowRoot?.querySelector("input");
      field?.focus();
      // With its style: before that the page hides it from people.
      return (field?.clientHeight ?? 0) > 40;
    };
    await expect.poll(() => page.evaluate(focus).catch(() => false)).toBe(true);
    await page.type("135");
    await page.press("Enter");
    await page.evaluate(() => {
      const field = document.querySelector("#first-form")?.shadowRoot?.querySelector("input");
      field?.setSelectionRange(2, 2);
    });
    load();
    await page.waitForState("idle");
    await page.type("4");
    expect([name, await page.readValue("[name=username]")]).toEqual([name, "1345"]);
    expect([await readAddress(page), posts()]).toEqual([url, []]);
  });

  test("a person who closes the page before a submit goes back, and can come again", async () => {
    const page = await open();
    const { hosted, back } = await stageHosted(true);
    const { id, url } = await hosted.create({ user: "42", returnTo: back });
    await page.goto(url);
    await page.waitForState("choosingProvider");
    await page.click('[data-verb="cancelLink"]');
    await page.click('dialog [value="leave"]');
    await expect.poll(() => readAddress(page)).toBe(`${back}/?session=${id}&status=opened`);
    expect([name, (await hosted.read(id)).status]).toEqual([name, "opened"]);
  });

  test("a question is shown again after a reload, and nothing of it is in the browser", async () => {
    const page = await open();
    const { hosted, back, posts } = await stageHosted(true);
    const { id, url } = await hosted.create({ user: "42", provider: "test", username: "12345otp", returnTo: back });
    await page.goto(url);
    await page.waitForState("idle");
    await page.fill("password", "asdfg");
    await page.click('[data-verb="submit"]');
    await page.waitForState("awaitingInteraction");
    await page.goto(url);
    await page.waitForState("awaitingInteraction");
    expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }))).toBe("{}");
    await page.fill("otp", "8888");
    await page.click('[data-verb="answer"]');
    await expect.poll(() => readAddress(page)).toBe(`${back}/?session=${id}&status=logged_in`);
    expect(posts()).toHaveLength(2);
  });
});
