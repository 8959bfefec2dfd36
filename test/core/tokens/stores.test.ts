import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createFolderStore,
  createMemoryStore,
  createPostgresStore,
  createRedisStore,
  type MemoryStoreOptions,
  type Store,
} from "ventanilla/tokens";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { conformance } from "../stores/store-conformance.ts";

// `npm run test:gate` has the tests with real databases.

afterEach(() => void vi.useRealTimers());

describe.each<[string, () => Promise<readonly [Store, Store]>]>([
  [
    "memory",
    async () => {
      const rows = new Map();
      return [createMemoryStore({ rows }), createMemoryStore({ rows })];
    },
  ],
  [
    "a folder",
    async () => {
      const folder = await mkdtemp(join(tmpdir(), "ventanilla-store-"));
      onTestFinished(() => rm(folder, { recursive: true, force: true }));
      return [createFolderStore(folder), createFolderStore(folder)];
    },
  ],
])("a store in %s", (_, createStores) => {
  test.each(conformance)("%s", async (_title, run) => run(...(await createStores())));
});

describe("a store in memory", () => {
  test("is one for the process, also for a second copy of the library", async () => {
    onTestFinished(() => void createMemoryStore().delete("shared"));
    createMemoryStore().swap("shared", undefined, "text", 60_000);
    vi.resetModules();
    const copy = await import("../../../src/core/tokens/memory-store.ts");
    expect(copy.createMemoryStore).not.toBe(createMemoryStore);
    expect(copy.createMemoryStore().read("shared")).toBe("text");
    expect(createMemoryStore({ rows: new Map() }).read("shared")).toBeUndefined();
  });

  test("that is full forgets what has expired, and throws if nothing has", () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const store = createMemoryStore({ limit: 2, rows: new Map() });
    expect([store.swap("a", undefined, "", 1000), store.swap("b", undefined, "", 5000)]).toEqual([true, true]);
    expect(() => store.swap("c", undefined, "", 5000)).toThrow(RangeError);
    expect(store.swap("a", undefined, "", 5000)).toBe(false);
    expect(store.swap("a", "", "again", 1000)).toBe(true);
    vi.setSystemTime(Date.now() + 1000);
    expect(store.swap("c", undefined, "", 5000)).toBe(true);
    expect(store.list("", 10)).toEqual(["b", "c"]);
  });

  test.each([Number.NaN, -1, null, "100"])("is refused with the limit %o", (limit) => {
    const options = { limit } as MemoryStoreOptions;
    expect(() => createMemoryStore(options)).toThrow("invalid_input: limit: must be a whole number");
  });

  test("is the default of claimStore, which warns once that it knows this process alone", async () => {
    const warn = vi.spyOn(console, "warn").mockReturnValue();
    vi.resetModules();
    const { createDefaultStore } = await import("../../../src/core/tokens/memory-store.ts");
    expect(warn).not.toHaveBeenCalled();
    for (let calls = 0; calls < 2; calls += 1) createDefaultStore();
    expect(warn.mock.calls).toEqual([[expect.stringMatching(/^ventanilla: .*claimStore.*ventanilla\/tokens/)]]);
    warn.mockRestore();
  });
});

describe.each([
  ["redis", (respond: () => unknown) => createRedisStore({ eval: async () => respond() })],
  ["ioredis", (respond: () => unknown) => createRedisStore({ call: async () => respond() })],
])("a store in Redis, by %s,", (_, createStore) => {
  test.each([undefined, null, "OK", "QUEUED", "1", true, 2, Buffer.from("1")])(
    "throws if a swap returns %o",
    async (value) => {
      await expect(createStore(() => value).swap("id", undefined, "text", 1)).rejects.toThrow(TypeError);
    },
  );

  test.each([undefined, 1, Buffer.from("text")])("throws if a read returns %o", async (value) => {
    await expect(createStore(() => value).read("id")).rejects.toThrow(TypeError);
  });
});

test.each([null, undefined, 2, -1, true, "1"])("a store in Postgres throws if a swap counts %o rows", async (count) => {
  const store = createPostgresStore({ query: async () => ({ rowCount: count as number | null, rows: [] }) });
  await expect(store.swap("id", undefined, "text", 1)).rejects.toThrow(TypeError);
  await expect(store.swap("id", "text", "text", 1)).rejects.toThrow(TypeError);
});
