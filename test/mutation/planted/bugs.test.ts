import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import bugs from "./bugs.json" with { type: "json" };

const read = (path: string) => readFile(new URL(`../../../${path}`, import.meta.url), "utf8");

test.each(bugs)("$name: the text that this bug replaces is in its file, once", async ({ file, text, bug }) => {
  const source = await read(file);
  expect(source.split(text).length - 1, `${file}: write the row of bugs.json for the code of today`).toBe(1);
  expect(bug).not.toBe(text);
});

test("there are 22 bugs, each of another name", () => {
  expect(new Set(bugs.map(({ name }) => name)).size).toBe(22);
});
