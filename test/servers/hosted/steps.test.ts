import { createMemoryStore } from "ventanilla/tokens";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { startHeldSandbox, startService } from "../../bank/service.ts";
import { API_KEY } from "../relay/stage.ts";
import { createBrowser, stage } from "./stage.ts";

// A session is the state: its pages are views of it.

async function openOne(session: object = {}, options: Parameters<typeof stage>[0] = {}) {
  const set = await stage(options);
  const created = await set.hosted.create({ user: "42", ...session });
  const browser = createBrowser();
  await browser.open(created.url);
  return { ...set, ...created, browser };
}

/** A session whose bank asks for a code. */
async function openAsked(options: Parameters<typeof stage>[0] = {}) {
  const set = await openOne({}, options);
  const response = await set.browser.logIn("12345otp", "asdfg");
  expect(response.status).toBe("interaction_required");
  return { ...set, key: "step-1" };
}

/** A session whose login is with the bank, which does not respond until it is let. */
async function openHeld(username = "12345", password = "gfdsa", options: Parameters<typeof stage>[0] = {}) {
  const { bank, respond: release } = await startHeldSandbox({ apiKey: API_KEY });
  const set = await stage(options, { bank });
  const { id, url } = await set.hosted.create({ user: "42" });
  const browser = createBrowser();
  await browser.open(url);
  const login = browser.logIn(username, password);
  await expect.poll(set.posts).toHaveLength(1);
  return { ...set, id, url, browser, login, release };
}

describe("the question of a session", () => {
  test("is left by who has seen it and goes back to the form", async () => {
    const { browser, posts } = await openAsked();
    expect((await browser.logIn()).status).toBe("logged_in");
    expect(posts()).toHaveLength(2);
  });

  test("is over after five minutes, and the page shows the form", async () => {
    const { browser, posts, hosted, id } = await openAsked();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 300_000 });
    try {
      expect(await browser.resume()).toBeUndefined();
      expect((await browser.logIn()).status).toBe("logged_in");
    } finally {
      vi.useRealTimers();
    }
    expect((await hosted.read(id)).status).toBe("logged_in");
    expect(posts()).toHaveLength(2);
  });

  test("that is a picture is there after a reload", async () => {
    const picture = `data:image/png;base64,iVBORw0KGgo${"A".repeat(100_000)}`;
    const asked = { status: "interaction_required", key: "key-1", field: "captcha", context: picture };
    const bank = await startService(({ method }) =>
      method === "POST" ? { json: asked } : { http: 404, json: { status: "provider_doesnt_exist" } },
    );
    const { hosted } = await stage({}, { bank });
    const browser = createBrowser();
    await browser.open((await hosted.create({ user: "42" })).url);
    await browser.logIn("ana", "1234");
    expect((await browser.readQuestion()).context).toBe(picture);
  });

  test("comes again after a wrong answer, and its page says so", async () => {
    const { browser, url, posts } = await openOne();
    await browser.logIn("otp", "s3creto", "quetzal_mx");
    const second = await browser.answer("step-1", { otp: "000000" }, "quetzal_mx");
    expect(second.status).toBe("interaction_required");
    await browser.open(url);
    expect((await browser.readQuestion()).counted).toMatchObject({ number: 2, isRepeat: true, answersSent: 1 });
    expect((await browser.answer("step-2", { otp: "975310" }, "quetzal_mx")).status).toBe("logged_in");
    expect(posts()).toHaveLength(3);
  });
});

describe("a login that the bank works on", () => {
  test("in the memory of the one process costs no look: the page waits for the very request", async () => {
    const operations: string[] = [];
    const store = createMemoryStore({ rows: new Map() });
    const read: typeof store.read = (id) => {
      operations.push(id.replace(/:.*/, ""));
      return store.read(id);
    };
    const { browser, login, release } = await openHeld("12345otp", "asdfg", { store: { ...store, read } });
    await browser.resume();
    operations.length = 0;
    const waiting = browser.ask(1);
    await expect.poll(() => operations).toEqual(["login"]);
    release();
    expect([(await waiting).status, (await login).status]).toEqual(["interaction_required", "interaction_required"]);
    expect(operations).not.toContain("life");
  });

  test("for a long time has the page ask again: nothing is unknown yet", async () => {
    let looks = 0;
    const store = createMemoryStore({ rows: new Map() });
    const read: typeof store.read = (id) => {
      looks += 1;
      return store.read(id);
    };
    const { browser, login, release } = await openHeld("12345", "gfdsa", { store: { ...store, read } });
    await browser.resume();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"], shouldAdvanceTime: true });
    onTestFinished(() => void vi.useRealTimers());
    looks = 0;
    const waiting = browser.askOnce(1);
    await vi.waitFor(() => expect(looks).toBe(1));
    await vi.advanceTimersByTimeAsync(81_000);
    expect((await waiting).status).toBe(503);
    vi.useRealTimers();
    expect(await browser.resume()).toMatchObject({ number: 1 });
    release();
    expect((await login).status).toBe("logged_in");
  });
});

test("who leaves while the bank works reads that it may have got the login, at each opening", async () => {
  const doubt = "your details may have reached the bank";
  const { browser, url, hosted, id, release, login } = await openHeld();
  login.catch(() => undefined);
  expect((await browser.close()).status).toBe(200);
  for (const _ of [1, 2]) expect((await browser.open(url)).text).toContain(doubt);
  expect(await hosted.cancel(id)).toMatchObject({
    status: "cancelled",
    lastStep: "submitting",
    login: expect.any(String),
  });
  release();
  const asked = await openAsked();
  await asked.browser.close();
  expect((await asked.browser.open(asked.url)).text).not.toContain(doubt);
});

test("a submit that has not come is refused if it comes later, and the question stays", async () => {
  const { browser, key, posts } = await openAsked();
  const { session } = browser;
  expect((await browser.ask(2)).status).toBe("unknown_submit");
  const late = await browser.send(`${session.base}bank/login/`, {
    method: "POST",
    headers: {
      "x-ventanilla": "1",
      "x-ventanilla-login": session.id,
      "x-ventanilla-submit": "2",
      origin: new URL(session.base).origin,
      "content-type": "application/x-www-form-urlencoded",
      "x-session-key": key,
    },
    body: "provider=test&username=12345otp&password=asdfg&otp=8888",
  });
  expect(late.status).toBe(404);
  expect(posts()).toHaveLength(1);
  expect((await browser.readQuestion()).field).toBe("otp");
  expect((await browser.answer(key, { otp: "8888" })).status).toBe("logged_in");
});

test("a session takes a hundred submits, and no more", async () => {
  const { browser, posts } = await openOne();
  for (const _ of Array.from({ length: 100 })) await browser.logIn("12345", "wrong");
  await expect(browser.logIn()).rejects.toMatchObject({ code: "rate_limited" });
  expect(posts()).toHaveLength(100);
});
