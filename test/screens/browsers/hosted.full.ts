import { describe, expect, onTestFinished, test } from "vitest";
import { expectedId } from "../../bank/service.ts";
import { stage } from "../../servers/hosted/stage.ts";
import { listen } from "../../servers/relay/stage.ts";
import { type BankPage, inEachBrowser } from "./bank-page.ts";
import { openHttp2 } from "./http2.ts";

/** A hosted login behind https, as in production, and the page that it goes back to. */
async function stageHosted(isSecure: boolean) {
  let target = "";
  /** What a proxy does with the next form: it passes it on and loses the response, or it does not pass it on. */
  let lost: "response" | "request" | undefined;
  const loseNext = (what: typeof lost) => {
    lost = what;
  };
  const forward = async (path: string, init: RequestInit) => {
    const pass = () => fetch(`${target}${path}`, { ...init, redirect: "manual" });
    if (init.method !== "POST" || lost === undefined) return pass();
    const what = lost;
    lost = undefined;
    if (what === "response") await pass();
    return new Response("<h1>Bad gateway</h1>", { status: 502, headers: { "content-type": "text/html" } });
  };
  const proxy = await openHttp2(forward, []);
  onTestFinished(proxy.close);
  const back = await listen((_, response) => {
    response.setHeader("content-type", "text/html").end("<!doctype html><title>Shop</title><h1>Back at the shop</h1>");
  });
  const set = await stage({ returnTo: [back], ...(isSecure && { url: `${proxy.url}/login` }) });
  target = set.origin;
  return { ...set, back, loseNext };
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
      await page.waitForStep("enteringCredentials");
      await expect.poll(() => page.readValue("[name=username]")).toBe("12345otp");
      await page.fill("password", "asdfg");
      await page.click('[data-verb="submit"]');
      await page.waitForStep("answering");
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

  test("a person who closes the page before a submit goes back, and can come again", async () => {
    const page = await open();
    const { hosted, back } = await stageHosted(true);
    const { id, url } = await hosted.create({ user: "42", returnTo: back });
    await page.goto(url);
    await page.waitForStep("choosingProvider");
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
    await page.waitForStep("enteringCredentials");
    await page.fill("password", "asdfg");
    await page.click('[data-verb="submit"]');
    await page.waitForStep("answering");
    await page.goto(url);
    await page.waitForStep("answering");
    expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }))).toBe("{}");
    await page.fill("otp", "8888");
    await page.click('[data-verb="answer"]');
    await expect.poll(() => readAddress(page)).toBe(`${back}/?session=${id}&status=logged_in`);
    expect(posts()).toHaveLength(2);
  });

  test("a response that a proxy has lost is asked for, at the form and at the question; nothing is sent twice", async () => {
    const page = await open();
    const { hosted, back, posts, loseNext } = await stageHosted(true);
    const { id, url } = await hosted.create({ user: "42", provider: "test", username: "12345otp", returnTo: back });
    await page.goto(url);
    await page.waitForStep("enteringCredentials");
    await page.fill("password", "asdfg");
    loseNext("response");
    await page.click('[data-verb="submit"]');
    await page.waitForStep("answering");
    await page.fill("otp", "8888");
    loseNext("response");
    await page.click('[data-verb="answer"]');
    await expect.poll(() => readAddress(page)).toBe(`${back}/?session=${id}&status=logged_in`);
    expect(posts()).toHaveLength(2);
  });

  test("a form that has not come is told to have not, and one press sends it", async () => {
    const page = await open();
    const { hosted, back, posts, loseNext } = await stageHosted(true);
    const { id, url } = await hosted.create({ user: "42", provider: "test", username: "12345", returnTo: back });
    await page.goto(url);
    await page.waitForStep("enteringCredentials");
    await page.fill("password", "gfdsa");
    loseNext("request");
    await page.click('[data-verb="submit"]');
    await expect.poll(() => page.readText()).toContain("Could not connect.");
    expect(await page.readText()).not.toContain("may have reached");
    expect(posts()).toHaveLength(0);
    await page.fill("password", "gfdsa");
    await page.click('[data-verb="submit"]');
    await expect.poll(() => readAddress(page)).toBe(`${back}/?session=${id}&status=logged_in`);
    expect(posts()).toHaveLength(1);
  });
});
