import { createRateLimit, type RateLimitOptions } from "ventanilla/relay";
import { createMemoryStore, type Store } from "ventanilla/tokens";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { readFailure } from "../../core/pause/paused.ts";
import { SEAL_KEY } from "./stage.ts";

const MINUTE = 60_000;
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: 1_700_000_040_000 }));
afterEach(() => void vi.useRealTimers());

/** Two instances with one store, and the operations that it was asked for: `read` or `swap`, with the id. */
function openInstances(options: RateLimitOptions = {}, change: (memory: Store) => Partial<Store> = () => ({})) {
  const rows = new Map<string, { readonly text: string; readonly expiresAt: number }>();
  const memory = createMemoryStore({ rows });
  const { read, swap } = { ...memory, ...change(memory) };
  const operations: (readonly ["read" | "swap", id: string])[] = [];
  const store: Store = {
    ...memory,
    read(id) {
      operations.push(["read", id]);
      return read(id);
    },
    swap(...parameters) {
      operations.push(["swap", parameters[0]]);
      return swap(...parameters);
    },
  };
  const create = () => createRateLimit({ store, key: SEAL_KEY, login: 3, user: 2, ...options });
  return { one: create(), other: create(), create, operations, rows };
}

const login = (caller: string | undefined) => ({ caller, kind: "login" }) as const;

test("two instances count the logins of one caller together, until the minute is over", async () => {
  const { one, other } = openInstances();
  expect([await one(login("203.0.113.7")), await one(login("203.0.113.7")), await other(login("203.0.113.7"))]).toEqual(
    [0, 0, 0],
  );
  // The minute began 0 ms ago.
  expect(await other(login("203.0.113.7"))).toBe(MINUTE);
  expect(await one(login("203.0.113.7"))).toBe(MINUTE);
  expect(await one(login("203.0.113.8"))).toBe(0);
  vi.setSystemTime(Date.now() + MINUTE);
  expect(await other(login("203.0.113.7"))).toBe(0);
});

test("instances with another key count for themselves", async () => {
  const { one, create, rows } = openInstances({ login: 1 });
  expect(await one(login("203.0.113.7"))).toBe(0);
  expect(await create()(login("203.0.113.7"))).toBe(MINUTE);
  const memory = createMemoryStore({ rows });
  const other = createRateLimit({ store: memory, key: Buffer.alloc(32, 9).toString("base64"), login: 1 });
  expect(await other(login("203.0.113.7"))).toBe(0);
});

test("they count one user together, for all callers, and an IPv6 caller by its network", async () => {
  const { one, other } = openInstances();
  const user = (caller: string) => ({ caller, kind: "user", user: "an-opaque-text" }) as const;
  expect([await one(user("a")), await other(user("b"))]).toEqual([0, 0]);
  expect(await other(user("c"))).toBeGreaterThan(0);
  const addresses = ["2001:db8::1", "2001:db8::2", "2001:db8::3"];
  for (const address of addresses) expect(await one(login(address))).toBe(0);
  expect(await other(login("2001:db8::4"))).toBeGreaterThan(0);
});

test("the store gets no address, and nothing of reads and unknown callers", async () => {
  const { one, operations, rows } = openInstances();
  await one({ caller: "203.0.113.7", kind: "read" });
  await one(login(undefined));
  expect(operations).toEqual([]);
  await one(login("203.0.113.7"));
  expect(operations).toEqual([["swap", expect.stringMatching(/^limit:[\da-f]{32}:\d+$/)]]);
  expect(JSON.stringify([...rows])).not.toContain("203.0.113");
});

test("a caller has one row in a window; a login takes at most three operations, a refused one no write", async () => {
  const { create, operations, rows } = openInstances({ login: 50 });
  for (let count = 0; count < 50; count += 1) {
    operations.length = 0;
    // Each instance alone would let it through.
    expect(await create()(login("203.0.113.7"))).toBe(0);
    expect(operations.length).toBeLessThanOrEqual(count === 0 ? 1 : 3);
  }
  const before = [...rows];
  // One minute for clocks that differ.
  expect(before.map(([, { expiresAt }]) => expiresAt - Date.now())).toEqual([2 * MINUTE]);
  operations.length = 0;
  expect(await create()(login("203.0.113.7"))).toBe(MINUTE);
  expect([operations.length, [...rows]]).toEqual([2, before]);
});

test("of many logins at many instances at once as many go on as one caller may make", async () => {
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const { create } = openInstances({ login: 7 }, ({ read, swap }) => ({
    read: (id) => turn().then(() => read(id)),
    async swap(...change) {
      await turn();
      const isSwapped = await swap(...change);
      await turn();
      return isSwapped;
    },
  }));
  const waits = await Promise.all(Array.from({ length: 40 }, async () => create()(login("203.0.113.7"))));
  expect(waits.filter((wait) => wait === 0)).toHaveLength(7);
});

test("a login whose count was written, and the answer lost, counts once", async () => {
  let isLost = true;
  const { create } = openInstances({}, ({ swap }) => ({
    async swap(...change) {
      const isSwapped = await swap(...change);
      if (!isLost) return isSwapped;
      isLost = false;
      throw new Error("the connection broke");
    },
  }));
  const waits = [];
  for (let count = 0; count < 4; count += 1) waits.push(await create()(login("203.0.113.7")));
  expect(waits).toEqual([0, 0, 0, MINUTE]);
});

test("a count that the client of the store repeats counts once", async () => {
  const { create } = openInstances({}, ({ swap }) => ({
    async swap(...change) {
      await swap(...change);
      return swap(...change);
    },
  }));
  const waits = [];
  for (let count = 0; count < 4; count += 1) waits.push(await create()(login("203.0.113.7")));
  expect(waits).toEqual([0, 0, 0, MINUTE]);
});

test("a store whose row changes each time ends in a refusal", async () => {
  const { one, operations } = openInstances({}, () => ({ read: () => "0 another", swap: () => false }));
  expect(await one(login("203.0.113.7"))).toBe(MINUTE);
  expect(operations.length).toBeLessThan(10);
});

test("what an instance refuses alone does not reach the store", async () => {
  const { one, operations } = openInstances();
  for (let count = 0; count < 100; count += 1) await one(login("203.0.113.7"));
  expect(operations.length).toBeLessThan(10);
});

test.each<[string, (memory: Store) => Partial<Store>]>([
  ["throws", () => ({ swap: () => Promise.reject(new TypeError("down")) })],
  ["can't be read", () => ({ swap: () => false, read: () => Promise.reject(new TypeError("down")) })],
  ["returns a row count", () => ({ swap: () => 1 as never })],
])("a store that %s refuses the login", async (_, change) => {
  const { one } = openInstances({}, change);
  expect(await readFailure(Promise.resolve(one(login("203.0.113.7"))))).toMatchObject({
    code: "handler_failed",
    field: "store",
  });
});

test.each([{ login: 0 }, { key: "short" }, { key: undefined }, { store: {} }, { store: undefined }, { other: 1 }])(
  "an option that can't be used is refused: %j",
  (options) => {
    expect(() => openInstances(options as never)).toThrow("invalid_input");
  },
);
