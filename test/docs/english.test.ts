import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const root = new URL("../../", import.meta.url);

/** Phrases that are nearly always wrong here, each with what to write instead. */
const phrases: readonly (readonly [phrase: RegExp, instead: string])[] = [
  [/\bwhoever\b/gi, "who, the caller, or the case"],
  [/\bnobody\b/gi, "no one, or the case"],
  [/\b(?:what|whatever) (?:came|comes|became|becomes) of\b/gi, "the result"],
  [/\bto the letter\b/gi, "exactly"],
  [/\bcosts? itself\b/gi, "is skipped"],
  [/\blikewise\b/gi, "repeat the noun"],
  [/\bsaid so\b/gi, "reported"],
  [/\bby (?:itself|themselves)\b/gi, "automatically, or separately"],
  [/(?<!\b[Tt]here )\b(?:is|are|was|were) no (?!more\b|longer\b|one\b|matter\b)\w+/g, "is not a"],
  [/\banew\b/gi, "again"],
  [/\bof (?:yours|ours|theirs|one's own)\b|\bof the bank's(?=[.,;:)]| in )/gi, "your, our, the bank's own"],
  [
    /\b(?:is|was|are|were|be|been) (?:taken|given) up\b|\bno process lives\b|\bspeaks of\b|\bthere is not is\b/gi,
    "who does what",
  ],
];

const files = ["src", "machines", "docs"].flatMap((folder) =>
  readdirSync(new URL(folder, root), { encoding: "utf8", recursive: true }).map((path) => `${folder}/${path}`),
);
const texts = [...files, "CONTRIBUTING.md", "README.md"].filter(
  (path) =>
    /\.(?:css|html|js|md|mjs|svelte|ts|tsx|vue)$/.test(path) && !/(?:^|\/)(?:dist|node_modules|reference)\//.test(path),
);

/** The phrases in a text, with the words around them. A phrase may continue in the next line of a comment. */
function findPhrases(text: string): readonly string[] {
  const line = text.replace(/\s*\n\s*(?:\/\/|\*(?!\/))?\s*/g, " ");
  return phrases.flatMap(([phrase, instead]) =>
    [...line.matchAll(phrase)].map(({ 0: found, index }) => {
      const around = line.slice(Math.max(0, index - 30), index + found.length + 30);
      return `"${found}" in "…${around}…": ${instead}`;
    }),
  );
}

test("comments, texts and pages have none of the phrases that are nearly always wrong", () => {
  const found = texts.flatMap((path) =>
    findPhrases(readFileSync(new URL(path, root), "utf8")).map((each) => `${path}: ${each}`),
  );
  expect(found).toEqual([]);
});

test("a phrase is found over the end of a line, and correct sentences are not", () => {
  expect(findPhrases(" * It goes on by\n * itself.")).toHaveLength(1);
  expect(findPhrases("// What is no\n// option")).toHaveLength(1);
  expect(findPhrases("There is no option. It is no longer there, and no one has said what came.")).toEqual([]);
});
