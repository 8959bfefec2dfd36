import type { DefaultTheme } from "vitepress";

/**
 * Guides before the reference, the texts for people and lists of names, a code such as `outcome_unknown` as one word, and no words that each page has.
 * Each function travels to the page alone, as its text.
 */
export const searchOptions: DefaultTheme.LocalSearchOptions = {
  // Each result has an excerpt.
  detailedView: true,
  miniSearch: {
    options: {
      processTerm: (term) => {
        const stopWords =
          "a an and are as at be by can do does for from get have how i if in into is it like my of on or so that the then there they this to was we what when where which who why will with you your";
        const word = term.toLowerCase();
        return stopWords.split(" ").includes(word) ? null : word;
      },
      tokenize: (text) =>
        text.split(/[^\p{L}\p{N}_]+/u).flatMap((word) => (word.includes("_") ? [word, ...word.split("_")] : [word])),
    },
    searchOptions: {
      boost: { title: 6, text: 2, titles: 1 },
      boostDocument: (id: string, term: string) => {
        if (/^\/(reference|changelog|contributing|contract|texts)/.test(id)) return 0.1;
        if (id.startsWith("/errors")) return term.includes("_") ? 4 : 0.5;
        return 1;
      },
    },
  },
};
