/** One bar: its parts lie one after the other. */
export interface Bar {
  readonly name: string;
  readonly parts: readonly number[];
  /** What stands beside it. */
  readonly text: string;
}

/** What a chart shows. */
export interface Chart {
  readonly title: string;
  readonly bars: readonly Bar[];
  /** The names of a bar's parts. */
  readonly legend: readonly string[];
  /** Where a line marks a target. */
  readonly target?: number;
}

const width = 760;
const left = 250;
const right = 120;
const rowHeight = 26;
const top = 62;

/** Draws horizontal bars as an SVG that follows the reader's colour scheme. */
export function draw({ title, bars, legend, target }: Chart): string {
  const height = top + bars.length * rowHeight + 16;
  const largest = Math.max(target ?? 0, ...bars.map(({ parts }) => sum(parts))) || 1;
  const scale = (value: number) => round((value / largest) * (width - left - right));
  const rows = bars.map(({ name, parts, text }, row) => {
    const y = top + row * rowHeight;
    const pieces = parts.map((part, number) => {
      const x = left + scale(sum(parts.slice(0, number)));
      return `<rect class="part${number}" x="${round(x)}" y="${y}" width="${scale(part)}" height="${rowHeight - 8}" rx="2"/>`;
    });
    const end = round(left + scale(sum(parts)) + 8);
    return `<text x="${left - 10}" y="${y + 13}" text-anchor="end">${escaped(name)}</text>${pieces.join("")}<text class="quiet" x="${end}" y="${y + 13}">${escaped(text)}</text>`;
  });
  const names = legend.map((name, number) => {
    const x = left + number * 170;
    return `<rect class="part${number}" x="${x}" y="36" width="12" height="12" rx="2"/><text class="quiet" x="${x + 18}" y="46">${escaped(name)}</text>`;
  });
  const line =
    target === undefined
      ? ""
      : `<line x1="${round(left + scale(target))}" x2="${round(left + scale(target))}" y1="${top - 6}" y2="${height - 12}"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title)}">
<style>
text { font: 13px system-ui, sans-serif; fill: #131a26; }
.title { font-weight: 600; font-size: 15px; }
.quiet { fill: #505a6b; }
.part0 { fill: #1f4fd8; }
.part1 { fill: #a9b8dc; }
line { stroke: #b3261e; stroke-dasharray: 4 3; }
@media (prefers-color-scheme: dark) {
text { fill: #eef1f6; }
.quiet { fill: #aab3c2; }
.part0 { fill: #9db8ff; }
.part1 { fill: #47557a; }
line { stroke: #ffb4ab; }
}
</style>
<text class="title" x="12" y="22">${escaped(title)}</text>
${[...names, ...rows, line].filter((part) => part !== "").join("\n")}
</svg>
`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
