import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { callerByAddress } from "../../src/relay/caller.ts";
import { createRateLimit } from "../../src/relay/rate.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: 1_700_000_000_000 }));
afterEach(() => void vi.useRealTimers());

const later = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);

describe("a rate limit", () => {
  const login = (caller: string | undefined) => ({ caller, kind: "login" }) as const;

  test("gives each caller a budget of their own", () => {
    const limit = createRateLimit({ login: 2 });
    expect([limit(login("a")), limit(login("a")), limit(login("a")), limit(login("b"))]).toEqual([0, 0, 30_000, 0]);
  });

  test("lets a caller in again exactly when it said", () => {
    const limit = createRateLimit({ login: 3, window: 10_000 });
    for (const _ of [1, 2, 3]) limit(login("a"));
    const wait = limit(login("a")) as number;
    expect(wait).toBe(3334);
    later(wait - 10);
    expect(limit(login("a"))).toBeGreaterThan(0);
    later(10);
    expect(limit(login("a"))).toBe(0);
  });

  test("saves no more than one budget", () => {
    const limit = createRateLimit({ login: 2 });
    limit(login("a"));
    later(3_600_000);
    expect([limit(login("a")), limit(login("a")), limit(login("a"))]).toEqual([0, 0, 30_000]);
  });

  test("survives a clock that is set back", () => {
    const limit = createRateLimit({ login: 1 });
    limit(login("a"));
    later(-3_600_000);
    expect(limit(login("a"))).toBe(60_000);
    later(60_000);
    expect(limit(login("a"))).toBe(0);
  });

  test("has one budget, ten times as large, for all who can't be told apart", () => {
    const limit = createRateLimit({ login: 1 });
    const waits = Array.from({ length: 11 }, () => limit(login(undefined)));
    expect(waits.filter((wait) => wait === 0)).toHaveLength(10);
    expect(createRateLimit({ login: 5, unknown: { login: 1 } })(login(undefined))).toBe(0);
  });

  test("remembers so many callers and no more, the ones seen last", () => {
    const limit = createRateLimit({ login: 1, callers: 2 });
    limit(login("a"));
    limit(login("b"));
    limit(login("a"));
    limit(login("c"));
    expect(limit(login("a"))).toBeGreaterThan(0);
    expect(limit(login("b"))).toBe(0);
  });
});

describe("a caller, told by the connection's address,", () => {
  const callerAt = (ip?: unknown) => {
    const headers = { "x-forwarded-for": "203.0.113.9", forwarded: "for=203.0.113.9", "x-real-ip": "203.0.113.9" };
    return callerByAddress(Object.assign(new Request("http://relay.example/", { headers }), { ip }));
  };

  test.each([
    ["203.0.113.1", "203.0.113.1"],
    ["::ffff:203.0.113.1", "203.0.113.1"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:DB8:1:2::9", "2001:db8:1:2::/64"],
    ["2001:db8::9", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ])("%s is %s", (ip, caller) => {
    expect(callerAt(ip)).toBe(caller);
  });

  test.each([[undefined], [""], [null], [4]])("%j is nobody in particular, whatever the headers say", (ip) => {
    expect(callerAt(ip)).toBeUndefined();
  });
});
