import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { expect, test } from "vitest";
import { realPath } from "../../src/cli/settings/private-files.ts";
import { ownFolder } from "./program.ts";

test.each([true, false])("a file has one name through every link; it is there already: %s", async (isThere) => {
  const folder = await ownFolder();
  const file = join(folder, "data/results.jsonl");
  await mkdir(join(folder, "data/deep"), { recursive: true });
  await symlink("data", join(folder, "linked"));
  await symlink("results.jsonl", join(folder, "data/latest.jsonl"));
  await symlink("linked/latest.jsonl", join(folder, "again.jsonl"));
  await symlink("data/deep", join(folder, "deep"));
  await symlink("../results.jsonl", join(folder, "data/deep/up.jsonl"));
  if (isThere) await writeFile(file, "");
  const names = ["data/results.jsonl", "linked/results.jsonl", "linked/latest.jsonl", "again.jsonl", "deep/up.jsonl"];
  for (const name of names) {
    expect(await realPath("--out", join(folder, name))).toBe(file);
    expect(await realPath("--out", relative(".", join(folder, name)))).toBe(file);
  }
});

test.each([
  ["a folder that is not there", "nowhere/results.jsonl", "ENOENT"],
  ["a link to itself", "itself", "ELOOP"],
])("%s is refused, and not named", async (_, name, detail) => {
  const folder = await ownFolder();
  await symlink("itself", join(folder, "itself"));
  const refused = realPath("--out", join(folder, name));
  await expect(refused).rejects.toMatchObject({ code: "file_unusable", field: "--out", detail });
});
