import fs, { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFolderStore } from "ventanilla/tokens";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { promised } from "../../bank/service.ts";
import { programs } from "../../programs.ts";

const run = programs(new URL("claiming-process.ts", import.meta.url));
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

afterEach(() => void vi.useRealTimers());

async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "ventanilla-store-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** The files below a folder. */
async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name)] : []));
}

const readMode = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

/** Replaces an operation on files, until the test has ended or it is put back. */
function replaceOperation<Name extends "link" | "rename" | "mkdir" | "writeFile" | "rm">(
  name: Name,
  create: (original: (typeof fs)[Name]) => (typeof fs)[Name],
): () => void {
  const original = fs[name];
  const putBack = () => {
    fs[name] = original;
    syncBuiltinESMExports();
  };
  fs[name] = create(original);
  syncBuiltinESMExports();
  onTestFinished(putBack);
  return putBack;
}

test("two processes at once: each id that both claim goes to one, and of what both count nothing is lost", async () => {
  const [folder, ready] = [await createFolder(), await createFolder()];
  const claimAll = (name: string) => run("claiming-process", { env: { NAME: name, READY: ready, FOLDER: folder } });
  const ended = await Promise.all([claimAll("one"), claimAll("other")]);
  expect(ended).toMatchObject(ended.map(() => ({ code: 0, complaints: "" })));
  const won: number[] = ended.flatMap(({ printed }) => JSON.parse(printed));
  expect(won.sort((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, id) => id));
  expect(await createFolderStore(folder).read("count:all")).toBe("100");
});

describe("a process that stands still between its look and its change", () => {
  /** Lets a swap stand still just before one operation. */
  async function standStill(name: "link" | "rename", id: string, expected: string | undefined) {
    const folder = await createFolder();
    const store = createFolderStore(folder);
    if (expected !== undefined) await store.swap(id, undefined, expected, HOUR);
    const [stopped, goOn] = [promised<void>(), promised<void>()];
    let isStopped = false;
    replaceOperation(name, (original) => async (from, to) => {
      if (!isStopped) {
        isStopped = true;
        stopped.keep();
        await goOn.promise;
      }
      await original(from, to);
    });
    const swapped = store.swap(id, expected, "late", HOUR);
    await stopped.promise;
    return {
      folder,
      store: createFolderStore(folder),
      async finish() {
        goOn.keep();
        return swapped;
      },
    };
  }

  test("takes no id that another one has claimed", async () => {
    const { store, finish } = await standStill("rename", "a:id", undefined);
    expect(await store.swap("a:id", undefined, "first", HOUR)).toBe(true);
    expect([await finish(), await store.read("a:id")]).toEqual([false, "first"]);
  });

  test("takes none whose text has been replaced many times", async () => {
    const { store, finish } = await standStill("link", "a:id", "0");
    for (let text = 0; text < 5; text += 1) await store.swap("a:id", `${text}`, `${text + 1}`, HOUR);
    expect([await finish(), await store.read("a:id")]).toEqual([false, "5"]);
  });

  test("swaps from its text, if that is there again", async () => {
    const { store, finish } = await standStill("link", "a:id", "a");
    await store.swap("a:id", "a", "b", HOUR);
    await store.swap("a:id", "b", "a", HOUR);
    expect([await finish(), await store.read("a:id")]).toEqual([true, "late"]);
  });

  test.each([0, 1, 2, 5])("takes none that was deleted and claimed again, with %i changes since", async (changes) => {
    const { store, folder, finish } = await standStill("link", "a:id", "0");
    await store.delete("a:id");
    await store.swap("a:id", undefined, "claimed", HOUR);
    for (let change = 0; change < changes; change += 1) await store.swap("a:id", "claimed", "claimed", HOUR);
    expect([await finish(), await store.read("a:id")]).toEqual([false, "claimed"]);
    expect(await listFiles(folder)).toHaveLength(changes + 1);
  });

  test("takes none that was deleted", async () => {
    const { store, folder, finish } = await standStill("link", "a:id", "0");
    await store.delete("a:id");
    expect([await finish(), await store.read("a:id"), await listFiles(folder)]).toEqual([false, undefined, []]);
  });

  test("does not delete what came after what it has looked at", async () => {
    const folder = await createFolder();
    const store = createFolderStore(folder);
    await store.swap("a:id", undefined, "0", HOUR);
    await store.swap("a:id", "0", "1", HOUR);
    const [stopped, goOn] = [promised<void>(), promised<void>()];
    const putBack = replaceOperation("rm", (original) => async (path, options) => {
      if (String(path).endsWith(".1")) {
        putBack();
        stopped.keep();
        await goOn.promise;
      }
      await original(path, options);
    });
    const deleted = store.delete("a:id");
    await stopped.promise;
    const other = createFolderStore(folder);
    expect(await other.read("a:id")).toBeUndefined();
    expect(await other.swap("a:id", undefined, "new", HOUR)).toBe(true);
    goOn.keep();
    await deleted;
    expect([await other.read("a:id"), await other.list("a:", 10)]).toEqual(["new", ["a:id"]]);
  });

  test("creates a row once another process has removed the last one", async () => {
    const folder = await createFolder();
    let times = 0;
    replaceOperation("rename", (original) => async (from, to) => {
      times += 1;
      if (times === 1) throw Object.assign(new Error("not empty"), { code: "ENOTEMPTY" });
      await original(from, to);
    });
    expect(await createFolderStore(folder).swap("a:id", undefined, "text", HOUR)).toBe(true);
    expect([times, await listFiles(folder)]).toEqual([2, [expect.any(String)]]);
  });

  test("does not sweep an expired row that was written again", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const folder = await createFolder();
    const store = createFolderStore(folder);
    await store.swap("a:id", undefined, "0", 1000);
    vi.setSystemTime(Date.now() + 2 * MINUTE);
    const [stopped, goOn] = [promised<void>(), promised<void>()];
    const putBack = replaceOperation("writeFile", (original) => async (path, content, options) => {
      if (content === "") {
        putBack();
        stopped.keep();
        await goOn.promise;
      }
      await original(path, content, options);
    });
    const swept = store.swap("a:other", undefined, "", HOUR);
    await stopped.promise;
    expect(await createFolderStore(folder).swap("a:id", undefined, "new", HOUR)).toBe(true);
    goOn.keep();
    await swept;
    expect(await store.read("a:id")).toBe("new");
  });
});

describe("on a full disk nothing stays behind, and the text that was there stays:", () => {
  const noSpace = () => Promise.reject(Object.assign(new Error("no space"), { code: "ENOSPC" }));

  test.each<[string, () => () => void]>([
    [
      "a folder can't be made",
      () =>
        replaceOperation("mkdir", (original) => {
          const fail = (path: unknown, options: object) =>
            String(path).endsWith(".new") ? noSpace() : original(path as string, options);
          return fail as typeof original;
        }),
    ],
    [
      "a file is cut off",
      () =>
        replaceOperation("writeFile", (original) => async (path, _content, options) => {
          await original(path, "", options);
          await noSpace();
        }),
    ],
    [
      "a file has no room for its name",
      () => {
        const [link, rename] = [replaceOperation("link", () => noSpace), replaceOperation("rename", () => noSpace)];
        return () => {
          link();
          rename();
        };
      },
    ],
  ])("%s", async (_, fill) => {
    const folder = await createFolder();
    const store = createFolderStore(folder);
    await store.swap("a:id", undefined, "first", HOUR);
    const before = await readdir(folder, { recursive: true });
    for (const text of ["secret", "erased"])
      await store.swap("a:erased", text === "secret" ? undefined : "secret", text, HOUR);
    const putBack = fill();
    await store.delete("a:erased");
    await expect(store.swap("a:id", "first", "second", HOUR)).rejects.toThrow("no space");
    await expect(store.swap("a:other", undefined, "second", HOUR)).rejects.toThrow("no space");
    putBack();
    expect(await readdir(folder, { recursive: true })).toEqual(before);
    expect([await store.read("a:id"), await store.list("a:", 10)]).toEqual(["first", ["a:id"]]);
    expect([await store.swap("a:other", undefined, "second", HOUR), await store.read("a:other")]).toEqual([
      true,
      "second",
    ]);
  });
});

describe("a store in a folder", () => {
  test("is its owner's alone, with a folder for all ids with the same first part, and stays in its own", async () => {
    const parent = await createFolder();
    const folder = join(parent, "state", "logins");
    const store = createFolderStore(folder);
    for (const id of ["due:2", "due:1", "..:x", "/etc:x", "\0:x", "user:1:2"])
      await store.swap(id, undefined, "", HOUR);
    expect(await readdir(parent, { recursive: false })).toEqual(["state"]);
    expect((await readdir(folder)).sort()).toEqual(["00", "2e2e", "2f657463", "647565", "75736572"]);
    const files = await listFiles(folder);
    expect([files.length, await readMode(files[0] ?? "")]).toEqual([6, "600"]);
    for (const path of [folder, join(folder, "647565"), join(files[0] ?? "", "..")]) {
      expect(await readMode(path)).toBe("700");
    }
  });

  test("keeps an old text of a row no longer than until the next one", async () => {
    const folder = await createFolder();
    const store = createFolderStore(folder);
    await store.swap("a:id", undefined, "first", HOUR);
    await store.swap("a:id", "first", "second", HOUR);
    const contents = await Promise.all((await listFiles(folder)).map((path) => readFile(path, "utf8")));
    expect(contents.sort()).toEqual(["", expect.stringMatching(/ 6\nsecond$/)]);
  });

  test("removes what has expired, what a killed process has left, and nothing else", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const folder = await createFolder();
    const store = createFolderStore(folder);
    await store.swap("a:long", undefined, "text", 24 * HOUR);
    for (let id = 0; id < 30; id += 1) await store.swap(`a:short-${id}`, undefined, "text", 1000);
    await writeFile(join(folder, "61", "notes.txt"), "not of the store");
    for (const [name, age] of [
      ["killed", -2 * HOUR],
      ["future", 5 * HOUR],
      ["new", 0],
    ] as const) {
      await mkdir(join(folder, "61", `${Date.now() + age}-${name}.new`));
    }
    expect(await store.list("a:", 100)).toHaveLength(31);
    vi.setSystemTime(Date.now() + MINUTE);
    for (const id of ["last-1", "last-2"]) await store.swap(`a:${id}`, undefined, "text", HOUR);
    expect(await store.list("a:", 100)).toEqual(["a:last-1", "a:last-2", "a:long"]);
    const others = (await readdir(join(folder, "61"))).filter((name) => !name.endsWith(".row"));
    expect(others).toEqual([expect.stringMatching(/-new\.new$/), "notes.txt"]);
    expect(await store.read("a:long")).toBe("text");
  });

  test("finishes what a process began to remove that was killed", async () => {
    const folder = await createFolder();
    const store = createFolderStore(folder);
    await store.swap("a:id", undefined, "text", HOUR);
    await store.swap("a:id", "text", "second", HOUR);
    const putBack = replaceOperation("rm", (original) => async (path, options) => {
      if (String(path).endsWith(".1")) throw new Error("killed");
      await original(path, options);
    });
    await expect(store.delete("a:id")).rejects.toThrow("killed");
    putBack();
    expect(await store.read("a:id")).toBeUndefined();
    expect(await store.swap("a:id", "second", "third", HOUR)).toBe(false);
    expect(await store.swap("a:id", undefined, "third", HOUR)).toBe(true);
    expect(await listFiles(folder)).toHaveLength(1);
  });

  test("does not believe a time in the future: the lifetime counts from when the clock is right again", async () => {
    const now = Date.now();
    vi.useFakeTimers({ toFake: ["Date"], now: now + 1000 * HOUR });
    const store = createFolderStore(await createFolder());
    await store.swap("a:id", undefined, "text", 5 * MINUTE);
    vi.setSystemTime(now);
    for (let minute = 0; minute < 8; minute += 1) {
      vi.setSystemTime(now + minute * MINUTE);
      expect(await store.read("a:id")).toBe(minute < 5 ? "text" : undefined);
      await store.swap(`a:other-${minute}`, undefined, "", HOUR);
    }
  });

  test("throws if its folder can't be used, or a file of it was changed by another program", async () => {
    const folder = await createFolder();
    const file = join(folder, "a-file");
    await writeFile(file, "");
    await expect(createFolderStore(file).swap("a", undefined, "", HOUR)).rejects.toThrow("EEXIST");
    await expect(createFolderStore(join(file, "below")).swap("a", undefined, "", HOUR)).rejects.toThrow("ENOTDIR");
    const store = createFolderStore(join(folder, "store"));
    await store.swap("a:id", undefined, "text", HOUR);
    const [path = ""] = await listFiles(join(folder, "store"));
    await writeFile(path, "something else");
    await expect(store.read("a:id")).rejects.toThrow("changed by another program");
  });
});
