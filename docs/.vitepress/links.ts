import { existsSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { posix } from "node:path";
import type { MarkdownRenderer } from "vitepress";

const root = new URL("../../", import.meta.url);

// Some file systems take docs/security.md and SECURITY.md for one name.
const renamed: Readonly<Record<string, string>> = {
  "README.md": "readme.md",
  "CHANGELOG.md": "changelog.md",
  "CONTRIBUTING.md": "contributing.md",
  "SECURITY.md": "reporting-a-vulnerability.md",
};

/** Where a page of the repository is on the site. */
export const toSitePath = (page: string) => renamed[page] ?? page.replace(/^docs\//, "");

/** The id of a heading, as GitHub names it. */
export const slugify = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");

/** The groups of pages that README.md lists at its end: the site's sidebar. */
export async function listGroups() {
  const [, list = ""] = (await readFile(new URL("README.md", root), "utf8")).split("## Documentation\n");
  return list.split(/^- /m).flatMap((group) => {
    const [, text, links = ""] = /^([^:]+): ([\s\S]+)/.exec(group) ?? [];
    const items = [...links.matchAll(/\[`?([^\]`]+)`?\]\(([^)]+)\)/g)].map(([, title = "", path = ""]) => ({
      text: title,
      link: toSiteLink(path),
      file: path,
    }));
    return text === undefined ? [] : [{ text, items }];
  });
}

/**
 * Lets a link between files of the repository lead to the pages that the site has of them, and shows a picture that has a dark
 * counterpart in the colours of the page.
 */
export function resolveLinks(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push("links", ({ env, tokens, Token }) => {
    const folder = posix.dirname(posix.relative(root.pathname, env.realPath ?? env.path));
    for (const parent of tokens) {
      parent.children &&= parent.children.flatMap((token) => {
        const dark = token.type === "image" && token.attrGet("src")?.replace(/(?=\.\w+$)/, "-dark");
        if (!dark || !existsSync(new URL(posix.join(folder, dark), root))) return [token];
        const counterpart = Object.assign(new Token("image", "img", 0), token, { attrs: structuredClone(token.attrs) });
        token.attrJoin("class", "only-light");
        counterpart.attrSet("src", dark);
        counterpart.attrJoin("class", "only-dark");
        return [token, counterpart];
      });
    }
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const href = token.type === "link_open" ? token.attrGet("href") : null;
      if (href === null || /^(\w+:|#|\/)/.test(href) || folder.startsWith("docs/reference")) continue;
      const [path = "", hash] = href.split("#");
      token.attrSet("href", toSiteLink(posix.join(folder, path)) + (hash === undefined ? "" : `#${hash}`));
    }
  });
}

/** The address of a file of the repository. A page shows the files of a folder. */
function toSiteLink(file: string): string {
  if (file.endsWith(".md")) return `/${toSitePath(file)}`;
  if (file.startsWith("docs/pictures/")) return `/${toSitePath(file)}`;
  const isFolder = statSync(new URL(file, root), { throwIfNoEntry: false })?.isDirectory();
  if (isFolder || file === "LICENSE") return `/reference/files/${file}.md`;
  // A page shows the files of a folder of examples, with those of its folders.
  const [, folder = "", name = ""] = /^(machines|docs\/examples(?:\/[^/]+)?)\/(.+)$/.exec(file) ?? [];
  return `/reference/files/${folder}.md#${slugify(name)}`;
}
