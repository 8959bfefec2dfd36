import { readdir, readFile, stat } from "node:fs/promises";
import { expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { locales } from "../../src/core/texts/languages.ts";

const root = new URL("../../", import.meta.url);
const read = (path: string) => readFile(new URL(path, root), "utf8");

const tops = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"];
const docs = (await readdir(new URL("docs", root))).filter((name) => name.endsWith(".md"));
const names = [...tops, ...docs.map((name) => `docs/${name}`)];
const pages = new Map(await Promise.all(names.map(async (name) => [name, await read(name)] as const)));

/** Where a link with a fragment may lead on a page, as GitHub names it. */
function findAnchors(text: string): ReadonlySet<string> {
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => heading);
  const slugs = headings.map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
  const written = [...text.matchAll(/<a id="([^"]+)"><\/a>/g)].map(([, id = ""]) => id);
  return new Set([...slugs, ...written]);
}

test("README.md lists each page by its title", () => {
  const [, list = ""] = (pages.get("README.md") ?? "").split("## Documentation\n");
  const listed = [...list.matchAll(/\[([^\]]+)\]\(([^)]+\.md)\)/g)].map(([, label, name]) => [name, label]);
  // The first page of the site is no page of the package.
  const named = [...pages].filter(([name]) => name !== "README.md" && name !== "docs/index.md");
  const titles = named.map(([name, text]) => [name, /^# (.+)$/m.exec(text)?.[1]]);
  expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(titles));
  expect(listed).toHaveLength(titles.length);
});

test.each([...pages])("each link of %s leads somewhere", async (name, text) => {
  const prose = text.replaceAll(/^```[\s\S]*?^```/gm, "");
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
  const broken: string[] = [];
  for (const link of links) {
    const { protocol, pathname, hash } = new URL(link, new URL(name, root));
    if (protocol !== "file:") continue;
    const page = pages.get(pathname.slice(root.pathname.length));
    const isThere = page !== undefined || (await stat(pathname).catch(() => undefined)) !== undefined;
    const isAnchored = hash === "" || (page !== undefined && findAnchors(page).has(hash.slice(1)));
    if (!isThere || !isAnchored) broken.push(link);
  }
  expect(broken).toEqual([]);
});

// The changelog names the commands that are gone.
test.each([...pages].filter(([name]) => name !== "CHANGELOG.md"))(
  "each command and each test of %s is there",
  async (_, text) => {
    const scripts = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name = ""]) => name);
    expect(scripts.filter((name) => !(name in manifest.scripts))).toEqual([]);
    const paths = [...text.matchAll(/`[^`]*npx (?:vitest|vite) ([^`]+)`/g)].flatMap(([, words = ""]) =>
      words.split(" ").filter((word) => word.includes("/")),
    );
    const tests = [...text.matchAll(/`(test\/[\w./-]+)`/g)].map(([, path = ""]) => path);
    await Promise.all([...paths, ...tests].map((path) => stat(new URL(path, root))));
  },
);

// A question is one kind of interaction, or one of the readers'.
const isKind = /\b(?:personal|security) questions?\b|^# Questions$/gim;

test.each([...pages].filter(([name]) => name.startsWith("docs/") && name !== "docs/contract.md"))(
  "%s calls what a bank asks for an interaction",
  (_, text) => {
    const prose = text
      .replaceAll(/^( *)```[\s\S]*?^\1```/gm, "")
      .replaceAll(/<!-- [\w ]+: (?:generated|written) by[\s\S]*?(?:<!-- end -->|$)/g, "")
      .replaceAll(/`[^`]*`|\]\([^)]*\)/g, "");
    expect(prose.replaceAll(isKind, "").match(/.*\bquestions?\b.*/gi)).toBeNull();
  },
);

test("each list of the languages, on a page or in a docstring, names all of them", async () => {
  const language = new Intl.DisplayNames(["en"], { type: "language" });
  const format = (words: readonly string[], type: "conjunction" | "disjunction") =>
    new Intl.ListFormat("en-GB", { type }).format(words);
  const [words, tags] = [locales.map((tag) => language.of(tag) ?? ""), locales.map((tag) => `\`${tag}\``)];
  const whole = [format(words, "conjunction"), format(tags, "conjunction"), format(tags, "disjunction")];
  const files = await readdir(new URL("src", root), { recursive: true });
  const sources = files.filter((name) => name.endsWith(".ts")).map((name) => `src/${name}`);
  const found: string[] = [];
  for (const name of [...names, ...sources]) {
    const text = pages.get(name) ?? (await read(name));
    for (const { index } of text.matchAll(/English, Spanish|`en`(?:,| and| or) `es`/g)) {
      const shown = text.slice(index, index + 200);
      found.push(whole.some((one) => shown.startsWith(one)) ? "whole" : `${name}: ${shown.slice(0, 60)}`);
    }
  }
  expect(found.length).toBeGreaterThan(5);
  expect(found.filter((line) => line !== "whole")).toEqual([]);
});

test("each section of the contract that code, tests or docs cite is there", async () => {
  const contract = pages.get("docs/contract.md") ?? "";
  const sections = new Set([...contract.matchAll(/^##+ ([\d.]+\d|\d)\.? /gm)].map(([, number]) => number));
  expect(sections.size).toBeGreaterThan(15);
  const cited = new Map<string, string>();
  for (const folder of ["src", "machines", "test", "docs"]) {
    const names = await readdir(new URL(folder, root), { recursive: true });
    for (const name of names.filter(
      (file) => /\.(ts|tsx|vue|svelte|md)$/.test(file) && !file.includes("node_modules"),
    )) {
      const text = await read(`${folder}/${name}`);
      for (const [, list = ""] of text.matchAll(
        /contract(?:\.md)?, \[?sections? ((?:[\d.]+\d|\d)(?:(?:, | and | to )(?:[\d.]+\d|\d))*)/g,
      )) {
        for (const number of list.split(/, | and | to /)) cited.set(number, `${folder}/${name}`);
      }
    }
  }
  expect(cited.size).toBeGreaterThan(10);
  expect([...cited].filter(([number]) => !sections.has(number))).toEqual([]);
});

test("CONTRIBUTING.md names each folder of the sources", async () => {
  const readFolders = async (folder: string) => {
    const entries = await readdir(new URL(folder, root), { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => `${folder}/${name}`);
  };
  const rooms = await readFolders("src");
  const folders = (await Promise.all(rooms.map(readFolders))).flat();
  const linked = [...(pages.get("CONTRIBUTING.md") ?? "").matchAll(/^\| `(src\/\w+\/\w+)` /gm)].map(([, name]) => name);
  expect(linked.sort()).toEqual(folders.sort());
});

const examples = new URL("docs/examples/", root);

test.each([
  "README.md",
  "docs/guide.md",
  "docs/steps.md",
  "docs/element.md",
  "docs/inspection.md",
  "docs/another-service.md",
])("each block of code in %s is, to the letter, an example that the tests run", async (page) => {
  const written = (pages.get(page) ?? "").replaceAll(/<!-- \w+: generated by[\s\S]*?<!-- end -->/g, "");
  const blocks = [...written.matchAll(/```(?:ts|tsx|vue|svelte)\n([\s\S]*?)```/g)];
  const files = (await readdir(examples, { recursive: true })).filter((name) => /\.(ts|tsx|vue|svelte)$/.test(name));
  const texts = await Promise.all(files.map((name) => readFile(new URL(name, examples), "utf8")));
  expect(blocks.length).toBeGreaterThan(0);
  for (const [, block] of blocks) expect(texts).toContain(block);
});
