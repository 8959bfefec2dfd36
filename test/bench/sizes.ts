import { readFileSync } from "node:fs";
import { countBytes, measureSize, type Size } from "./bundle.ts";
import { adapters, entries, root } from "./entries.ts";
import { count, table } from "./report.ts";

/** What one entry point weighs. */
export interface EntrySize {
  readonly name: string;
  readonly own: Size;
  readonly everything: Size;
}

/** Bytes, gzipped, that an entry point may weigh. */
export type Budget = Readonly<Record<string, { readonly everything?: number; readonly own?: number }>>;

// The application has these already: `react`, `solid-js`, `@angular/core`.
const frameworks = new RegExp(`^@?(${adapters.join("|")})(-dom|-js|/core)?(/|$)`);

const isPackage = (id: string) => !/^([./]|ventanilla(\/|$))/.test(id);

/** Measures every entry point, ours alone and with its dependencies, and the file for plain pages. */
export async function measureSizes(): Promise<readonly EntrySize[]> {
  const sizes: EntrySize[] = [];
  for (const { name, code } of entries) {
    const own = await measureSize(code, { external: isPackage });
    const everything = await measureSize(code, { external: (id) => frameworks.test(id) });
    sizes.push({ name, own, everything });
  }
  // For plain pages it is one file, as it was built.
  const file = countBytes(readFileSync(new URL("dist/element.js", root), "utf8"));
  return [...sizes, { name: "dist/element.js", own: file, everything: file }];
}

export function readBudget(): Budget {
  return JSON.parse(readFileSync(new URL("test/bench/budget.json", root), "utf8")) as Budget;
}

/** What is over its budget, or has one and does not exist, in words. */
export function overBudget(sizes: readonly EntrySize[], budget: Budget): readonly string[] {
  return Object.entries(budget).flatMap(([name, limits]) => {
    const size = sizes.find((entry) => entry.name === name);
    if (!size) return [`${name} has a budget and is no entry point`];
    return (["own", "everything"] as const).flatMap((part) => {
      const limit = limits[part] ?? Number.POSITIVE_INFINITY;
      const { gzipped } = size[part];
      return gzipped > limit ? [`${name}, ${part}: ${gzipped} bytes, ${gzipped - limit} over its budget`] : [];
    });
  });
}

/** The bytes of each entry point, as a table. */
export function reportSizes(sizes: readonly EntrySize[], budget: Budget): string {
  return table(
    ["entry point", "ours", "at once", "all", "budget"],
    sizes.map(({ name, own, everything }) => [
      `\`${name}\``,
      count(own.gzipped),
      count(everything.atOnce),
      count(everything.gzipped),
      formatLimits(budget[name]),
    ]),
  );
}

function formatLimits(limits: Budget[string] | undefined): string {
  const parts = [
    limits?.own === undefined ? "" : `ours ${count(limits.own)}`,
    limits?.everything === undefined ? "" : `all ${count(limits.everything)}`,
  ];
  return parts.filter((part) => part !== "").join(", ");
}
