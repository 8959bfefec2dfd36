import { existsSync } from "node:fs";
import { posix } from "node:path";
import type { MarkdownRenderer } from "vitepress";
import { root, toSiteLink } from "./site-paths.ts";

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
