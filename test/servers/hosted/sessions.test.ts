import { reveal, secret } from "ventanilla";
import type { HostedLoginOptions, NewHostedSession } from "ventanilla/hosted";
import { createMemoryStore } from "ventanilla/tokens";
import { afterEach, describe, expect, test, vi } from "vitest";
import { promised } from "../../bank/service.ts";
import { readFailure } from "../../core/pause/paused.ts";
import { createBrowser, RECIPIENT, SHOP, stage } from "./stage.ts";

afterEach(() => void vi.useRealTimers());

const useClock = () => vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
const MINUTE = 60_000;
const wait = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);

describe("a session", () => {
  test("has an address that can't be told from its id, and an expiry", async () => {
    useClock();
    const { hosted, origin } = await stage();
    const { id, url, expiresAt } = await hosted.create({ user: "42" });
    expect(url).toMatch(new RegExp(`^${origin}/login/[\\w-]{43}$`));
    expect(id).toMatch(/^[\da-f]{32}$/);
    expect(expiresAt).toEqual(new Date(Date.now() + 15 * MINUTE));
    expect(await hosted.read(id)).toEqual({ id, user: "42", over: false, status: "created", expiresAt });
  });

  test("keeps its bank, and its user name sealed", async () => {
    const written: string[] = [];
    const store = createMemoryStore({ rows: new Map() });
    const swap: typeof store.swap = (id, expected, text, ...rest) => {
      written.push(`${id} ${text}`);
      return store.swap(id, expected, text, ...rest);
    };
    const { hosted } = await stage({ store: { ...store, swap } });
    const { id, url } = await hosted.create({ user: "42", provider: "test", username: secret("ana-maria-4711") });
    expect(await hosted.read(id)).toMatchObject({ status: "created", provider: "test" });
    expect(written.map((line) => line.replace(/:.*/, "")).sort()).toEqual(["due", "login", "usable", "user"]);
    expect(written.join()).not.toContain("ana-maria-4711");
    expect(written.join()).not.toContain(url.split("/").at(-1));
  });

  test.each([
    ["before it notes the recipient", (work: () => unknown) => Promise.reject(new Error(`down, so no ${work.name}`))],
    [
      "after it has noted the recipient",
      async (work: () => unknown) => {
        await work();
        throw new Error("the connection broke");
      },
    ],
  ])("gives its key to the same recipient if the store failed %s", async (_, fail) => {
    const store = createMemoryStore({ rows: new Map() });
    let isDown = false;
    const swap: typeof store.swap = (...change) => {
      const work = () => store.swap(...change);
      return isDown ? (fail(work) as Promise<boolean>) : work();
    };
    const { hosted, bank } = await stage({ store: { ...store, swap } });
    const { id, url } = await hosted.create({ user: "42" });
    const browser = createBrowser();
    await browser.open(url);
    await browser.logIn();
    isDown = true;
    expect(await readFailure(hosted.takeKey(id, RECIPIENT))).toMatchObject({ code: "handler_failed", field: "store" });
    isDown = false;
    expect([reveal(await hosted.takeKey(id, RECIPIENT))]).toEqual([...bank.keys]);
    expect(await readFailure(hosted.takeKey(id, { idempotencyKey: "another job" }))).toMatchObject({
      code: "key_unavailable",
    });
  });

  test.each([undefined, ...["", 7, "x".repeat(256)].map((idempotencyKey) => ({ idempotencyKey }))])(
    "gives no key to a recipient without a usable name: %#",
    async (recipient) => {
      const { hosted } = await stage();
      const { id } = await hosted.create({ user: "42" });
      expect(await readFailure(hosted.takeKey(id, recipient as typeof RECIPIENT))).toMatchObject({
        code: "invalid_input",
        field: "idempotencyKey",
      });
    },
  );

  test.each(["", "0".repeat(32), "hosted", "../etc"])("is not found by %j", async (id) => {
    const { hosted } = await stage();
    for (const call of [hosted.read(id), hosted.takeKey(id, RECIPIENT), hosted.cancel(id)]) {
      expect(await readFailure(call)).toMatchObject({ code: "session_not_found" });
    }
  });

  test("is not found by a hosted login of another address in the same store", async () => {
    const store = createMemoryStore({ rows: new Map() });
    const [one, other] = [await stage({ store }), await stage({ store })];
    const { id } = await one.hosted.create({ user: "42", expiresIn: 1 });
    expect(await readFailure(other.hosted.read(id))).toMatchObject({ code: "session_not_found" });
    useClock();
    wait(MINUTE);
    await other.hosted.sweep();
    expect(one.ends).toEqual([]);
  });

  test.each<[string, NewHostedSession]>([
    ["user", { user: "" }],
    ["user", {} as NewHostedSession],
    ["provider", { user: "42", provider: "../bank" }],
    ["username", { user: "42", username: 7 as unknown as string }],
    ["locale", { user: "42", locale: "no locale" }],
    ["user", { user: "u".repeat(256) }],
    ["expiresIn", { user: "42", expiresIn: 0 }],
    ["returnTo", { user: "42", returnTo: "https://other.example/done" }],
    ["returnTo", { user: "42", returnTo: "https://shop.example.evil.example/" }],
    ["returnTo", { user: "42", returnTo: "javascript:alert(1)" }],
    ["returnTo", { user: "42", returnTo: "/done" }],
  ])("is refused for its %s", async (field, session) => {
    const { hosted } = await stage();
    expect(await readFailure(hosted.create(session))).toMatchObject({ code: "invalid_input", field });
  });
});

test.each<[string, object]>([
  ["url", { url: "http://login.shop.example" }],
  ["url", { url: "/login" }],
  ["url", { url: "https://login.shop.example/?a=b" }],
  ["name", { name: " " }],
  ["logo", { logo: "javascript:alert(1)" }],
  ["accent", { accent: "blue" }],
  // Too bright to be read on white.
  ["accent", { accent: "#ffdd00" }],
  ["returnTo", { returnTo: ["https://shop.example/"] }],
  ["returnTo", { returnTo: ["http://shop.example"] }],
  ["returnTo", { returnTo: SHOP }],
  ["retention", { retention: -1 }],
  ["savedLogins", { savedLogins: "false" }],
  ["keyRetention", { keyRetention: 0 }],
  ["onEnd", { onEnd: undefined }],
  ["onProgress", { onProgress: "opened" }],
  ["sealKey", { sealKey: "short" }],
  ["store", { store: {} }],
  ["client", { client: {} }],
])("the option %s is checked: %j", async (field, options) => {
  expect(await readFailure(stage(options as Partial<HostedLoginOptions>))).toMatchObject({
    code: "invalid_input",
    field,
  });
});

describe("an end", () => {
  test("is reported once, by the first instance that notices it", async () => {
    const { hosted, ends } = await stage();
    const { id } = await hosted.create({ user: "42", provider: "test" });
    expect(await hosted.cancel(id)).toMatchObject({ id, status: "cancelled" });
    expect(await hosted.cancel(id)).toMatchObject({ id, status: "cancelled" });
    await hosted.read(id);
    await hosted.sweep();
    await expect
      .poll(() => ends)
      .toEqual([{ id, user: "42", status: "cancelled", lastStep: "created", provider: "test" }]);
    await hosted.sweep();
    expect(ends).toHaveLength(1);
  });

  test("is an expiry if no one logs in, which a sweep notices too", async () => {
    useClock();
    const { hosted, ends } = await stage();
    const { id } = await hosted.create({ user: "42", expiresIn: MINUTE });
    await hosted.sweep();
    wait(MINUTE - 1);
    expect(await hosted.read(id)).toMatchObject({ status: "created" });
    wait(1);
    await Promise.all([hosted.sweep(), hosted.sweep(), hosted.read(id), hosted.cancel(id)]);
    await expect.poll(() => ends).toEqual([{ id, user: "42", status: "expired", lastStep: "created" }]);
    expect(await hosted.read(id)).toMatchObject({ status: "expired" });
    expect(ends).toHaveLength(1);
  });

  test("that onEnd throws at is told again a minute later, by any instance", async () => {
    useClock();
    const store = createMemoryStore({ rows: new Map() });
    const told: string[] = [];
    const { hosted, errors, origin } = await stage({
      store,
      onEnd: ({ id }) => {
        told.push(`first ${id}`);
        throw new TypeError("down");
      },
    });
    const other = await stage({ store, url: `${origin}/login`, onEnd: ({ id }) => void told.push(`other ${id}`) });
    const { id } = await hosted.create({ user: "42" });
    await hosted.cancel(id);
    await expect.poll(() => errors).toMatchObject([{ code: "handler_failed", field: "onEnd" }]);
    await other.hosted.sweep();
    wait(MINUTE);
    await other.hosted.sweep();
    await expect.poll(() => told).toEqual([`first ${id}`, `other ${id}`]);
    wait(MINUTE);
    await Promise.all([hosted.sweep(), other.hosted.sweep(), hosted.read(id)]);
    expect(told).toHaveLength(2);
  });

  test("that a sweep tells is waited for by finish, which lets it begin no other", async () => {
    useClock();
    const told: string[] = [];
    const { promise: held, keep: release } = promised();
    const { hosted } = await stage({
      async onEnd({ id }) {
        told.push(id);
        await held;
      },
    });
    for (let user = 1; user <= 101; user += 1) await hosted.create({ user: String(user), expiresIn: MINUTE });
    wait(MINUTE);
    const steps: string[] = [];
    const swept = hosted.sweep().then(() => steps.push("swept"));
    // A hundred at a time.
    await expect.poll(() => told).toHaveLength(100);
    const finished = hosted.finish().then(() => steps.push("finished"));
    release();
    await Promise.all([swept, finished]);
    expect(steps).toEqual(["swept", "finished"]);
    expect(told).toHaveLength(100);
    await hosted.sweep();
    expect(told).toHaveLength(101);
  });

  test("is told although another one is not heard of", async () => {
    useClock();
    const told: string[] = [];
    const { promise: held, keep: release } = promised();
    const { hosted } = await stage({
      onEnd({ user }) {
        told.push(user);
        return user === "1" ? held : undefined;
      },
    });
    for (const user of ["1", "2", "3"]) await hosted.create({ user, expiresIn: MINUTE });
    wait(MINUTE);
    const swept = hosted.sweep();
    await expect.poll(() => told.sort()).toEqual(["1", "2", "3"]);
    release();
    await swept;
  });

  test("that is not due costs a sweep nothing: it asks for the first hundred that are", async () => {
    useClock();
    const store = createMemoryStore({ rows: new Map() });
    const calls: string[] = [];
    const watched = new Proxy(store, {
      get(target, name: keyof typeof store) {
        const call = target[name] as (...parameters: unknown[]) => unknown;
        return (...parameters: unknown[]) => {
          calls.push([name, ...parameters].join(" ").replaceAll(/[\da-f]{15,}/g, "…"));
          return call(...parameters);
        };
      },
    });
    const { hosted } = await stage({ store: watched });
    for (let user = 0; user < 50; user += 1) await hosted.create({ user: String(user) });
    calls.length = 0;
    await hosted.sweep();
    expect(calls).toEqual(["list due:…: 100"]);
  });

  test("that can't be told keeps no sweep from those behind it, however many there are", async () => {
    useClock();
    const tried = new Set<string>();
    const { hosted } = await stage({
      onEnd({ user }) {
        tried.add(user);
        throw new TypeError("down");
      },
    });
    for (let user = 1; user <= 205; user += 1) await hosted.create({ user: String(user), expiresIn: MINUTE });
    wait(MINUTE);
    await hosted.sweep();
    expect(tried.size).toBe(205);
  });

  test("that can't be told stays due, once, however many instances sweep", async () => {
    useClock();
    const store = createMemoryStore({ rows: new Map() });
    let isDown = true;
    let told = 0;
    const onEnd = () => {
      if (isDown) throw new TypeError("down");
      told += 1;
    };
    const one = await stage({ store, onEnd });
    const other = await stage({ store, onEnd, url: `${one.origin}/login` });
    const { id } = await one.hosted.create({ user: "42", expiresIn: MINUTE });
    for (let minute = 0; minute < 10; minute += 1) {
      wait(MINUTE + 7);
      await Promise.all([one.hosted.sweep(), other.hosted.sweep()]);
      expect(await store.list("due:", 10)).toHaveLength(1);
    }
    isDown = false;
    wait(MINUTE);
    await Promise.all([one.hosted.sweep(), other.hosted.sweep()]);
    expect(told).toBe(1);
    wait(MINUTE);
    await other.hosted.sweep();
    expect(await store.list("due:", 10)).toEqual([]);
    expect(await one.hosted.read(id)).toMatchObject({ status: "expired" });
  });

  test("that can't be read does not keep a sweep from the others, and a sweep always resolves", async () => {
    useClock();
    const store = createMemoryStore({ rows: new Map() });
    let broken = "";
    const read: typeof store.read = (id) => (broken !== "" && id.includes(broken) ? "no JSON" : store.read(id));
    let isDown = false;
    const list: typeof store.list = (prefix, limit) => {
      if (isDown) throw new TypeError("down");
      return store.list(prefix, limit);
    };
    const { hosted, ends, errors } = await stage({ store: { ...store, read, list } });
    const [first, second] = await Promise.all(["1", "2"].map((user) => hosted.create({ user, expiresIn: MINUTE })));
    broken = first?.id ?? "";
    wait(MINUTE);
    await hosted.sweep();
    expect(ends).toMatchObject([{ id: second?.id, status: "expired" }]);
    expect(errors).toMatchObject([{ code: "token_invalid" }]);
    isDown = true;
    await hosted.sweep();
    expect(errors.at(-1)).toMatchObject({ code: "handler_failed", field: "store" });
  });

  test("is forgotten after the retention", async () => {
    useClock();
    const { hosted } = await stage({ retention: MINUTE });
    const { id } = await hosted.create({ user: "42", expiresIn: MINUTE });
    wait(2 * MINUTE - 1);
    expect(await hosted.read(id)).toMatchObject({ status: "expired" });
    wait(1);
    expect(await readFailure(hosted.read(id))).toMatchObject({ code: "session_not_found" });
  });
});
