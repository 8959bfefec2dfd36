import type { Plugin } from "vite";

/** CSS without comments, and without spaces that say nothing. */
export const minifyCss = (text: string): string =>
  text
    .replaceAll(/\/\*[\s\S]*?\*\//g, "")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ ?([{};,]) ?/g, "$1")
    .replaceAll(": ", ":")
    .trim();

/** Minifies the styles of the component. A bundler leaves the text of a template as it is. */
export const smallStyles: Plugin = {
  name: "small-styles",
  transform: {
    filter: { id: /\/screens\/element\/styles\/\w+\.ts$/ },
    handler: (code) =>
      code.replaceAll(/`[^`]*`/g, (template) =>
        template
          .split(/(\$\{[^}]*\})/)
          .map((part, at) => (at % 2 === 1 ? part : minifyCss(part)))
          .join(""),
      ),
  },
};
