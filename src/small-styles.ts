import type { Plugin } from "vite";

/** CSS without comments, and without spaces that say nothing. */
export const minifyCss = (text: string): string =>
  text
    .replaceAll(/\/\*[\s\S]*?\*\//g, "")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ ?([{};,>]) ?/g, "$1")
    .replaceAll(/;}/g, "}")
    .replaceAll(": ", ":")
    .replaceAll(/(?<![\d.])0\./g, ".")
    .trim();

/** Writes the lines of the component's templates in one. A browser shows a line break in them as a space. */
export const smallTemplates: Plugin = {
  name: "small-templates",
  transform: {
    filter: { id: /\/screens\/element\/[\w-]+\.ts$/ },
    handler(code) {
      const texts: { readonly start: number; readonly end: number }[] = [];
      const find = (node: unknown): void => {
        if (typeof node !== "object" || node === null) return;
        const { type, tag, quasi } = node as { readonly type?: string; readonly tag?: Tag; readonly quasi?: Template };
        if (type === "TaggedTemplateExpression" && tag?.name === "html") texts.push(...(quasi?.quasis ?? []));
        for (const child of Object.values(node)) find(child);
      };
      find(this.parse(code));
      let small = code;
      for (const { start, end } of texts.sort((one, other) => other.start - one.start))
        small = small.slice(0, start) + small.slice(start, end).replaceAll(/\n\s*/g, " ") + small.slice(end);
      return small;
    },
  },
};

interface Tag {
  readonly name?: string;
}

interface Template {
  readonly quasis: readonly { readonly start: number; readonly end: number }[];
}

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
