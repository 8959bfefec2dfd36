import type { HostedLoginOptions } from "ventanilla/hosted";
import { createMemoryStore } from "ventanilla/tokens";
import { expect, test } from "vitest";
import { createBrowser, stage } from "./stage.ts";

/** A hosted login, and the operations of its store. @param startedAt whether no other process has the store. */
async function openCounted(isLocal: boolean, options: Partial<HostedLoginOptions> = {}) {
  const { startedAt: _, ...store } = createMemoryStore({ rows: new Map() });
  let count = 0;
  const counting =
    <Parameters extends unknown[], Result>(work: (...parameters: Parameters) => Result) =>
    (...parameters: Parameters) => {
      count += 1;
      return work(...parameters);
    };
  const counted = {
    read: counting(store.read),
    swap: counting(store.swap),
    delete: counting(store.delete),
    list: counting(store.list),
    ...(isLocal && { startedAt: 0 }),
  };
  const set = await stage({ store: counted, ...options });
  const take = () => {
    const taken = count;
    count = 0;
    return taken;
  };
  return { ...set, take };
}

test.each([
  [true, 26, 18],
  [false, 26, 18],
])("a hosted login costs few operations of its store (one process: %s)", async (startedAt, asked, plain) => {
  for (const [form, most] of [
    [["12345otp", "asdfg"], asked],
    [["12345", "gfdsa"], plain],
  ] as const) {
    const { hosted, take } = await openCounted(startedAt);
    const browser = createBrowser();
    await browser.open((await hosted.create({ user: "42" })).url);
    await browser.resume();
    await browser.logIn(...form);
    if (most === asked) await browser.answer("step-1", { otp: "8888" });
    await hosted.finish();
    expect(take()).toBeLessThanOrEqual(most);
  }
});

test("a look costs one read, whatever a stranger has sent, which takes nothing from the person", async () => {
  const { hosted, take } = await openCounted(true);
  const { id, url } = await hosted.create({ user: "42" });
  const browser = createBrowser();
  await browser.open(url);
  await browser.logIn("12345otp", "asdfg");
  const stranger = createBrowser();
  Object.assign(stranger.session, browser.session);
  stranger.cookies.set("ventanilla", "A".repeat(43));
  take();
  for (let tries = 0; tries < 100; tries += 1) {
    await stranger.ask(2).catch(() => undefined);
    await stranger.answer("step-1", { otp: "0000" }).catch(() => undefined);
  }
  expect(take()).toBe(200);
  await browser.readState();
  expect(take()).toBe(2);
  await browser.readState();
  expect(take()).toBe(1);
  expect((await browser.answer("step-1", { otp: "8888" })).status).toBe("logged_in");
  expect((await hosted.read(id)).status).toBe("logged_in");
});

test("every request but that for a file is limited before a read, and a stranger is not in the log", async () => {
  const events: unknown[] = [];
  let isLimited = false;
  const { hosted, take, origin } = await openCounted(true, {
    rateLimit: () => (isLimited ? 30_000 : 0),
    onEvent: (event) => void events.push(event),
  });
  const { id, url } = await hosted.create({ user: "42" });
  const browser = createBrowser();
  await browser.open(url);
  await browser.logIn("12345otp", "asdfg");
  isLimited = true;
  take();
  const headers = { "x-ventanilla": "1", "x-ventanilla-login": id, "x-ventanilla-submit": "2", origin };
  const paths = ["state/", "bank/provider/", "bank/submit/", url.slice(`${origin}/login/`.length)];
  for (const path of paths) {
    expect((await browser.send(`${origin}/login/${path}`, { headers })).status, path).toBe(429);
  }
  expect((await browser.send(`${origin}/login/cancel/`, { method: "POST", headers })).status).toBe(429);
  expect((await browser.send(`${origin}/login/page.css`)).status).toBe(200);
  expect(take()).toBe(0);
  isLimited = false;
  events.length = 0;
  const stranger = createBrowser();
  Object.assign(stranger.session, browser.session);
  await stranger.answer("step-1", { otp: "0000" }).catch(() => undefined);
  expect(events).toMatchObject([{ httpStatus: 401 }]);
  expect(JSON.stringify(events)).not.toContain(id);
});

test("the numbers of the person's submits can't be taken beforehand", async () => {
  const { hosted, origin, posts } = await stage();
  const { id, url } = await hosted.create({ user: "42" });
  const browser = createBrowser();
  await browser.open(url);
  const stranger = createBrowser();
  await stranger.open(url);
  const headers = { "x-ventanilla": "1", "x-ventanilla-login": id, "x-ventanilla-submit": "9998", origin };
  expect((await stranger.send(`${origin}/login/bank/submit/`, { headers })).status).toBe(401);
  expect((await browser.logIn()).status).toBe("logged_in");
  expect(posts()).toHaveLength(1);
});
