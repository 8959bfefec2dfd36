import { reveal } from "ventanilla";
import { createMemoryStore, type Store } from "ventanilla/tokens";
import { afterEach, describe, expect, test, vi } from "vitest";
import { startHeldSandbox } from "../../bank/service.ts";
import { readFailure } from "../../core/pause/paused.ts";
import { API_KEY, SEAL_KEY } from "../relay/stage.ts";
import { createBrowser, openRow, RECIPIENT, stage } from "./stage.ts";

afterEach(() => void vi.useRealTimers());

const MINUTE = 60_000;
/** Of a random text of the browser that began it. */
const DIGEST = expect.stringMatching(/^[\da-f]{64}$/);
const useClock = () => vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
const wait = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);

/** A store in memory, and what it has: the ids with a text that can still be read. */
function createOpenStore() {
  const store = createMemoryStore({ rows: new Map() });
  const ids = new Set<string>();
  const watched: Store = {
    ...store,
    swap(...change) {
      ids.add(change[0]);
      return store.swap(...change);
    },
  };
  const dump = () => [...ids].flatMap((id) => (store.read(id) === undefined ? [] : [`${id} ${store.read(id)}`]));
  /** What the row of a login has, opened with the seal key. */
  const open = (id: string) => openRow(id, String(store.read(`login:${id}`)));
  return { store: watched, dump, open };
}

/** A session whose person has logged in. */
async function openLoggedIn(options: Parameters<typeof stage>[0] = {}) {
  const set = await stage(options);
  const { id, url } = await set.hosted.create({ user: "42" });
  const browser = createBrowser();
  await browser.open(url);
  await browser.logIn();
  await set.hosted.finish();
  return { ...set, id, url, browser };
}

describe("the key", () => {
  test.each([
    ["ten minutes", undefined, 10 * MINUTE],
    ["a time of the options", 5_000, 5_000],
  ])("goes %s after it was handed over for the first time", async (_, keyRetention, time) => {
    useClock();
    const { store, open } = createOpenStore();
    const { hosted, bank, id } = await openLoggedIn({ store, ...(keyRetention && { keyRetention }) });
    const [key] = [...bank.keys];
    wait(3 * 60 * MINUTE);
    expect(await open(id)).toMatchObject({ key });
    expect(reveal(await hosted.takeKey(id, RECIPIENT))).toBe([...bank.keys][0]);
    // To ask again makes it no longer.
    wait(time - 1);
    expect(reveal(await hosted.takeKey(id, RECIPIENT))).toBe([...bank.keys][0]);
    wait(1);
    expect(await readFailure(hosted.takeKey(id, RECIPIENT))).toMatchObject({
      code: "key_unavailable",
      detail: "it was handed over and is forgotten",
    });
    await hosted.sweep();
    expect(await open(id)).not.toHaveProperty("key");
    expect(await hosted.read(id)).toMatchObject({ status: "logged_in" });
  });

  test("that is not taken stays for the retention", async () => {
    useClock();
    const { hosted, id, url } = await openLoggedIn({ retention: 60 * MINUTE });
    wait(74 * MINUTE);
    expect(await hosted.takeKey(id, RECIPIENT)).toBeDefined();
    wait(MINUTE);
    expect(await readFailure(hosted.read(id))).toMatchObject({ code: "session_not_found" });
    expect((await createBrowser().open(url)).status).toBe(404);
  });
});

test("the sessions of a user are listed, the newest first, and a hundred at most", async () => {
  useClock();
  const { hosted } = await stage();
  expect(await hosted.list("42")).toEqual([]);
  const ids: string[] = [];
  for (let count = 0; count < 103; count += 1) {
    wait(1);
    ids.unshift((await hosted.create({ user: "42" })).id);
  }
  await hosted.create({ user: "4" });
  await hosted.cancel(ids[1] ?? "");
  const listed = await hosted.list("42");
  expect(listed.map(({ id }) => id)).toEqual(ids.slice(0, 100));
  expect(listed.map(({ status }) => status).slice(0, 3)).toEqual(["created", "cancelled", "created"]);
});

test("a key that comes for a session which was cancelled meanwhile is not kept", async () => {
  const { bank, respond } = await startHeldSandbox({ apiKey: API_KEY });
  const { store, open } = createOpenStore();
  const { hosted, posts } = await stage({ store }, { bank });
  const { id, url } = await hosted.create({ user: "42" });
  const browser = createBrowser();
  await browser.open(url);
  const login = browser.logIn();
  await expect.poll(posts).toHaveLength(1);
  await hosted.cancel(id);
  respond();
  expect(await readFailure(login)).toMatchObject({ code: "not_signed_in" });
  await hosted.finish();
  expect(bank.keys.size).toBe(1);
  expect(await open(id)).not.toHaveProperty("key");
});

describe("to erase a user", () => {
  test("ends what is open, deletes all, notifies no one, and leaves others unchanged", async () => {
    const { hosted, ends } = await stage();
    const [one, other] = [
      await hosted.create({ user: "42", provider: "test", username: "12345" }),
      await hosted.create({ user: "43" }),
    ];
    const done = await hosted.create({ user: "42" });
    const browser = createBrowser();
    await browser.open(done.url);
    await browser.logIn();
    await hosted.finish();
    expect(ends).toHaveLength(1);
    expect(await hosted.erase("42")).toEqual({ sessions: 2, mayHaveArrived: 1 });
    await hosted.finish();
    expect(ends).toHaveLength(1);
    for (const { id, url } of [one, done]) {
      const calls = [hosted.read(id), hosted.takeKey(id, RECIPIENT), hosted.cancel(id)];
      for (const failure of await Promise.all(calls.map(readFailure))) {
        expect(failure).toMatchObject({ code: "session_not_found" });
      }
      expect((await browser.open(url)).status).toBe(404);
    }
    expect(await hosted.list("42")).toEqual([]);
    expect((await hosted.list("43")).map(({ id }) => id)).toEqual([other.id]);
    // The bank has got a login, which the call says again.
    expect(await hosted.erase("42")).toEqual({ sessions: 0, mayHaveArrived: 1 });
    expect(await hosted.erase("43")).toEqual({ sessions: 1, mayHaveArrived: 0 });
  });

  test("leaves nothing of it in the store but that there was one, for as long as a repeat can come", async () => {
    useClock();
    const { store, dump, open } = createOpenStore();
    const { hosted } = await stage({ store });
    const created = { user: "ana-4711", provider: "test", username: "12345otp", whenOpen: "reuse" } as const;
    const { id, url } = await hosted.create(created);
    const browser = createBrowser();
    await browser.open(url);
    await browser.readState();
    expect((await browser.logIn("12345otp", "asdfg")).status).toBe("interaction_required");
    expect(await open(id)).toMatchObject({ door: { user: "ana-4711" }, step: { credentials: { password: "asdfg" } } });
    expect(await hosted.erase("ana-4711")).toEqual({ sessions: 1, mayHaveArrived: 1 });
    const left = dump().map((line) => line.replace(/:.*/, ""));
    // And when somebody looks, by whom nothing is found.
    expect(left.sort()).toEqual(["due", "due", "erased", "login"]);
    expect(await open(id)).toEqual({ isErased: true, mayHaveArrived: true, holder: DIGEST });
    wait(5 * MINUTE);
    expect(dump().map((line) => line.replace(/:.*/, ""))).toEqual(["due", "due"]);
    // The next session is made as if there had been none.
    expect((await hosted.create(created)).id).not.toBe(id);
  });

  test.each([
    ["logged_in", "12345", "gfdsa"],
    ["a question", "12345otp", "asdfg"],
  ])("while the bank works on a login keeps nothing of its result: %s", async (_, username, password) => {
    const { store, open } = createOpenStore();
    const { bank, respond } = await startHeldSandbox({ apiKey: API_KEY });
    const set = await stage({ store, logout: true }, { bank });
    const { id, url } = await set.hosted.create({ user: "42" });
    const browser = createBrowser();
    await browser.open(url);
    const working = browser.logIn(username, password).catch(({ code }) => code);
    await expect.poll(set.posts).toHaveLength(1);
    expect(await set.hosted.erase("42")).toEqual({ sessions: 1, mayHaveArrived: 1 });
    respond();
    expect(await working).toBe("not_signed_in");
    await set.hosted.finish();
    expect(await open(id)).toEqual({ isErased: true, mayHaveArrived: true, holder: DIGEST });
    // Nobody will ever have its key.
    expect(bank.paths().some((line) => line.startsWith("GET /logout/"))).toBe(username === "12345");
  });

  test("finds sessions that were made at another address, and with a seal key that is still in the list", async () => {
    const { store, open } = createOpenStore();
    const other = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
    const before = await stage({ store, url: "https://old.shop.example/", sealKey: other });
    const { id } = await before.hosted.create({ user: "ana-4711", provider: "test", whenOpen: "reuse" });
    const { hosted } = await stage({ store, sealKey: [SEAL_KEY, other] });
    expect(await hosted.erase("ana-4711")).toEqual({ sessions: 1, mayHaveArrived: 0 });
    expect(await open(id)).toEqual({ isErased: true, mayHaveArrived: false });
    expect(store.list("open:", 10)).toEqual([]);
  });

  test("that fails at any step is repeated", async () => {
    const { store } = createOpenStore();
    let left = Number.POSITIVE_INFINITY;
    const count = () => {
      left -= 1;
      if (left < 0) throw new TypeError("down");
    };
    const failing: Store = {
      ...store,
      swap(...change) {
        count();
        return store.swap(...change);
      },
      delete(id) {
        count();
        return store.delete(id);
      },
    };
    const { hosted } = await stage({ store: failing });
    let failures = 0;
    for (let isErased = false; !isErased; failures += 1) {
      left = Number.POSITIVE_INFINITY;
      const { id } = await hosted.create({ user: "ana-4711", provider: "test", username: "12345", whenOpen: "reuse" });
      left = failures;
      isErased = await hosted.erase("ana-4711").then(
        () => true,
        () => false,
      );
      left = Number.POSITIVE_INFINITY;
      await hosted.erase("ana-4711");
      expect(await readFailure(hosted.read(id))).toMatchObject({ code: "session_not_found" });
      expect([store.list("user:", 10), store.list("open:", 10)]).toEqual([[], []]);
    }
    expect(failures).toBeGreaterThan(3);
  });
});
