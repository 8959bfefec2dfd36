import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createFolderRecordStore,
  createMemoryRecordStore,
  createPostgresRecordStore,
  createRedisRecordStore,
  type RecordStore,
} from "ventanilla/tokens";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { createRecords } from "../../../src/core/tokens/record-store.ts";
import { readFailure } from "../pause/paused.ts";

// `npm run test:gate` has the tests with real databases.

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"], now: 1_700_000_000_000 }));
afterEach(() => void vi.useRealTimers());

const later = (milliseconds: number) => new Date(Date.now() + milliseconds);

async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "ventanilla-records-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

describe.each<[string, () => Promise<readonly [RecordStore, RecordStore]>]>([
  [
    "memory",
    async () => {
      const store = createMemoryRecordStore();
      return [store, store];
    },
  ],
  [
    "a folder",
    async () => {
      const folder = await createFolder();
      return [createFolderRecordStore(folder), createFolderRecordStore(folder)];
    },
  ],
])("a record store in %s", (_, createStores) => {
  test("keeps the first text of an id, until it expires", async () => {
    const [store, other] = await createStores();
    expect(await store.read("a:b")).toBeUndefined();
    expect(await store.write("a:b", "first\nsecond ñ", later(60_000))).toBe(true);
    expect(await other.write("a:b", "another", later(90_000))).toBe(false);
    expect(await other.read("a:b")).toBe("first\nsecond ñ");
    expect(await other.read("a")).toBeUndefined();
    vi.setSystemTime(later(60_000));
    expect(await store.read("a:b")).toBeUndefined();
  });

  test("lists the ids with a text, and those of claims apart", async () => {
    const [store, other] = await createStores();
    expect(await store.list()).toEqual([]);
    await store.write("a", "", later(60_000));
    await other.write("b:c", "text", later(60_000));
    expect(await store.claim("a", later(60_000))).toBe(true);
    expect(await other.claim("a", later(60_000))).toBe(false);
    expect([...(await other.list())].sort()).toEqual(["a", "b:c"]);
    expect(await store.read("a")).toBe("");
  });

  test("replaces a text, also one that is not there yet, and forgets it when the newest time has come", async () => {
    const [store, other] = await createStores();
    await store.replace("life", "one", later(1000));
    await other.replace("life", "two", later(60_000));
    expect(await store.read("life")).toBe("two");
    expect(await store.write("life", "three", later(60_000))).toBe(false);
    vi.setSystemTime(later(60_000));
    expect(await other.read("life")).toBeUndefined();
  });

  test("gives an id to one of many that write it at once", async () => {
    const [store, other] = await createStores();
    const texts = Array.from({ length: 20 }, (_, number) => `text ${number}`);
    const written = await Promise.all(
      texts.map(async (text, number) =>
        (await (number % 2 ? store : other).write("id", text, later(1000))) ? text : "",
      ),
    );
    expect(written.filter((text) => text !== "")).toEqual([await store.read("id")]);
  });
});

test("a record store in memory forgets what has expired where it is full, and then throws", () => {
  const store = createMemoryRecordStore(2);
  expect([store.write("a", "", later(1000)), store.write("b", "", later(5000))]).toEqual([true, true]);
  expect(() => store.write("c", "", later(5000))).toThrow(RangeError);
  vi.setSystemTime(later(1000));
  expect(store.write("c", "", later(5000))).toBe(true);
  expect(store.list()).toEqual(["b", "c"]);
});

test("a record store in a folder is its owner's alone, writes whole files, and removes what has expired", async () => {
  const folder = join(await createFolder(), "logins");
  const store = createFolderRecordStore(folder);
  for (let number = 0; number < 30; number += 1) await store.write(`short-${number}`, "text", later(1000));
  expect(((await stat(folder)).mode & 0o777).toString(8)).toBe("700");
  const names = await readdir(folder);
  expect(names).toHaveLength(30);
  expect(((await stat(join(folder, names[0] ?? ""))).mode & 0o777).toString(8)).toBe("600");
  expect(await readFile(join(folder, names[0] ?? ""), "utf8")).toBe("2023-11-14T22:13:21.000Z\ntext");
  vi.setSystemTime(later(60_000));
  await store.write("long", "text", later(60_000));
  await store.write("last", "text", later(60_000));
  expect([...(await store.list())].filter((id) => !id.startsWith("short"))).toEqual(["last", "long"]);
  expect(await readdir(folder)).toHaveLength(2);
});

describe("a record store in Redis", () => {
  const commands = (responses: Record<string, unknown>) => {
    const sent: unknown[][] = [];
    const command =
      (name: string) =>
      async (...values: unknown[]) => {
        sent.push([name, ...values]);
        return responses[name];
      };
    return { sent, command };
  };
  const names = ["set", "get", "pSetEx", "zAdd", "zRemRangeByScore", "zRange", "call"];
  const connect = (kind: "redis" | "ioredis", responses: Record<string, unknown>) => {
    const { sent, command } = commands(responses);
    const used = names.filter((name) => kind === "ioredis" || name !== "call");
    const redis = Object.fromEntries(used.map((name) => [name, command(name)]));
    return { sent, store: createRedisRecordStore(redis as unknown as Parameters<typeof createRedisRecordStore>[0]) };
  };

  test.each([
    [
      "redis",
      ["zAdd", "ventanilla:records", { score: 1_700_000_060_000, value: "id" }],
      [{ NX: true, PX: 60_000, condition: "NX", expiration: { type: "PX", value: 60_000 } }],
    ],
    ["ioredis", ["call", "ZADD", "ventanilla:records", "1700000060000", "id"], ["PX", 60_000, "NX"]],
  ] as const)(
    "by %s, names the id in its index and sets a text that is not there yet",
    async (kind, indexed, options) => {
      const { sent, store } = connect(kind, { set: "OK" });
      expect(await store.write("id", "text", later(60_000))).toBe(true);
      expect(sent).toEqual([indexed, ["set", "ventanilla:record:id", "text", ...options]]);
      expect(await connect(kind, { set: null }).store.write("id", "text", later(60_000))).toBe(false);
      await expect(connect(kind, {}).store.write("id", "text", later(60_000))).rejects.toThrow(TypeError);
    },
  );

  test.each([
    ["redis", ["pSetEx", "ventanilla:record:id", 60_000, "text"]],
    ["ioredis", ["call", "PSETEX", "ventanilla:record:id", "60000", "text"]],
  ] as const)("by %s, replaces a text, which is in no list", async (kind, command) => {
    const { sent, store } = connect(kind, {});
    await store.replace("id", "text", later(60_000));
    expect(sent).toEqual([command]);
  });

  test.each(["redis", "ioredis"] as const)("by %s, reads a text and the ids that have not expired", async (kind) => {
    const { sent, store } = connect(kind, { get: "text", zRange: ["id"], call: ["id"] });
    expect(await store.read("id")).toBe("text");
    expect(await store.list()).toEqual(["id"]);
    const words = sent.map((command) =>
      command.map((word) => `${word}`.toLowerCase()).filter((word) => word !== "call"),
    );
    expect(words).toEqual([
      ["get", "ventanilla:record:id"],
      ["zremrangebyscore", "ventanilla:records", "0", "1700000000000"],
      ["zrange", "ventanilla:records", "0", "-1"],
    ]);
    expect(await connect(kind, { get: null }).store.read("id")).toBeUndefined();
    await expect(connect(kind, { get: 1 }).store.read("id")).rejects.toThrow(TypeError);
  });
});

test("a record store in Postgres inserts a row that is missing, and reads those that have not expired", async () => {
  const rows = [{ id: "id", text: "text" }];
  const query = vi.fn(async (_text: string, _values: unknown[]) => ({ rowCount: 1 as number | null, rows }));
  const store = createPostgresRecordStore({ query });
  expect(await store.write("id", "text", later(60_000))).toBe(true);
  expect(await store.read("id")).toBe("text");
  expect(await store.list()).toEqual(["id"]);
  expect(query.mock.calls.map(([, values]) => values)).toEqual([["id", "text", 60_000], ["id"], []]);
  expect(query.mock.calls.map(([text]) => /ON CONFLICT|expires_at > now/.test(text))).toEqual([true, true, true]);
  query.mockResolvedValue({ rowCount: 0, rows: [] });
  expect([await store.write("id", "text", later(1)), await store.read("id")]).toEqual([false, undefined]);
  query.mockResolvedValue({ rowCount: null, rows: [] });
  await expect(store.write("id", "text", later(1))).rejects.toThrow(TypeError);
});

describe("a store of the options", () => {
  const broken = () => {
    throw new TypeError("a canary");
  };

  test.each([undefined, {}, { claim: broken, write: broken, read: broken }])("is refused if it is $0", (store) => {
    expect(() => createRecords(store as unknown as RecordStore)).toThrow("invalid_input: store: must have a function");
  });

  test.each<[keyof RecordStore & ("write" | "read" | "list"), unknown]>([
    ["write", "OK"],
    ["read", null],
    ["list", undefined],
  ])("that fails, or whose %s returns %o, is handler_failed", async (name, wrong) => {
    const call = (result: () => unknown) => {
      const store = { ...createMemoryRecordStore(), [name]: result } as RecordStore;
      return readFailure(createRecords(store)[name]("id", "text", later(1)));
    };
    expect(await call(() => wrong)).toMatchObject({ code: "handler_failed", field: "store" });
    expect(await call(broken)).toMatchObject({ code: "handler_failed", field: "store", detail: "threw TypeError" });
  });
});
