import type { DefaultTheme } from "vitepress";

/** Guides before the reference, and a code such as `outcome_unknown` as one word. Each function travels to the page alone, as its text. */
export const searchOptions: DefaultTheme.LocalSearchOptions = {
  miniSearch: {
    options: {
      tokenize: (text) =>
        text.split(/[^\p{L}\p{N}_]+/u).flatMap((word) => (word.includes("_") ? [word, ...word.split("_")] : [word])),
    },
    searchOptions: {
      boostDocument: (id: string, term: string) => {
        if (/^\/(reference|changelog|contributing)/.test(id)) return 0.1;
        if (id.startsWith("/contract")) return 0.2;
        return id.startsWith("/errors") && term.includes("_") ? 2 : 1;
      },
    },
  },
};
