import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { readTutorial } from "./tutorial.ts";

const folder = new URL("../../docs/examples/tutorial/", import.meta.url);

test("docs/tutorial.md shows each file of its example to the letter, and no other", async () => {
  const { files } = await readTutorial();
  const names = (await readdir(folder, { recursive: true })).filter((name) => /\.\w+$/.test(name));
  const texts = names.map(async (name) => [name, await readFile(new URL(name, folder), "utf8")] as const);
  expect(Object.fromEntries(files)).toEqual(Object.fromEntries(await Promise.all(texts)));
});
