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
import { conformance } from "../stores/record-conformance.ts";

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
  test.each(conformance)("%s", async (_title, run) => {
    vi.useRealTimers();
    await run(...(await createStores()));
  });
});

test("a record store in memory forgets what has expired where it is full, and then throws", () => {
  const store = createMemoryRecordStore(2);
  expect([store.write("a", "", later(1000)), store.write("b", "", later(5000))]).toEqual([true, true]);
  expect(() => store.write("c", "", later(5000))).toThrow(RangeError);
  vi.setSystemTime(later(1000));
  expect(store.write("c", "", later(5000))).toBe(true);
  expect(store.list("", 10)).toEqual(["b", "c"]);
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
  expect(await store.list("l", 10)).toEqual(["last", "long"]);
  expect(await readdir(folder)).toHaveLength(2);
});

test("a record store in a folder has a folder for all ids with the same first part, and stays in its own", async () => {
  const folder = await createFolder();
  const store = createFolderRecordStore(join(folder, "logins"));
  for (const id of ["due:2", "due:1", "..:x", "/etc:x", "user:1:2"]) await store.write(id, "", later(60_000));
  expect(await readdir(folder)).toEqual(["logins"]);
  expect((await readdir(join(folder, "logins"))).sort()).toEqual(["2e2e", "2f657463", "647565", "75736572"]);
  expect(await readdir(join(folder, "logins", "647565"))).toHaveLength(2);
  expect(((await stat(join(folder, "logins", "647565"))).mode & 0o777).toString(8)).toBe("700");
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
  const names = ["set", "get", "del", "pSetEx", "zAdd", "zRem", "zRangeByScore", "zRangeByLex", "call"];
  const connect = (kind: "redis" | "ioredis", responses: Record<string, unknown>) => {
    const { sent, command } = commands(responses);
    const used = names.filter((name) => kind === "ioredis" || name !== "call");
    const redis = Object.fromEntries(used.map((name) => [name, command(name)]));
    return { sent, store: createRedisRecordStore(redis as unknown as Parameters<typeof createRedisRecordStore>[0]) };
  };

  test.each([
    ["redis", [{ NX: true, PX: 60_000, condition: "NX", expiration: { type: "PX", value: 60_000 } }]],
    ["ioredis", ["PX", 60_000, "NX"]],
  ] as const)("by %s, sets a text that is not there yet", async (kind, options) => {
    const { sent, store } = connect(kind, { set: "OK" });
    expect(await store.write("id", "text", later(60_000))).toBe(true);
    expect(sent).toEqual([["set", "ventanilla:record:id", "text", ...options]]);
    expect(await connect(kind, { set: null }).store.write("id", "text", later(60_000))).toBe(false);
    await expect(connect(kind, {}).store.write("id", "text", later(60_000))).rejects.toThrow(TypeError);
  });

  test.each([
    ["redis", ["pSetEx", "ventanilla:record:id", 60_000, "text"]],
    ["ioredis", ["call", "PSETEX", "ventanilla:record:id", "60000", "text"]],
  ] as const)("by %s, replaces a text, which is in no list", async (kind, command) => {
    const { sent, store } = connect(kind, {});
    await store.replace("id", "text", later(60_000));
    expect(sent).toEqual([command]);
  });

  const words = (sent: unknown[][]) =>
    sent.map((command) => {
      const flat = command.flatMap((word) => (typeof word === "object" ? JSON.stringify(word) : `${word}`));
      return flat
        .filter((word) => word !== "call")
        .join(" ")
        .toLowerCase();
    });

  test.each(["redis", "ioredis"] as const)("by %s, names a listed id in its index before its text", async (kind) => {
    const { sent, store } = connect(kind, { set: "OK" });
    await store.write("id", "", later(60_000), true);
    const [expiry = "", listed = "", text = ""] = words(sent);
    expect(expiry).toMatch(/^zadd ventanilla:listed:expiries .*1700000060000/);
    expect(listed).toMatch(/^zadd ventanilla:listed (0 id|\{"score":0,"value":"id"\})$/);
    expect(text).toMatch(/^set ventanilla:record:id /);
    expect(sent).toHaveLength(3);
  });

  test.each(["redis", "ioredis"] as const)(
    "by %s, lists ids by a prefix, and unlists what has expired",
    async (kind) => {
      const responses = { get: "text", zRangeByScore: ["old"], zRangeByLex: ["old"], call: ["old"] };
      const { sent, store } = connect(kind, responses);
      expect(await store.read("id")).toBe("text");
      expect(await store.list("due:", 7)).toEqual(["old"]);
      const [, expired, unlisted, forgotten, list] = words(sent);
      expect(expired).toMatch(/^zrangebyscore ventanilla:listed:expiries 0 1700000000000 .*1000/);
      expect([unlisted, forgotten].map((line) => line?.replace('["old"]', "old"))).toEqual([
        "zrem ventanilla:listed old",
        "zrem ventanilla:listed:expiries old",
      ]);
      expect(list).toMatch(/^zrangebylex ventanilla:listed \[due: \(due:~ .*7/);
      expect(await connect(kind, { get: null }).store.read("id")).toBeUndefined();
      await expect(connect(kind, { get: 1 }).store.read("id")).rejects.toThrow(TypeError);
    },
  );

  test.each(["redis", "ioredis"] as const)("by %s, deletes a text and unlists its id", async (kind) => {
    const { sent, store } = connect(kind, {});
    await store.delete("id");
    expect(words(sent).map((line) => line.replace('["id"]', "id"))).toEqual([
      "del ventanilla:record:id",
      "zrem ventanilla:listed id",
      "zrem ventanilla:listed:expiries id",
    ]);
  });
});

test("a record store in Postgres inserts a row that is missing, and reads those that have not expired", async () => {
  const rows = [{ id: "id", text: "text" }];
  const query = vi.fn(async (_text: string, _values: unknown[]) => ({ rowCount: 1 as number | null, rows }));
  const store = createPostgresRecordStore({ query });
  expect(await store.write("id", "text", later(60_000))).toBe(true);
  expect(await store.read("id")).toBe("text");
  expect(await store.list("i", 7)).toEqual(["id"]);
  await store.delete("id");
  const values = query.mock.calls.map(([, list]) => list);
  expect(values).toEqual([["id", "text", 60_000], ["id"], ["i", "i~", 7], ["id"]]);
  const words = /ON CONFLICT|expires_at > now|^DELETE/;
  expect(query.mock.calls.map(([text]) => words.test(text))).toEqual([true, true, true, true]);
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
      const records = createRecords(store);
      return readFailure(name === "list" ? records.list("id", 1) : records[name]("id", "text", later(1)));
    };
    expect(await call(() => wrong)).toMatchObject({ code: "handler_failed", field: "store" });
    expect(await call(broken)).toMatchObject({ code: "handler_failed", field: "store", detail: "threw TypeError" });
  });
});
