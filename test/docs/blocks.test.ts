import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "vitest";

const examples = new URL("../../docs/examples/", import.meta.url);
const pages = [
  "README.md",
  "docs/guide.md",
  "docs/embedding.md",
  "docs/element.md",
  "docs/testing.md",
  "docs/telemetry.md",
  "docs/inspection.md",
  "docs/scale.md",
];

test.each(pages)(
  "each block of code in %s is an example that the tests compile and run, to the letter",
  async (page) => {
    const text = await readFile(new URL(`../../${page}`, import.meta.url), "utf8");
    const blocks = [...text.matchAll(/```(?:ts|tsx|vue|svelte)\n([\s\S]*?)```/g)].map(([, code]) => code);
    const files = (await readdir(examples, { recursive: true })).filter((name) => /\.(ts|tsx|vue|svelte)$/.test(name));
    const texts = await Promise.all(files.map((name) => readFile(new URL(name, examples), "utf8")));
    expect(blocks.length).toBeGreaterThan(0);
    for (const block of blocks) expect(texts).toContain(block);
  },
);
