import { measureSizes, overBudget, readBudget } from "./sizes.ts";

// `npm run size`: bytes are exact, so this may fail a build.
const sizes = await measureSizes();
const budget = readBudget();
console.table(
  Object.fromEntries(
    sizes.map(({ name, own, everything }) => [
      name,
      {
        ours: own.gzipped,
        "ours may be": budget[name]?.own ?? "",
        "with dependencies": everything.gzipped,
        "may be": budget[name]?.everything ?? "",
        "minified only": everything.minified,
      },
    ]),
  ),
);
const excess = overBudget(sizes, budget);
for (const sentence of excess) console.error(sentence);
process.exitCode = excess.length > 0 ? 1 : 0;
