import type { Arrow } from "../arrows.ts";

/** What a drawing is made for. */
export interface DrawingOptions {
  /** The statechart's arrows: `arrow-<number>` counts in this order. */
  readonly arrows: readonly Arrow[];
  /** The statechart's id; ids in the drawing begin with it. */
  readonly id: string;
  /** For those who hear it read. */
  readonly title: string;
  /** The style sheet that the drawing carries along; without one, the page has it. */
  readonly style?: string;
}

const MARGIN = 12;

/**
 * Dresses what Graphviz drew: a state is a group with the id `<statechart>:<path>`, an arrow one with `<statechart>:arrow-<number>`,
 * and colours come from the style sheet alone, so that they can follow light and dark and say what is lit.
 */
export function dressed(svg: string, { id, title, arrows, style }: DrawingOptions): string {
  const box = /viewBox="([^"]*)"/.exec(svg)?.[1] ?? "0 0 0 0";
  const [, , width = 0, height = 0] = box.split(" ").map(Number);
  const [shiftX = 0, shiftY = 0] = (/translate\(([^)]*)\)/.exec(svg)?.[1] ?? "").split(" ").map(Number);
  const [wide, high] = [width + 2 * MARGIN, height + 2 * MARGIN].map(Math.round);
  const parts = [
    ...svg.matchAll(/<g id="(node|edge|clust)\d+" class="([^"]*)">\s*<title>([^<]*)<\/title>([\s\S]*?)<\/g>/g),
  ];
  const of = (kind: string) => parts.filter((part) => part[1] === kind).map(partOf);
  const body = [
    ...of("clust").map((part) => groupOf(id, part)),
    ...of("edge").map((part) => arrowOf(id, part, arrows)),
    ...of("node").map((part) => stateOf(id, part)),
  ];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" id="chart-${id}" class="ventanilla-chart" viewBox="0 0 ${wide} ${high}" width="${wide}" height="${high}" role="img" aria-labelledby="${id}:title">`,
    `<title id="${id}:title">${title}</title>`,
    ...(style ? [`<style>\n${style.trim()}\n</style>`] : []),
    ...(style ? [`<rect class="paper" width="${wide}" height="${high}" rx="8"/>`] : []),
    `<g transform="translate(${round(shiftX + MARGIN)} ${round(shiftY + MARGIN)})">`,
    ...body,
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}

interface Part {
  readonly classes: readonly string[];
  /** Graphviz puts the name here. */
  readonly name: string;
  readonly content: string;
}

function partOf([, , classes = "", name = "", content = ""]: RegExpExecArray): Part {
  return { classes: plain(classes).split(" "), name: plain(name), content };
}

function stateOf(id: string, { classes, name, content }: Part): string {
  const circle = /<ellipse [^>]*cx="([^"]*)" cy="([^"]*)"/.exec(content);
  if (circle) return `<circle class="dot" cx="${circle[1]}" cy="${circle[2]}" r="5"/>`;
  const { left, top, width, height } = boundsOf(/<polygon [^>]*points="([^"]*)"/.exec(content)?.[1] ?? "", 1);
  const isFinal = classes.includes("final");
  return [
    `<g id="${id}:${name}" class="${["state", ...kindsIn(classes)].join(" ")}">`,
    rectOf({ left, top, width, height }, 9),
    ...(isFinal ? [rectOf({ left: left + 3, top: top + 3, width: width - 6, height: height - 6 }, 6)] : []),
    `<text x="${round(left + width / 2)}" y="${round(top + height / 2 + 4.5)}">${lastOf(name)}</text>`,
    "</g>",
  ].join("");
}

function groupOf(id: string, { classes, name, content }: Part): string {
  const path = name.replace(/^cluster_/, "");
  const { left, top, width, height } = boundsOf(/<path [^>]*d="([^"]*)"/.exec(content)?.[1] ?? "", 0);
  return [
    `<g id="${id}:${path}" class="${["state", "group", ...kindsIn(classes)].join(" ")}">`,
    rectOf({ left, top, width, height }, 12),
    `<text x="${round(left + width / 2)}" y="${round(top + 19)}">${lastOf(path)}</text>`,
    "</g>",
  ].join("");
}

function arrowOf(id: string, { classes, content }: Part, arrows: readonly Arrow[]): string {
  const number = classes.find((each) => each.startsWith("arrow-"))?.slice("arrow-".length);
  const arrow = arrows[Number(number)];
  const lines = [...content.matchAll(/<text [^>]*x="([^"]*)" y="([^"]*)"[^>]*>([^<]*)<\/text>/g)]
    .map(([, x, y, text = ""]) => [x, y, text.replaceAll("&#160;", " ").trim()])
    .filter(([, , text]) => text);
  return [
    arrow
      ? `<g id="${id}:arrow-${number}" class="arrow" data-source="${arrow.source}" data-target="${arrow.target}" data-events="${[...arrow.events.keys()].join("|")}">`
      : '<g class="arrow">',
    ...[...content.matchAll(/<path [^>]*d="([^"]*)"/g)].map(([, d]) => `<path d="${d}"/>`),
    ...[...content.matchAll(/<polygon [^>]*points="([^"]*)"/g)].map(([, points]) => `<polygon points="${points}"/>`),
    ...lines.map(([x, y, text]) => `<text x="${x}" y="${y}">${text}</text>`),
    "</g>",
  ].join("");
}

interface Bounds {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

function boundsOf(points: string, inset: number): Bounds {
  const numbers = [...points.matchAll(/(-?[\d.]+),(-?[\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)] as const);
  const [xs, ys] = [numbers.map(([x]) => x), numbers.map(([, y]) => y)];
  const [left, top] = [Math.min(...xs) + inset, Math.min(...ys) + inset];
  return { left, top, width: Math.max(...xs) - inset - left, height: Math.max(...ys) - inset - top };
}

function rectOf({ left, top, width, height }: Bounds, radius: number): string {
  return `<rect x="${round(left)}" y="${round(top)}" width="${round(width)}" height="${round(height)}" rx="${radius}"/>`;
}

const kindsIn = (classes: readonly string[]) => classes.filter((each) => each === "busy" || each === "final");
const lastOf = (path: string) => path.split(".").at(-1);
const round = (value: number) => Math.round(value * 100) / 100;
const plain = (text: string) => text.replaceAll("&#45;", "-").replaceAll("&gt;", ">");
