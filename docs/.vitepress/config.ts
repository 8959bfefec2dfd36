import { cp } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type DefaultTheme, defineConfig } from "vitepress";
import { writeGeneratedPages } from "./generated-pages.ts";
import { listGroups, resolveLinks, slugify, toSitePath } from "./links.ts";
import { writePlainText } from "./plain-text.ts";

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

// The pages are those of the repository: README.md is the first one, and what lies in docs/ the rest.
// VitePress 2, pinned to an alpha version: VitePress 1 brings a second Vite with its bundlers (100 MB).
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
  vite: { publicDir: false, build: { chunkSizeWarningLimit: 2000 } },
  themeConfig: {
    search: { provider: "local" },
    outline: [2, 3],
    nav: [
      { text: "Guides", link: "/guide" },
      { text: "Reference", link: "/reference/" },
      { text: "Playground", link: "/play/index.html", target: "_self" },
    ],
    sidebar: (await listGroups()).map(({ text, items }) => ({
      text,
      // VitePress takes a text as HTML.
      items: [...(ahead[text] ?? []), ...items.map((item) => ({ ...item, text: item.text.replace("<", "&lt;") }))],
    })),
  },
  async buildEnd({ outDir, site: { base } }) {
    await cp(root("dist/play"), `${outDir}/play`, { recursive: true });
    await cp(root("docs/pictures"), `${outDir}/pictures`, { recursive: true });
    await writePlainText(outDir, base);
  },
});
