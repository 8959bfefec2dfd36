import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "vitest";

const root = new URL("../../", import.meta.url);

/** The files of a folder, and its folders with a slash behind them, by their paths from the root. */
async function listPaths(folder: string): Promise<string[]> {
  const entries = await readdir(new URL(folder, root), { recursive: true, withFileTypes: true });
  const start = root.pathname.length;
  return entries.map((entry) => `${entry.parentPath}/${entry.name}${entry.isDirectory() ? "/" : ""}`.slice(start));
}

test("each file and folder that a recipe of CONTRIBUTING.md names is there, and there are six recipes", async () => {
  const text = await readFile(new URL("CONTRIBUTING.md", root), "utf8");
  const recipes = text.slice(text.indexOf("\n## Recipes"));
  const all = (await Promise.all(["src", "machines", "test", "docs"].map(listPaths))).flat();
  const paths = [...all, "README.md", "CHANGELOG.md", "package.json"].filter((path) => !path.includes("node_modules"));
  const named = [...recipes.matchAll(/`([\w./-]+(?:\.(?:tsx?|mjs|md|json)|\/))`/g)].map(([, path = ""]) => path);
  // A folder without a slash behind it.
  const folders = [...recipes.matchAll(/`((?:src|test|docs|machines)\/[\w/-]+\w)`/g)].map(([, path]) => `${path}/`);
  expect(recipes.match(/^### /gm)).toHaveLength(6);
  expect(named.length).toBeGreaterThan(60);
  const isThere = (name: string) => paths.some((path) => path === name || path.endsWith(`/${name}`));
  expect([...named, ...folders].filter((name) => !isThere(name))).toEqual([]);
});
