import { createPostgresClaimStore, createRedisClaimStore } from "ventanilla/tokens";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

// `npm run test:gate` has the tests with real databases.

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: 1_700_000_000_000 }));
afterEach(() => void vi.useRealTimers());

const inAMinute = () => new Date(Date.now() + 60_000);

describe.each([
  [
    "redis",
    (set: (...values: unknown[]) => Promise<unknown>) => createRedisClaimStore({ set }),
    [{ NX: true, PX: 60_000, condition: "NX", expiration: { type: "PX", value: 60_000 } }],
  ],
  [
    "ioredis",
    (set: (...values: unknown[]) => Promise<unknown>) => createRedisClaimStore({ set, call: set }),
    ["PX", 60_000, "NX"],
  ],
])("a claim store in Redis, by %s,", (_, storeOver, options) => {
  test("sets a key that is not there yet, until the id expires", async () => {
    const set = vi.fn(async (..._values: unknown[]) => "OK");
    expect(await storeOver(set).claim("an-id", inAMinute())).toBe(true);
    expect(set).toHaveBeenCalledExactlyOnceWith("ventanilla:claim:an-id", "1", ...options);
  });

  test("reads null as an id that was taken", async () => {
    expect(await storeOver(async () => null).claim("an-id", inAMinute())).toBe(false);
  });

  test.each([undefined, "QUEUED", true, false, 1, 0, Buffer.from("OK")])(
    "throws at any other response: %o",
    async (value) => {
      await expect(storeOver(async () => value).claim("an-id", inAMinute())).rejects.toThrow(TypeError);
    },
  );

  test("sends an expired time as one millisecond, since Redis refuses less", async () => {
    const set = vi.fn(async (..._values: unknown[]) => "OK");
    await storeOver(set).claim("an-id", new Date(0));
    expect(JSON.stringify(set.mock.calls)).toMatch(/"PX"(:|,)1\b/);
  });
});

describe("a claim store in Postgres", () => {
  const storeOver = (rowCount: unknown) =>
    createPostgresClaimStore({ query: async () => ({ rowCount: rowCount as number | null }) });

  test("inserts a row that is not there yet, with its values apart from the statement", async () => {
    const query = vi.fn(async (_text: string, _values: unknown[]) => ({ rowCount: 1 }));
    expect(await createPostgresClaimStore({ query }).claim("an-id", inAMinute())).toBe(true);
    const statement = expect.stringContaining("ON CONFLICT (id) DO NOTHING");
    expect(query).toHaveBeenCalledExactlyOnceWith(statement, ["an-id", 60_000]);
  });

  test("reads no row as an id that was taken", async () => {
    expect(await storeOver(0).claim("an-id", inAMinute())).toBe(false);
  });

  test.each([null, undefined, 2, -1, true, "1"])("throws at any other count: %o", async (rowCount) => {
    await expect(storeOver(rowCount).claim("an-id", inAMinute())).rejects.toThrow(TypeError);
  });
});
