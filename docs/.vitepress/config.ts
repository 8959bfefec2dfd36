import { cp } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";
import { writeGeneratedPages } from "./generated-pages.ts";
import { listGroups, resolveLinks, slugify, toSitePath } from "./links.ts";
import { writePlainText } from "./plain-text.ts";

const root = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

const references = await writeGeneratedPages();

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
      { text: "Guide", link: "/guide" },
      { text: "Reference", link: "/reference/" },
      { text: "Playground", link: "/play/index.html", target: "_self" },
    ],
    sidebar: [...(await listGroups()), { text: "Reference", collapsed: true, items: references }],
  },
  async buildEnd({ outDir, site: { base } }) {
    await cp(root("dist/play"), `${outDir}/play`, { recursive: true });
    await cp(root("docs/pictures"), `${outDir}/pictures`, { recursive: true });
    await writePlainText(outDir, base);
  },
});
