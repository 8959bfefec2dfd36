import { readFile, writeFile } from "node:fs/promises";
import { listGroups } from "./site-paths.ts";

/**
 * Writes the pages as they are, for programs that read: each beside its HTML, `llms.txt` with what each is about, and `llms-full.txt`
 * with all of them.
 */
export async function writePlainText(site: string, base: string): Promise<void> {
  const lines: string[] = [];
  const texts: string[] = [];
  for (const { text: group, items } of await listGroups()) {
    lines.push(`\n## ${group}\n`);
    for (const { text: title, link, file } of items.filter(({ file }) => file.endsWith(".md"))) {
      const text = await readPage(file);
      await writeFile(`${site}${link}`, text);
      lines.push(`- [${title}](${base}${link.slice(1)}): ${findFirstSentence(text)}`);
      texts.push(text);
    }
  }
  const readme = await readPage("README.md");
  const about = `# ventanilla\n\n> ${findFirstSentence(readme)}\n`;
  await writeFile(`${site}/llms.txt`, `${about}${lines.join("\n")}\n`);
  await writeFile(`${site}/llms-full.txt`, [readme, ...texts].join("\n\n"));
}

const readPage = (file: string) => readFile(new URL(`../../${file}`, import.meta.url), "utf8");

/** What a page says first, without its links and other marks. A page that says nothing has none. */
export function findFirstSentence(text: string): string {
  const prose = text.replace(/^---\n[\s\S]*?\n---\n/, "").replaceAll(/^(`{3,})[\s\S]*?^\1$/gm, "");
  const paragraphs = prose.split(/\n{2,}/).map((part) => part.trim());
  const paragraph = paragraphs.find((part) => /^[^#<>|*-]/.test(part)) ?? "";
  const plain = paragraph.replaceAll("\n", " ").replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1");
  return /^.*?\.(?= |$)/.exec(plain)?.[0] ?? plain;
}
