import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFolderClaimStore } from "ventanilla/tokens";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { programs } from "../../programs.ts";

const run = programs(new URL("claiming-process.ts", import.meta.url));

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "ventanilla-claims-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const later = (milliseconds: number) => new Date(Date.now() + milliseconds);

test("two processes that claim the same ids at once: each id goes to one of them", async () => {
  const [folder, ready] = [await emptyFolder(), await emptyFolder()];
  const claimAll = (name: string) => run("claiming-process", { env: { NAME: name, READY: ready, FOLDER: folder } });
  const ended = await Promise.all([claimAll("one"), claimAll("other")]);
  expect(ended).toMatchObject(ended.map(() => ({ code: 0, complaints: "" })));
  const won: number[] = ended.flatMap(({ printed }) => JSON.parse(printed));
  expect(won.sort((a, b) => a - b)).toEqual(Array.from({ length: 500 }, (_, id) => id));
});

describe("a claim store in a folder", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: 1_700_000_000_000 }));
  afterEach(() => void vi.useRealTimers());

  test("makes its folder, for its owner alone", async () => {
    const folder = join(await emptyFolder(), "state", "claims");
    expect(await createFolderClaimStore(folder).claim("a", later(60_000))).toBe(true);
    expect(((await stat(folder)).mode & 0o777).toString(8)).toBe("700");
    const [file = ""] = await readdir(folder);
    expect(((await stat(join(folder, file))).mode & 0o777).toString(8)).toBe("600");
    expect(await readFile(join(folder, file), "utf8")).toBe("2023-11-14T22:14:20.000Z");
  });

  test.each(["../../outside", "/etc/passwd", "a/b", "..", "", "nul", "attempt:1", "x".repeat(1000), "\0"])(
    "stays in its folder, whatever the id: $0",
    async (id) => {
      const parent = await emptyFolder();
      const store = createFolderClaimStore(join(parent, "claims"));
      expect(await store.claim(id, later(60_000))).toBe(true);
      expect(await store.claim(id, later(60_000))).toBe(false);
      expect(await readdir(parent)).toEqual(["claims"]);
      expect(await readdir(join(parent, "claims"))).toEqual([expect.stringMatching(/^[0-9a-f]{64}\.claim$/)]);
    },
  );

  test("removes what has expired, and nothing else", async () => {
    const folder = await emptyFolder();
    await createFolderClaimStore(folder).claim("long", later(3_600_000));
    const [long = ""] = await readdir(folder);
    const unwritten = `${"0".repeat(64)}.claim`;
    await writeFile(join(folder, unwritten), "");
    await writeFile(join(folder, "notes.txt"), new Date(0).toISOString());
    const store = createFolderClaimStore(folder);
    for (let id = 0; id < 30; id += 1) expect(await store.claim(`short-${id}`, later(1000))).toBe(true);
    expect(await readdir(folder)).toHaveLength(33);

    vi.setSystemTime(later(60_000));
    for (const id of ["last-1", "last-2"]) expect(await store.claim(id, later(60_000))).toBe(true);
    expect(await readdir(folder)).toHaveLength(5);
    expect(await readdir(folder)).toEqual(expect.arrayContaining([long, unwritten, "notes.txt"]));
    expect(await store.claim("long", later(60_000))).toBe(false);
  });

  test("throws where its folder can't be used", async () => {
    const file = join(await emptyFolder(), "a-file");
    await writeFile(file, "");
    const store = createFolderClaimStore(file);
    await expect(store.claim("a", later(60_000))).rejects.toThrow("EEXIST");
    await expect(createFolderClaimStore(join(file, "below")).claim("a", later(60_000))).rejects.toThrow("ENOTDIR");
  });
});
