import { expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { pagesIn, reference } from "./reference/pages.ts";

test("each entry point has its page, and the first page leads to it", async () => {
  const pages = await pagesIn(reference);
  const entryPoints = Object.keys(manifest.exports).filter((path) => path !== "./package.json");
  const names = entryPoints.map((path) => path.replace(".", manifest.name));
  expect([...pages.keys()].sort()).toEqual([...names.map((name) => `${name}.md`), "README.md"].sort());
  for (const name of names) expect(pages.get("README.md")).toMatch(`| [${name}](${name}.md) | `);
});
