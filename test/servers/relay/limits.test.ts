import { randomBytes } from "node:crypto";
import { secret } from "ventanilla";
import type { SealKeys } from "ventanilla/tokens";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { KeyRing } from "../../../src/core/tokens/sealed-token.ts";
import { createCallerReader, readCallerAddress, toNetworks } from "../../../src/servers/relay/caller-address.ts";
import { createRateLimit } from "../../../src/servers/relay/rate-limit.ts";
import { fingerprintUser } from "../../../src/servers/relay/submits.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: 1_700_000_000_000 }));
afterEach(() => void vi.useRealTimers());

const later = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);

describe("a rate limit", () => {
  const login = (caller: string | undefined) => ({ caller, kind: "login" }) as const;

  test("accepts a caller again exactly after the time that it returned", () => {
    const limit = createRateLimit({ login: 3 });
    for (const _ of [1, 2, 3]) limit(login("a"));
    const wait = limit(login("a")) as number;
    expect(wait).toBe(20_000);
    later(wait - 100);
    expect(limit(login("a"))).toBeGreaterThan(0);
    later(100);
    expect(limit(login("a"))).toBe(0);
  });

  test("gives each caller a budget, which never grows beyond its size", () => {
    const limit = createRateLimit({ login: 2 });
    limit(login("a"));
    later(3_600_000);
    expect([limit(login("a")), limit(login("a")), limit(login("a")), limit(login("b"))]).toEqual([0, 0, 30_000, 0]);
  });

  test("works with a clock that is set back", () => {
    const limit = createRateLimit({ login: 1 });
    limit(login("a"));
    later(-3_600_000);
    expect(limit(login("a"))).toBe(60_000);
    later(60_000);
    expect(limit(login("a"))).toBe(0);
  });

  test("has one budget, a hundred times as large, for all unknown callers", () => {
    const limit = createRateLimit({ login: 1 });
    const waits = Array.from({ length: 101 }, () => limit(login(undefined)));
    expect(waits.filter((wait) => wait === 0)).toHaveLength(100);
    expect(limit(login("a"))).toBe(0);
  });

  test("counts an IPv6 network of 64 bits as one caller, however readCaller writes its addresses", () => {
    const limit = createRateLimit({ login: 1 });
    expect(limit(login("2001:db8:1:2::1"))).toBe(0);
    for (const caller of ["2001:db8:1:2:ffff::2", "2001:DB8:1:2::/64", "[2001:db8:1:2::3]:443"]) {
      expect(limit(login(caller)), caller).toBe(60_000);
    }
    expect(limit(login("2001:db8:1:3::1"))).toBe(0);
  });

  test("counts an IPv6 network of 48 bits beside it, with ten times the budget", () => {
    const limit = createRateLimit({ login: 2 });
    const from = (network: number) => limit(login(`2001:db8:1:${network.toString(16)}::1`));
    const waits = Array.from({ length: 65_536 / 1024 }, (_, network) => from(network));
    expect(waits.filter((wait) => wait === 0)).toHaveLength(20);
    expect(limit(login("2001:db8:2::1"))).toBe(0);
  });

  test("takes nothing from the network's budget for a request that its caller's budget refuses", () => {
    const limit = createRateLimit({ login: 1 });
    for (let count = 0; count < 20; count++) limit(login("2001:db8:1:2::1"));
    expect(limit(login("2001:db8:1:3::1"))).toBe(0);
  });

  const createLogin = (user: string, caller?: string) => ({ caller, kind: "user", user }) as const;

  test("lets one user log in five times in ten minutes, from all callers together", () => {
    const limit = createRateLimit();
    const waits = ["a", "b", "c", "d", "e", "f"].map((caller) => limit(createLogin("u", caller)));
    expect(waits).toEqual([0, 0, 0, 0, 0, 120_000]);
    expect(limit(createLogin("v", "a"))).toBe(0);
    later(120_000);
    expect([limit(createLogin("u")), limit(createLogin("u"))]).toEqual([0, 120_000]);
    const strict = createRateLimit({ user: 1 });
    expect([strict(createLogin("u")), strict(createLogin("u"))]).toEqual([0, 600_000]);
  });

  test.each([
    ["100 000 users", 100_000, (name: string) => createLogin(name), { user: 1 }],
    ["10 000 callers", 10_000, login, { login: 1 }],
  ])("remembers the %s that it saw last", (_, most, toAttempt, options) => {
    const limit = createRateLimit(options);
    for (const name of ["a", "b"]) limit(toAttempt(name));
    for (let count = 0; count < most - 2; count++) limit(toAttempt(`other ${count}`));
    expect(limit(toAttempt("a"))).toBeGreaterThan(0);
    limit(toAttempt("one more"));
    expect(limit(toAttempt("a"))).toBeGreaterThan(0);
    expect(limit(toAttempt("b"))).toBe(0);
  });
});

describe("the address of a connection", () => {
  const callerAt = (ip?: unknown) => {
    const headers = { "x-forwarded-for": "203.0.113.9", forwarded: "for=203.0.113.9", "x-real-ip": "203.0.113.9" };
    return readCallerAddress(Object.assign(new Request("http://relay.example/", { headers }), { ip }));
  };

  // The address as it is written, what it counts as, and the larger network.
  test.each([
    ["203.0.113.1", "203.0.113.1", undefined],
    ["203.0.113.1:50000", "203.0.113.1", undefined],
    ["::ffff:203.0.113.1", "203.0.113.1", undefined],
    ["::FFFF:cb00:7101", "203.0.113.1", undefined],
    ["[::ffff:203.0.113.1]:443", "203.0.113.1", undefined],
    ["64:ff9b::203.0.113.1", "203.0.113.1", undefined],
    ["2001:0DB8:1:2::9", "2001:db8:1:2::/64", "2001:db8:1::/48"],
    ["[2001:db8:1:2::9]:443", "2001:db8:1:2::/64", "2001:db8:1::/48"],
    ["2001:db8:1:2::/64", "2001:db8:1:2::/64", "2001:db8:1::/48"],
    ["2001:db8::9", "2001:db8:0:0::/64", "2001:db8:0::/48"],
    ["1:2:3:4:5:6:7::", "1:2:3:4::/64", "1:2:3::/48"],
    ["::2:3:4:5:6:7:8", "0:2:3:4::/64", "0:2:3::/48"],
    ["::ffff:0:203.0.113.1", "0:0:0:0::/64", "0:0:0::/48"],
    ["fe80::1%eth0", "fe80:0:0:0::/64", "fe80:0:0::/48"],
    ["[fe80::1%25eth0]:80", "fe80:0:0:0::/64", "fe80:0:0::/48"],
  ])("%s counts as %s", (ip, caller, network) => {
    expect(callerAt(ip)).toBe(caller);
    expect(toNetworks(ip)).toEqual(network === undefined ? [caller] : [caller, network]);
  });

  const others =
    "203.0.113.256 203.0.113 010.0.0.1 12345 1:2:3:4:5:6:7:8:9 1::2::3 ::1]/x[ ::1@evil user:1 [::1 [] : unix: @/relay.sock";

  test.each(others.split(" "))("%s, which is no IP address, counts as it is", (ip) => {
    expect(toNetworks(ip)).toEqual([]);
    expect(callerAt(ip)).toBe(ip);
  });

  test.each([[undefined], [""], [null], [4]])("%j is an unknown caller, whatever the headers say", (ip) => {
    expect(callerAt(ip)).toBeUndefined();
  });
});

describe("without readCaller", () => {
  const from = (headers: Record<string, string>, ip?: string) =>
    Object.assign(new Request("http://relay.example/", { headers }), ip !== undefined && { ip });

  test.each("Forwarded X-Forwarded-For X-Real-IP CF-Connecting-IP Via".split(" "))(
    "%s makes the caller unknown, and is warned of once",
    (header) => {
      const warnings: string[] = [];
      const readCaller = createCallerReader((text) => warnings.push(text));
      expect(readCaller(from({}, "203.0.113.1"))).toBe("203.0.113.1");
      expect(warnings).toEqual([]);
      for (const _ of [1, 2]) expect(readCaller(from({ [header]: "198.51.100.7" }, "203.0.113.1"))).toBeUndefined();
      expect(warnings).toEqual([expect.stringContaining(`"${header.toLowerCase()}"`)]);
      expect(warnings[0]).toContain("readCaller");
      expect(warnings[0]).not.toContain("198.51.100.7");
    },
  );

  test("a server that sets no request.ip is warned of once", () => {
    const warnings: string[] = [];
    const readCaller = createCallerReader((text) => warnings.push(text));
    for (const _ of [1, 2]) expect(readCaller(from({}))).toBeUndefined();
    expect(warnings).toEqual([expect.stringContaining("request.ip")]);
  });
});

describe("the fingerprint of a user", () => {
  const [key, other] = [randomBytes(32).toString("base64"), randomBytes(32).toString("base64")];
  const fingerprint = (provider: string, username: string, sealKey: SealKeys = key) =>
    fingerprintUser({ provider, username: secret(username) }, new KeyRing(sealKey, "sealKey"));

  test("is the same for all instances with one seal key, and differs with another key, user or bank", async () => {
    const first = await fingerprint("test", "12345");
    expect(await fingerprint("test", "12345", [secret(key), other])).toBe(first);
    expect(await fingerprint("test", "12345", other)).not.toBe(first);
    expect(await fingerprint("test", "12346")).not.toBe(first);
    expect(await fingerprint("faro_uy", "12345")).not.toBe(first);
    expect(first).toMatch(/^[0-9a-f]{64}$/);
  });

  test.each([
    ["1.234.567-8", "12345678"],
    ["Ana.Silva", " anasilva"],
    ["\uff11\uff12", "12"],
    ["ÁLVARO", "álvaro"],
  ])("is the same for %j and %j, which many banks treat as one name", async (one, another) => {
    expect(await fingerprint("test", one)).toBe(await fingerprint("test", another));
  });

  test("differs for two names without a letter or digit", async () => {
    expect(await fingerprint("test", "--")).not.toBe(await fingerprint("test", "++"));
  });
});
