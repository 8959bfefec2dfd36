import { createRelayClient } from "ventanilla";
import type { HostedLoginOptions } from "ventanilla/hosted";
import { createSandbox } from "ventanilla/sandbox";
import { createMemoryStore } from "ventanilla/tokens";
import { describe, expect, test } from "vitest";
import { respondAs, startService } from "../../bank/service.ts";
import { API_KEY } from "../relay/stage.ts";
import { createBrowser, stage } from "./stage.ts";

/** What may come in place of the server's response. */
const losses = {
  reset: () => {
    throw new TypeError("fetch failed", { cause: { code: "ECONNRESET" } });
  },
  502: () => new Response("<h1>Bad gateway</h1>", { status: 502 }),
  503: () => new Response("<h1>Unavailable</h1>", { status: 503 }),
  504: () => new Response("<h1>Time-out</h1>", { status: 504 }),
  403: () => new Response("<h1>Forbidden</h1>", { status: 403 }),
  "a web page": () => new Response("<!doctype html>", { headers: { "content-type": "text/html" } }),
} satisfies Record<string, () => Response>;

const FORM = { provider: "test", username: "12345", password: "gfdsa" };

/** A session whose page loses the response to its first form. @param isPassedOn whether the form has reached the server. */
async function openLosing(loss: keyof typeof losses, isPassedOn: boolean) {
  const set = await stage();
  const { id, url } = await set.hosted.create({ user: "42" });
  const browser = createBrowser();
  await browser.open(url);
  let isLost = false;
  const client = createRelayClient({
    baseUrl: `${browser.session.base}bank/`,
    retry: false,
    session: { id, lastSubmit: 0 },
    async fetch(input, init) {
      const headers = { ...Object.fromEntries(new Headers(init?.headers)), origin: set.origin };
      const send = () => browser.send(String(input), { ...init, headers });
      if (isLost || init?.method !== "POST") return send();
      isLost = true;
      if (isPassedOn) await send();
      return losses[loss]();
    },
  });
  return { ...set, client };
}

const all = Object.keys(losses) as (keyof typeof losses)[];

describe("a page whose response was lost", () => {
  test("asks for the result of its form, which the bank has received once", async () => {
    const found = all.map(async (loss) => {
      const { client, posts } = await openLosing(loss, true);
      return [loss, (await client.login(FORM)).status, posts().length];
    });
    expect(await Promise.all(found)).toEqual(all.map((loss) => [loss, "logged_in", 1]));
  });

  test("says that nothing was sent, if the form has not come; one press sends it", async () => {
    const found = all.map(async (loss) => {
      const { client, posts } = await openLosing(loss, false);
      const fault = await client.login(FORM).catch(({ code, detail }) => `${code}: ${detail}`);
      const before = posts().length;
      return [loss, fault, before, (await client.login(FORM)).status, posts().length];
    });
    const expected = all.map((loss) => [loss, "network_failed: NOT_RECEIVED", 0, "logged_in", 1]);
    expect(await Promise.all(found)).toEqual(expected);
  });
});

test("eight equal forms at once, of eight tabs, are one login, although the bank refuses it", async () => {
  const { hosted, posts } = await stage();
  const browser = createBrowser();
  await browser.open((await hosted.create({ user: "42" })).url);
  const tabs = Array.from({ length: 8 }, () => browser.openTab());
  const said = await Promise.all(tabs.map((tab) => tab.logIn("12345", "wrong")));
  expect(said.map(({ status }) => status)).toEqual(Array(8).fill("wrong_credentials"));
  expect(posts()).toHaveLength(1);
  // A tab with another form gets the result of the first one.
  const late = browser.openTab();
  expect((await late.logIn("12345", "gfdsa")).status).toBe("wrong_credentials");
  expect((await late.logIn("12345", "gfdsa")).status).toBe("logged_in");
  expect(posts()).toHaveLength(2);
});

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

test("a response that comes late to a slow bank is the session's: nothing is sent twice", async () => {
  const sandbox = createSandbox({ apiKey: API_KEY });
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const bank = await startService(
    respondAs(async (request) => {
      if (request.method === "POST") await held;
      return sandbox(request);
    }),
  );
  const { hosted, posts } = await stage({}, { bank });
  const browser = createBrowser();
  await browser.open((await hosted.create({ user: "42" })).url);
  const tab = browser.openTab();
  const first = browser.logIn();
  await expect.poll(posts).toHaveLength(1);
  const [asked, again] = [tab.ask(1), browser.openTab().logIn()];
  release();
  expect((await Promise.all([first, asked, again])).map(({ status }) => status)).toEqual(Array(3).fill("logged_in"));
  expect(posts()).toHaveLength(1);
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
