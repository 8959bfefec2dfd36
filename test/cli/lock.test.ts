import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { lock } from "../../src/cli/batch/lock.ts";
import { ownFolder } from "./program.ts";

const own = `${process.pid}\n`;

test.each([
  // In a container every run can have the same number.
  ["of a run before this one that had its number", own],
  ["of a process that is gone", "4194305\n"],
])("a lock %s is taken over, and given back", async (_, left) => {
  const folder = await ownFolder();
  const path = join(folder, "results.jsonl.lock");
  await writeFile(path, left);
  const unlock = await lock(path);
  expect(await readFile(path, "utf8")).toBe(own);
  await unlock();
  expect(await readdir(folder)).toEqual([]);
});

test("a lock of a process that runs is left to it", async () => {
  const path = join(await ownFolder(), "results.jsonl.lock");
  await writeFile(path, `${process.ppid}\n`);
  await expect(lock(path)).rejects.toMatchObject({ code: "file_unusable", field: "--out" });
  expect(await readFile(path, "utf8")).toBe(`${process.ppid}\n`);
});
