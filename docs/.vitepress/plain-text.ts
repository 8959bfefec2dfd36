import { mkdir, readFile, writeFile } from "node:fs/promises";
import { listGroups } from "./links.ts";

/**
 * Writes the pages as they are, for programs that read: each beside its HTML, `llms.txt` with what each is about, and `llms-full.txt`
 * with all of them.
 */
export async function writePlainText(site: string, base: string): Promise<void> {
  const lines: string[] = [];
  const texts: string[] = [];
  for (const { text: group, items } of await listGroups()) {
    lines.push(`\n## ${group}\n`);
    for (const { text: title, link } of items.filter(({ link }) => !link.startsWith("/reference/"))) {
      const text = await readPage(link);
      await mkdir(new URL(".", `file://${site}${link}`), { recursive: true });
      await writeFile(`${site}${link}`, text);
      lines.push(`- [${title}](${base}${link.slice(1)}): ${findFirstSentence(text)}`);
      texts.push(text);
    }
  }
  const readme = await readPage("/index.md");
  const about = `# ventanilla\n\n> ${findFirstSentence(readme)}\n`;
  await writeFile(`${site}/llms.txt`, `${about}${lines.join("\n")}\n`);
  await writeFile(`${site}/llms-full.txt`, [readme, ...texts].join("\n\n"));
}

async function readPage(link: string): Promise<string> {
  const name = link === "/index.md" ? "README.md" : link.slice(1);
  const page = (folder: string) => new URL(`../../${folder}${name}`, import.meta.url);
  return readFile(page("docs/"), "utf8").catch(() => readFile(page(""), "utf8"));
}

/** What a page says first, without its links. */
function findFirstSentence(text: string): string {
  const paragraph = text.replace(/^<!--[^>]*-->\n/, "").split("\n\n")[1] ?? "";
  const plain = paragraph.replaceAll("\n", " ").replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1");
  return /^.*?[.:](?= |$)/.exec(plain)?.[0] ?? plain;
}
