import { readFile, writeFile } from "node:fs/promises";
import { root } from "./entries.ts";
import { measureSizes, overBudget, readBudget, reportSizes } from "./sizes.ts";

// `npm run bench -- size`: bytes are exact, so this may fail a build. With `--write` it writes the table of CONTRIBUTING.md.
const sizes = await measureSizes();
const budget = readBudget();
const table = reportSizes(sizes, budget);
console.log(table);
if (process.argv.includes("--write")) {
  const page = new URL("CONTRIBUTING.md", root);
  const text = await readFile(page, "utf8");
  await writeFile(page, text.replace(/\| entry point \| ours \|.*?(?=\n\n)/s, table));
}
const excess = overBudget(sizes, budget);
for (const sentence of excess) console.error(sentence);
process.exitCode = excess.length > 0 ? 1 : 0;
