import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writePlainText } from "../../docs/.vitepress/plain-text.ts";

const folder = new URL("../../docs/", import.meta.url);
// The first page of the site has a component and no list of pages.
const names = (await readdir(folder)).filter((name) => name.endsWith(".md") && name !== "index.md");
const pages = await Promise.all(
  names.map(async (name) => [name, await readFile(new URL(name, folder), "utf8")] as const),
);

/** What comes after the title, up to the first blank line. */
const readOpening = (text: string) => /^# .+\n\n([\s\S]+?)\n\n/m.exec(text)?.[1] ?? "";

/** The first sentence of a paragraph, without its links: what it is about. */
const readSentence = (paragraph: string) =>
  /^.+?[.?!](?=\s|$)/.exec(paragraph.replaceAll("\n", " ").replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1"))?.[0] ?? "";

test.each(pages)("%s begins with one sentence that says what it is for", (_, text) => {
  const opening = readOpening(text);
  // No table, list, picture, heading, comment or code.
  expect(opening).toMatch(/^(?:[A-Z]|`[^`]|\[)/);
  expect(opening).toMatch(/\.$/);
  const sentence = readSentence(opening);
  expect(sentence).toMatch(/\.$/);
  expect(sentence.length).toBeGreaterThan(40);
  expect(sentence.length).toBeLessThanOrEqual(200);
});

test.each(pages)("%s has no gap that something left which was deleted", (_, text) => {
  expect(text.replaceAll(/^( *)```[\s\S]*?^\1```/gm, "code")).not.toContain("\n\n\n");
});

test("llms.txt shows the first sentence of each page", async () => {
  const site = await mkdtemp(join(tmpdir(), "plain-text-"));
  try {
    await writePlainText(site, "/");
    const lines = (await readFile(join(site, "llms.txt"), "utf8")).split("\n");
    for (const [name, text] of pages) {
      const shown = lines.filter((line) => line.includes(`](/${name}): `)).map((line) => line.split("): ").at(-1));
      expect(shown, name).toEqual([readSentence(readOpening(text))]);
    }
  } finally {
    await rm(site, { recursive: true });
  }
});
