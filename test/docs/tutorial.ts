import { readFile } from "node:fs/promises";

/** What docs/tutorial.md tells to do: the files with their names, the commands, and what the last one prints. */
export async function readTutorial() {
  const page = await readFile(new URL("../../docs/tutorial.md", import.meta.url), "utf8");
  const blocks = [...page.matchAll(/(?:^`([\w./]+)`:\n\n)?^```(\w*)\n([\s\S]*?)^```$/gm)].map(
    ([, name = "", language = "", text = ""]) => ({ name, language, text }),
  );
  return {
    files: blocks.filter(({ name }) => name !== "").map(({ name, text }) => [name, text] as const),
    commands: blocks.filter(({ language }) => language === "sh").map(({ text }) => text),
    printed: blocks.filter(({ language }) => language === "").map(({ text }) => text),
  };
}
