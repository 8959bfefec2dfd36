import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Pages of Markdown by their names in a folder. */
export type Pages = ReadonlyMap<string, string>;

export const reference = fileURLToPath(new URL("../../../docs/reference", import.meta.url));

export async function pagesIn(folder: string): Promise<Pages> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const pages = names.filter((name) => name.endsWith(".md")).sort();
  return new Map(
    await Promise.all(pages.map(async (name) => [name, await readFile(join(folder, name), "utf8")] as const)),
  );
}
