import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { slugify } from "../../docs/.vitepress/site-paths.ts";

/** What newcomers ask, the links that lead from README.md to the answer, and a word of it. */
const asked: readonly (readonly [ask: string, links: readonly string[], answer: string])[] = [
  ["How do I log in from Python?", ["docs/hosted.md#ventanilla-serve"], "ventanilla serve"],
  ["Why does the relay respond with 403?", ["docs/questions.md", "docs/relay.md#http-403"], "origin_refused"],
  ["How do I test without a bank?", [], "serveSandbox"],
  ["Where is my session key?", ["docs/questions.md", "#where-is-my-session-key"], "outcome.key"],
  ["How do I add French?", ["docs/questions.md", "#can-it-speak-french"], "texts"],
  ["What if the person closes the tab?", ["docs/questions.md", "#what-if-the-person-closes-the-tab"], "sessionStorage"],
  ["How long do 10,000 logins take?", ["docs/questions.md", "#how-long-do-10000-logins-take"], "190 MB"],
  ["Where is the statechart?", ["docs/inspection.md"], "pictures/machines/login.svg"],
  ["Is a password logged?", [], "password into a log"],
  ["How do I take a new version?", ["docs/questions.md", "#how-do-i-take-a-new-version"], "npm install"],
  ["What about GDPR?", ["docs/questions.md", "#gdpr-what-is-kept-of-a-person"], "erase(user)"],
];

const countWords = (text: string) => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

/** The text of a page from its top, or from the heading of a fragment. */
async function readFrom(page: string, fragment = ""): Promise<string> {
  const text = await readFile(new URL(`../../${page}`, import.meta.url), "utf8");
  if (fragment === "") return text;
  const heading = [...text.matchAll(/^#+ (.+)$/gm)].find(([, title = ""]) => slugify(title) === fragment);
  if (!heading) throw new Error(`${page} has no section ${fragment}`);
  return text.slice(heading.index);
}

test.each(asked)("%s is answered within two clicks and 700 words", async (_, links, answer) => {
  let page = "README.md";
  let text = await readFrom(page);
  let words = 0;
  const readUntil = (part: string) => {
    expect(text).toContain(part);
    words += countWords(text.slice(0, text.indexOf(part)));
  };
  for (const link of links) {
    const [path = "", fragment] = link.split("#");
    readUntil(`](${page.startsWith("docs/") ? link.replace(/^docs\//, "") : link}`);
    page = path || page;
    text = await readFrom(page, fragment);
  }
  readUntil(answer);
  expect(links.length).toBeLessThanOrEqual(2);
  expect(words).toBeLessThanOrEqual(700);
});
