import type { Spread } from "./rounds.ts";

/** A number with its thousands apart. */
export const count = (value: number): string => Math.round(value).toLocaleString("en").replaceAll(",", " ");

/** A ratio, with the middle half of its rounds. */
export const share = ({ median, lower, upper }: Spread): string =>
  `**${median.toFixed(2)}** (${lower.toFixed(2)}–${upper.toFixed(2)})`;

/** A table in Markdown: the first column is text, the others are numbers. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map((_, column) => (column === 0 ? "---" : "---:"))), ...rows.map(line)].join("\n");
}
