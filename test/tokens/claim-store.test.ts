import { createMemoryClaimStore } from "ventanilla";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: 1_700_000_000_000 }));
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

  test("gives nothing where it is full, until what it holds has expired", () => {
    const store = createMemoryClaimStore(2);
    expect(store.claim("a", later(60_000))).toBe(true);
    expect(store.claim("b", later(1000))).toBe(true);
    expect(() => store.claim("c", later(60_000))).toThrow(RangeError);
    expect(store.claim("a", later(60_000))).toBe(false);
    vi.setSystemTime(later(1000));
    expect(store.claim("c", later(60_000))).toBe(true);
    expect(store.claim("a", later(60_000))).toBe(false);
  });
});

describe("the store of the process", () => {
  const fresh = () => import("../../src/tokens/claim-store.ts");

  test("is one, and says once that it knows this process alone", async () => {
    const warn = vi.spyOn(console, "warn").mockReturnValue();
    vi.resetModules();
    const { processClaimStore } = await fresh();
    expect(warn).not.toHaveBeenCalled();
    expect(processClaimStore()).toBe(processClaimStore());
    expect(warn.mock.calls).toEqual([[expect.stringMatching(/^ventanilla: .*claimStore.*ventanilla\/tokens/)]]);
  });
});
