import { spawnSync } from "node:child_process";
import { copyFile, cp, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type DefaultTheme, defineConfig } from "vitepress";
import manifest from "../../package.json" with { type: "json" };
import { writeGeneratedPages } from "./generated-pages.ts";
import { resolveLinks } from "./links.ts";
import { findFirstSentence, writePlainText } from "./plain-text.ts";
import { searchOptions } from "./search.ts";
import { listGroups, slugify, toSitePath } from "./site-paths.ts";

const root = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

const references = await writeGeneratedPages();

/** What stands in the groups of the sidebar ahead of the pages that README.md lists. */
const ahead: Readonly<Record<string, DefaultTheme.SidebarItem[]>> = {
  Start: [
    { text: "What it is", link: `/${toSitePath("README.md")}` },
    { text: "Where people log in", link: `/${toSitePath("README.md")}#where-people-log-in` },
  ],
  Reference: [{ text: "API", link: "/reference/", collapsed: true, items: references }],
};

/** The address of the repository, once package.json names it. */
const { repository } = manifest as typeof manifest & { readonly repository?: { readonly url: string } };
const source = repository?.url.replaceAll(/^git\+|\.git$/g, "");

/** Whether Git tells when a page was changed: not in a copy of the sources, and not in a shallow clone. */
function hasHistory(): boolean {
  const { stdout } = spawnSync("git", ["rev-parse", "--is-shallow-repository"], { cwd: root("."), encoding: "utf8" });
  return stdout?.trim() === "false";
}

// The pages are those of the repository: the first one is docs/index.md, which no other reader needs.
// VitePress 2, pinned to an alpha version: it builds with the major version of Vite that builds everything else.
export default defineConfig({
  title: "ventanilla",
  description: "A bank login as one statechart",
  lang: "en",
  srcDir: root("."),
  outDir: root("site"),
  cacheDir: root("node_modules/.cache/vitepress"),
  srcExclude: ["src/**", "test/**", "machines/**", "dist/**", "site/**", "docs/examples/**"],
  rewrites: toSitePath,
  markdown: { anchor: { slugify }, config: resolveLinks },
  vue: { template: { compilerOptions: { isCustomElement: (tag) => tag === "bank-login" } } },
  vite: { publicDir: false, build: { chunkSizeWarningLimit: 2000 } },
  lastUpdated: hasHistory(),
  themeConfig: {
    logo: "/icon.svg",
    search: { provider: "local", options: searchOptions },
    outline: [2, 3],
    ...(source && { socialLinks: [{ icon: "github", link: source }] }),
    nav: [
      { text: "Guides", link: "/guide" },
      { text: "Reference", link: "/reference/" },
      { text: "Playground", link: "/play/index.html", target: "_self" },
      { text: manifest.version, link: "/changelog" },
    ],
    sidebar: (await listGroups()).map(({ text, items }) => ({
      text,
      // VitePress takes a text as HTML.
      items: [...(ahead[text] ?? []), ...items.map((item) => ({ ...item, text: item.text.replace("<", "&lt;") }))],
    })),
  },
  transformHead: ({ siteData: { base } }) => [
    ["link", { rel: "icon", type: "image/svg+xml", href: `${base}icon.svg` }],
  ],
  async transformPageData({ filePath, description }) {
    return { description: description || findFirstSentence(await readFile(root(filePath), "utf8")) };
  },
  async buildEnd({ outDir, site: { base } }) {
    await copyFile(root("docs/.vitepress/icon.svg"), `${outDir}/icon.svg`);
    await cp(root("dist/play"), `${outDir}/play`, { recursive: true });
    await cp(root("docs/pictures"), `${outDir}/pictures`, { recursive: true });
    await writePlainText(outDir, base);
  },
});
