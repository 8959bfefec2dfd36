import { setTimeout as wait } from "node:timers/promises";
import { createBankClient } from "ventanilla";
import type { HostedLoginOptions, NewHostedSession } from "ventanilla/hosted";
import { createSandbox } from "ventanilla/sandbox";
import { createMemoryStore, type Store } from "ventanilla/tokens";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { respondAs, startSandbox, startService } from "../../bank/service.ts";
import { readFailure } from "../../core/pause/paused.ts";
import { API_KEY } from "../relay/stage.ts";
import { createBrowser, stage } from "./stage.ts";

async function openOne(session: object = {}, options: Partial<HostedLoginOptions> = {}) {
  const set = await stage(options);
  const created = await set.hosted.create({ user: "42", ...session });
  const browser = createBrowser();
  await browser.open(created.url);
  return { ...set, ...created, browser };
}

describe("a session is bound to what it was made for", () => {
  test("a login at another bank is refused before anything is sent, and the session stays open", async () => {
    const { browser, posts, hosted, id } = await openOne({ provider: "test" });
    expect(await browser.logIn("blocked", "s3creto", "faro_uy")).toMatchObject({ status: "unauthorized_provider" });
    expect(posts()).toEqual([]);
    expect(await hosted.read(id)).toMatchObject({ provider: "test", status: expect.stringMatching(/created|opened/) });
    expect((await browser.logIn()).status).toBe("logged_in");
  });

  test("an answer at another bank too", async () => {
    const { browser, posts } = await openOne({ provider: "test" });
    await browser.logIn("12345otp", "asdfg");
    expect(await browser.answer("step-1", { otp: "8888" }, "faro_uy")).toMatchObject({
      status: "unauthorized_provider",
    });
    expect(posts()).toHaveLength(1);
    expect((await browser.answer("step-1", { otp: "8888" })).status).toBe("logged_in");
  });

  test("the end names the bank that answered", async () => {
    const { browser, hosted, id, ends } = await openOne({});
    await browser.logIn();
    expect(await hosted.read(id)).toMatchObject({ status: "logged_in", provider: "test" });
    await expect.poll(() => ends).toMatchObject([{ provider: "test" }]);
  });

  test("bindUsername refuses another user name before anything is sent", async () => {
    const { browser, posts } = await openOne({ provider: "test", username: "12345", bindUsername: true });
    expect(await browser.logIn("12345otp", "asdfg")).toMatchObject({ status: "username_differs" });
    expect(posts()).toEqual([]);
    expect((await browser.logIn(" 12345 ")).status).not.toBe("username_differs");
    expect((await browser.logIn()).status).toBe("logged_in");
  });

  test("without it the user name is a beginning", async () => {
    const { browser } = await openOne({ provider: "test", username: "12345otp" });
    expect((await browser.logIn()).status).toBe("logged_in");
  });

  test("a bank that does not exist is refused at once", async () => {
    const { hosted } = await stage();
    expect(await readFailure(hosted.create({ user: "42", provider: "nowhere" }))).toMatchObject({
      code: "invalid_input",
      field: "provider",
    });
  });

  test("a session is created even if the bank can't be asked", async () => {
    const client = createBankClient({ baseUrl: "http://127.0.0.1:9", apiKey: API_KEY, retry: false });
    const { hosted } = await stage({ client });
    expect(await hosted.create({ user: "42", provider: "nowhere" })).toMatchObject({ id: expect.any(String) });
  });

  test.each<[string, object]>([
    ["expires_in", { user: "42", expires_in: 60 }],
    ["bindUsername", { user: "42", bindUsername: true }],
    ["bindUsername", { user: "42", username: "ana", bindUsername: "yes" }],
    ["whenOpen", { user: "42", whenOpen: "reuse" }],
    ["whenOpen", { user: "42", provider: "test", whenOpen: "replace" }],
  ])("%s is refused: $1", async (field, session) => {
    const { hosted } = await stage();
    expect(await readFailure(hosted.create(session as NewHostedSession))).toMatchObject({
      code: "invalid_input",
      field,
    });
  });
});

describe("one open login for a person and a bank", () => {
  const session = { user: "42", provider: "test" } as const;

  test("is not the default", async () => {
    const { hosted } = await stage();
    const [first, second] = [await hosted.create(session), await hosted.create(session)];
    expect(first.id).not.toBe(second.id);
    expect((await hosted.read(first.id)).status).toBe("created");
  });

  test("whenOpen: reuse gives the open one, its address and its expiry", async () => {
    const { hosted, ends } = await stage();
    const first = await hosted.create({ ...session, whenOpen: "reuse" });
    await wait(2);
    expect(await hosted.create({ ...session, whenOpen: "reuse", expiresIn: 1_000 })).toEqual(first);
    for (const other of [
      { ...session, user: "43" },
      { ...session, provider: "faro_uy" },
    ]) {
      expect((await hosted.create({ ...other, whenOpen: "reuse" })).id).not.toBe(first.id);
    }
    const browser = createBrowser();
    await browser.open(first.url);
    await browser.logIn();
    const next = await hosted.create({ ...session, whenOpen: "reuse" });
    expect(next.id).not.toBe(first.id);
    expect(await hosted.create({ ...session, whenOpen: "reuse" })).toEqual(next);
    await expect.poll(() => ends.map(({ status }) => status)).toEqual(["logged_in"]);
  });

  test("whenOpen: reuse makes one for many calls at once, at two instances", async () => {
    const store = createMemoryStore({ rows: new Map() });
    const one = await stage({ store });
    const other = await stage({ store, url: `${one.origin}/login` });
    const calls = Array.from({ length: 20 }, (_, number) =>
      [one, other][number % 2]?.hosted.create({ ...session, whenOpen: "reuse" }),
    );
    expect(new Set((await Promise.all(calls)).map((created) => created?.url)).size).toBe(1);
    await Promise.all([one.hosted.finish(), other.hosted.finish()]);
    // Nobody is told of those that were dropped.
    await one.hosted.sweep();
    expect([...one.ends, ...other.ends]).toEqual([]);
  });

  test("whenOpen: cancel cancels the open one", async () => {
    const { hosted, ends } = await stage();
    const first = await hosted.create({ ...session, whenOpen: "cancel" });
    const second = await hosted.create({ ...session, whenOpen: "cancel" });
    expect((await hosted.read(first.id)).status).toBe("cancelled");
    expect((await hosted.read(second.id)).status).toBe("created");
    await expect.poll(() => ends).toMatchObject([{ id: first.id, status: "cancelled" }]);
  });
});

describe("the relay of a page", () => {
  const READS = ["provider/", "provider/test/", "client/", "transfer/destinations"];
  const headers = { "x-ventanilla": "1", "sec-fetch-site": "same-origin" };

  test("sends no read on without the session's cookie", async () => {
    const { bank, browser, origin, id } = await openOne({}, { clientSelection: true });
    const before = bank.requests.length;
    for (const path of READS) {
      for (const own of [{}, { "x-ventanilla-login": id }, { "x-ventanilla-login": "0".repeat(32) }]) {
        expect((await fetch(`${origin}/login/bank/${path}`, { headers: { ...headers, ...own } })).status).toBe(401);
      }
    }
    expect(bank.requests).toHaveLength(before);
    expect((await browser.client().listProviders()).status).toBe("success");
  });

  test("sends no read on after the end of its session", async () => {
    const { bank, browser, hosted, id } = await openOne();
    await hosted.cancel(id);
    const before = bank.requests.length;
    await expect(browser.client().listProviders()).rejects.toMatchObject({ code: "not_signed_in" });
    expect(bank.requests).toHaveLength(before);
  });

  test("limits repeated requests for the result of a submit", async () => {
    const seen: string[] = [];
    const { browser } = await openOne({}, { rateLimit: ({ kind }) => (seen.push(kind) > 5 ? 30_000 : 0) });
    await browser.logIn("12345", "wrong");
    const ask = async () => (await browser.ask(2)).status;
    expect([await ask(), await ask()]).toEqual(["unknown_submit", "unknown_submit"]);
    expect(seen).toEqual(["read", "login", "user", "read", "read"]);
    const limited = await browser.askOnce(2);
    expect([limited.status, limited.headers.get("retry-after")]).toEqual([429, "30"]);
  });

  test("asks the service for a bank's fields once a minute at most, whatever a browser wants", async () => {
    const bank = await startSandbox({ apiKey: API_KEY });
    const client = createBankClient({ baseUrl: bank.url, apiKey: API_KEY, retry: false, directory: {} });
    const set = await stage({ client }, { bank });
    const { url } = await set.hosted.create({ user: "42" });
    const browser = createBrowser();
    await browser.open(url);
    for (const maxAge of [1_000, 1_000, 5_000, 1_000]) await browser.client().getProvider("test", { maxAge });
    expect(bank.paths().filter((line) => line === "GET /provider/test/")).toHaveLength(1);
  });
});

/** A store whose clock is its own. As those of Redis and Postgres do, it gets lifetimes. */
function createStoreWithClock(): Store {
  const texts = new Map<string, { readonly text: string; readonly until: number }>();
  const read = (id: string) => {
    const kept = texts.get(id);
    return kept && kept.until > performance.now() ? kept.text : undefined;
  };
  return {
    read,
    swap(id, expected, text, lifetime) {
      if (read(id) !== expected) return false;
      texts.set(id, { text, until: performance.now() + lifetime });
      return true;
    },
    list: (prefix, limit) =>
      [...texts.keys()]
        .filter((id) => id.startsWith(prefix))
        .sort()
        .slice(0, limit),
    delete: (id) => texts.delete(id),
  };
}

test("an instance whose clock is minutes ahead of the store's ends no session", async () => {
  const { hosted, browser, id, ends } = await openOne({ provider: "test" }, { store: createStoreWithClock() });
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_600_000 });
  try {
    await hosted.sweep();
    expect((await hosted.read(id)).status).toBe("created");
  } finally {
    vi.useRealTimers();
  }
  expect(ends).toEqual([]);
  expect((await browser.logIn()).status).toBe("logged_in");
});

test.each([
  [true, 1],
  [false, 0],
])("a store that fails for good while the bank answers: outcome_unknown; logout: %s", async (logout, logouts) => {
  const store = createMemoryStore({ rows: new Map() });
  let isDown = false;
  const fail =
    <Name extends "swap" | "read">(name: Name) =>
    (...parameters: never[]): never => {
      if (isDown) throw new Error("down");
      // @ts-expect-error the same parameters for each
      return store[name](...parameters) as never;
    };
  const sandbox = createSandbox({ apiKey: API_KEY });
  const bank = await startService(
    respondAs((request) => {
      isDown ||= request.method === "POST";
      return sandbox(request);
    }),
  );
  const failing = { ...store, swap: fail("swap"), read: fail("read") };
  const set = await stage({ store: failing, logout }, { bank });
  const { id, url } = await set.hosted.create({ user: "42" });
  const browser = createBrowser();
  await browser.open(url);
  const now = performance.now.bind(performance);
  let passed = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now() + passed);
  onTestFinished(() => clock.mockRestore());
  const login = browser.logIn().catch(({ code }) => code);
  // The end is being written.
  await expect.poll(() => set.errors).toHaveLength(1);
  const drained = set.hosted.finish().then(() => "drained");
  expect(await Promise.race([drained, wait(500, "waiting")])).toBe("waiting");
  passed = 130_000;
  expect(await login).toBe("outcome_unknown");
  expect(await drained).toBe("drained");
  expect(bank.paths().filter((line) => line === "GET /logout/")).toHaveLength(logouts);
  isDown = false;
  expect((await set.hosted.read(id)).status).toBe("opened");
  expect(set.posts()).toHaveLength(1);
});
