import { BankError, type ClaimStore, createMemoryClaimStore } from "ventanilla";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { checkClaimStore, claim } from "../../../src/core/tokens/claim-store.ts";
import { readFailure } from "../pause/paused.ts";

const NOW = 1_700_000_000_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"], now: NOW }));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.resetModules();
});

const later = (milliseconds: number) => new Date(Date.now() + milliseconds);

describe("a claim store in memory", () => {
  test("gives each id once, until it expires", () => {
    const store = createMemoryClaimStore();
    expect(store.claim("a", later(60_000))).toBe(true);
    expect(store.claim("a", later(60_000))).toBe(false);
    expect(store.claim("b", later(60_000))).toBe(true);
    vi.setSystemTime(later(59_999));
    expect(store.claim("a", later(60_000))).toBe(false);
    vi.setSystemTime(later(1));
    expect(store.claim("a", later(60_000))).toBe(true);
  });

  test("throws where it is full, until an id has expired", () => {
    const store = createMemoryClaimStore(2);
    expect(store.claim("a", later(60_000))).toBe(true);
    expect(store.claim("b", later(1000))).toBe(true);
    expect(() => store.claim("c", later(60_000))).toThrow(RangeError);
    expect(store.claim("a", later(60_000))).toBe(false);
    vi.setSystemTime(later(1000));
    expect(store.claim("c", later(60_000))).toBe(true);
    expect(store.claim("a", later(60_000))).toBe(false);
  });

  test.each([Number.NaN, -1, null, "100"])("is refused with the limit %o", (limit) => {
    expect(() => createMemoryClaimStore(limit as number)).toThrow("invalid_input: limit: must be a whole number");
  });
});

test("a process has one store, which warns once that it knows this process alone", async () => {
  const warn = vi.spyOn(console, "warn").mockReturnValue();
  vi.resetModules();
  const { processClaimStore } = await import("../../../src/core/tokens/claim-store.ts");
  expect(warn).not.toHaveBeenCalled();
  expect(processClaimStore()).toBe(processClaimStore());
  expect(warn.mock.calls).toEqual([[expect.stringMatching(/^ventanilla: .*claimStore.*ventanilla\/tokens/)]]);
});

describe("a claim", () => {
  test.each([true, false])(
    "returns what the store returns, %s, which gets the id for a minute longer",
    async (isFree) => {
      const store = { claim: vi.fn(async () => isFree) };
      expect(await claim(store, "an-id", later(90_000))).toBe(isFree);
      expect(store.claim).toHaveBeenCalledExactlyOnceWith("an-id", later(150_000));
      expect(vi.getTimerCount()).toBe(0);
    },
  );

  const broken = () => {
    throw new TypeError("a canary");
  };
  const wrong = [null, undefined, 0, 1, 0n, 1n, "", "OK", { rowCount: 1 }, [], new Set(["id"])];

  test.each<[returned: unknown, claim: () => unknown, detail: string]>([
    ...wrong.flatMap((value): [unknown, () => unknown, string][] => [
      [value, () => value, "returned neither true nor false"],
      [Promise.resolve(value), async () => value, "returned neither true nor false"],
    ]),
    ["an error that is thrown", broken, "threw TypeError"],
    ["a rejection", async () => broken(), "threw TypeError"],
  ])("is an error where the store returns %o", async (_, wrongClaim, detail) => {
    const error = await readFailure(claim({ claim: wrongClaim } as ClaimStore, "an-id", later(1000)));
    expect(error).toEqual(new BankError("handler_failed", { field: "claimStore", detail }));
  });

  test("is an error where the store does not respond for 10 seconds", async () => {
    const failure = readFailure(claim({ claim: () => new Promise(() => {}) }, "an-id", later(1000)));
    vi.advanceTimersByTime(10_000);
    expect(await failure).toMatchObject({ field: "claimStore", detail: "no response within 10000 ms" });
    expect(vi.getTimerCount()).toBe(0);
  });

  test.each([new Set(), {}, "a table", { has: () => false, add: () => true }])(
    "is refused with %o, which is no store",
    (store) => {
      const check = () => checkClaimStore(store as unknown as ClaimStore);
      expect(check).toThrow(BankError);
      expect(check).toThrow("invalid_input: claimStore: must have a function claim(id, expiresAt)");
    },
  );
});
