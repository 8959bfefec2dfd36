import { createSharedRateLimit } from "ventanilla/relay";
import { createMemoryStore } from "ventanilla/tokens";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { readFailure } from "../../core/pause/paused.ts";
import { SEAL_KEY } from "./stage.ts";

const MINUTE = 60_000;
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: 1_700_000_040_000 }));
afterEach(() => void vi.useRealTimers());

function openInstances(options: Partial<Parameters<typeof createSharedRateLimit>[0]> = {}) {
  const memory = createMemoryStore({ rows: new Map() });
  const ids: string[] = [];
  const store = {
    ...memory,
    swap(...change: Parameters<typeof memory.swap>) {
      ids.push(change[0]);
      return memory.swap(...change);
    },
  };
  const create = () =>
    createSharedRateLimit({ store, key: SEAL_KEY, login: 3, user: { login: 2, window: MINUTE }, ...options });
  return { one: create(), other: create(), ids };
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

test("they count one user together, whoever calls, and an IPv6 caller by its network", async () => {
  const { one, other } = openInstances();
  const user = (caller: string) => ({ caller, kind: "user", user: "an-opaque-text" }) as const;
  expect([await one(user("a")), await other(user("b"))]).toEqual([0, 0]);
  expect(await other(user("c"))).toBeGreaterThan(0);
  const addresses = ["2001:db8::1", "2001:db8::2", "2001:db8::3"];
  for (const address of addresses) expect(await one(login(address))).toBe(0);
  expect(await other(login("2001:db8::4"))).toBeGreaterThan(0);
});

test("the store gets no address, and nothing of reads and unknown callers", async () => {
  const { one, ids } = openInstances();
  await one({ caller: "203.0.113.7", kind: "read" });
  await one(login(undefined));
  expect(ids).toEqual([]);
  await one(login("203.0.113.7"));
  expect(ids).toEqual([expect.stringMatching(/^limit:[\da-f]{32}:\d+:0$/)]);
});

test("what an instance refuses by itself does not reach the store", async () => {
  const { one, ids } = openInstances();
  for (let count = 0; count < 100; count += 1) await one(login("203.0.113.7"));
  expect(ids.length).toBeLessThan(10);
});

test("a store that fails refuses the login", async () => {
  const swap = () => {
    throw new TypeError("down");
  };
  const { one } = openInstances({ store: { ...createMemoryStore(), swap } });
  expect(await readFailure(Promise.resolve(one(login("203.0.113.7"))))).toMatchObject({ code: "handler_failed" });
});

test.each([{ login: 0 }, { key: "short" }, { store: {} }, { other: 1 }])(
  "an option that can't be used is refused: %j",
  (options) => {
    expect(() => openInstances(options as never)).toThrow("invalid_input");
  },
);
