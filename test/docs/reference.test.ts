import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { generateReference } from "./reference/generate.ts";

type Pages = ReadonlyMap<string, string>;

const reference = fileURLToPath(new URL("../../docs/reference", import.meta.url));

test("docs/reference shows the public surface as it is", { timeout: 240_000 }, async () => {
  const made = await generated();
  const kept = await pagesIn(reference);
  if (isUpdate()) return write(made, kept);
  expect(changes(kept, made), "The public surface has changed; `npm run docs` writes docs/reference anew.").toBe("");
  expect([...made]).toEqual([...kept]);
});

test("each entry point has its page, and the first page leads to it", async () => {
  const pages = await pagesIn(reference);
  const entryPoints = Object.keys(manifest.exports).filter((path) => path !== "./package.json");
  const names = entryPoints.map((path) => path.replace(".", manifest.name));
  expect([...pages.keys()].sort()).toEqual([...names.map((name) => `${name}.md`), "README.md"].sort());
  for (const name of names) expect(pages.get("README.md")).toMatch(`| [${name}](${name}.md) | `);
});

test("each link of docs/reference leads somewhere", async () => {
  const pages = await pagesIn(reference);
  const links = [...pages].flatMap(([name, text]) =>
    [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => new URL(link, `file:///${name}`)),
  );
  const broken = links.filter(({ pathname, hash }) => {
    const page = pages.get(pathname.slice(1));
    return page === undefined || (hash !== "" && !page.includes(`<a id="${hash.slice(1)}"></a>`));
  });
  expect(links.length).toBeGreaterThan(100);
  expect(broken.map(String)).toEqual([]);
});

async function generated(): Promise<Pages> {
  const folder = await mkdtemp(join(tmpdir(), "reference-"));
  try {
    const complaints = await generateReference(folder);
    expect(complaints, "TypeDoc complains.").toEqual([]);
    return await pagesIn(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function pagesIn(folder: string): Promise<Pages> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const pages = names.filter((name) => name.endsWith(".md")).sort();
  return new Map(
    await Promise.all(pages.map(async (name) => [name, await readFile(join(folder, name), "utf8")] as const)),
  );
}

function isUpdate(): boolean {
  return Reflect.get(expect.getState().snapshotState, "_updateSnapshot") === "all";
}

async function write(made: Pages, kept: Pages): Promise<void> {
  for (const name of kept.keys()) if (!made.has(name)) await rm(join(reference, name));
  for (const [name, text] of made) {
    await mkdir(dirname(join(reference, name)), { recursive: true });
    await writeFile(join(reference, name), text);
  }
}

/** What differs, chapter by chapter: the page, the export, and the lines that went and came. */
function changes(kept: Pages, made: Pages): string {
  const before = chapters(kept);
  const after = chapters(made);
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((name) => before.get(name) !== after.get(name))
    .map((name) => {
      const [old, now] = [before.get(name), after.get(name)].map((text) => text?.split("\n"));
      if (!old) return `${name} is new`;
      if (!now) return `${name} is gone`;
      const went = old.filter((line) => !now.includes(line)).map((line) => `- ${line}`);
      const came = now.filter((line) => !old.includes(line)).map((line) => `+ ${line}`);
      return [`${name} is another`, ...went, ...came].join("\n");
    })
    .join("\n\n");
}

function chapters(pages: Pages): Map<string, string> {
  return new Map(
    [...pages].flatMap(([page, text]) =>
      text.split(/^### /m).map((chapter, index) => {
        const heading = index === 0 ? "its head" : chapter.slice(0, chapter.indexOf("\n"));
        // The anchor of the next chapter stands at the end of this one.
        return [
          `${page}: ${heading}`,
          chapter.replace(/\s*(\*\*\*|## .*)?\s*<a id="[^"]*"><\/a>\s*$/, "").trim(),
        ] as const;
      }),
    ),
  );
}
