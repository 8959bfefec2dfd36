import type { ElkExtendedEdge, ElkLabel, ElkNode, ElkPoint } from "elkjs/lib/elk-api.js";
import type { AnyStateMachine } from "xstate";
import { type DiagramState, listStates } from "../../trace/transitions.ts";
import { formatArrowId, formatEventClass, listArrows } from "../diagram/arrows.ts";
import { formatTrunkId, LINE_HEIGHT } from "./chart-layout.ts";

const HEAD = { length: 6, width: 6 };
const CORNER = 5;
// From the top of a line of text to its baseline.
const ASCENT = 11;

export interface DrawingOptions {
  /** For screen readers. */
  readonly title: string;
  /** The style sheet that the drawing contains; without one, the page has it. */
  readonly style?: string;
}

/**
 * A statechart that was laid out, as an element for a page or as a file. A state is a group with the id `<statechart>:<path>`, an
 * arrow one with the id of `formatArrowId` and the classes of `formatEventClass`; colours come from the style sheet alone.
 */
export function toDrawing(machine: AnyStateMachine, chart: ElkNode, { title, style }: DrawingOptions): string {
  const { id, children = [], edges = [] } = chart;
  // A fraction of a pixel would make the labels smaller.
  const [width, height] = [Math.ceil(at(chart.width)), Math.ceil(at(chart.height))];
  const states = listStates(machine);
  const boxes = listNodes(children);
  const [groups, leaves] = [boxes.filter(({ children }) => children), boxes.filter(({ children }) => !children)];
  const drawBox = (box: ElkNode): string => {
    const state = states.find(({ path }) => path === box.id);
    return state ? drawState(machine.id, state, box) : drawDot(box);
  };
  const [classes, joints] = [
    listClasses(machine, edges),
    new Set(edges.flatMap(({ junctionPoints = [] }) => junctionPoints.map(formatPoint))),
  ];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" id="chart-${id}" class="ventanilla-chart" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="${id}:title">`,
    `<title id="${id}:title">${title}</title>`,
    ...(style ? [`<style>\n${style.trim()}\n</style>`] : []),
    `<rect class="paper" width="${width}" height="${height}"/>`,
    ...groups.map(drawBox),
    ...edges.map((edge) => drawArrow(edge, classes.get(edge.id) ?? ["arrow"])),
    ...[...joints].map((point) => `<circle class="joint" ${point}/>`),
    ...leaves.map(drawBox),
    "</svg>\n",
  ].join("\n");
}

function listNodes(nodes: readonly ElkNode[]): ElkNode[] {
  return nodes.flatMap((node) => [node, ...listNodes(node.children ?? [])]);
}

/** The classes of each arrow; a joined arrow names its joint, as its trunk does. */
function listClasses(machine: AnyStateMachine, edges: readonly ElkExtendedEdge[]): Map<string, string[]> {
  const classes = new Map<string, string[]>();
  for (const { source, target, events } of listArrows(machine)) {
    const id = formatArrowId(machine.id, source, target);
    const joint = edges.find((edge) => edge.id === id)?.targets[0]?.match(/^joint-\d+/)?.[0];
    classes.set(id, ["arrow", ...[...events.keys()].map(formatEventClass), ...(joint ? [joint] : [])]);
    if (joint) classes.set(formatTrunkId(joint), ["arrow", "trunk", joint]);
  }
  return classes;
}

function drawState(
  flow: string,
  { path, tags, isFinal }: DiagramState,
  { labels = [], children, ...box }: ElkNode,
): string {
  const kinds = ["state", ...(children ? ["group"] : tags), ...(isFinal ? ["final"] : [])];
  const inner = { x: at(box.x) + 3, y: at(box.y) + 3, width: at(box.width) - 6, height: at(box.height) - 6 };
  return [
    `<g id="${flow}:${path}" class="${kinds.join(" ")}">`,
    drawRectangle(box, 8),
    ...(isFinal ? [drawRectangle(inner, 5)] : []),
    ...labels.map(drawText),
    "</g>",
  ].join("");
}

function drawDot({ id, x, y, width }: ElkNode): string {
  const radius = at(width) / 2;
  const kind = id.startsWith("joint") ? "joint" : id === "start of all" ? "dot first" : "dot";
  return `<circle class="${kind}" cx="${at(x) + radius}" cy="${at(y) + radius}" r="${radius}"/>`;
}

function drawArrow({ id, sections = [], targets, labels = [] }: ElkExtendedEdge, classes: readonly string[]): string {
  // An arrow to a joint has its head at the end of the trunk.
  const hasHead = !targets.some((target) => target.startsWith("joint"));
  const name = classes.includes("trunk") || !id.includes(">") ? "" : `id="${id.replace(">", "&gt;")}" `;
  return [
    `<g ${name}class="${classes.join(" ")}">`,
    ...sections.map(({ startPoint, bendPoints = [], endPoint }) =>
      drawLine([startPoint, ...straighten(bendPoints), endPoint], hasHead),
    ),
    ...labels.flatMap((label) => [drawRectangle(label, 3), drawText(label)]),
    "</g>",
  ].join("");
}

function drawLine(points: readonly ElkPoint[], hasHead: boolean): string {
  const [first, ...others] = points as readonly [ElkPoint, ...ElkPoint[]];
  const end = others.at(-1) ?? first;
  const base = hasHead ? shift(end, others.at(-2) ?? first, HEAD.length) : end;
  const corners = others.slice(0, -1).map((corner, number) => {
    const [before, after] = [points[number] ?? first, others[number + 1] ?? end];
    const radius = Math.min(CORNER, distance(before, corner) / 2, distance(corner, after) / 2);
    return `L${format(shift(corner, before, radius))}Q${format(corner)} ${format(shift(corner, after, radius))}`;
  });
  const line = `<path d="M${format(first)}${corners.join("")}L${format(base)}"/>`;
  if (!hasHead) return line;
  const [x, y] = [
    ((end.y - base.y) / HEAD.length) * (HEAD.width / 2),
    ((end.x - base.x) / HEAD.length) * (HEAD.width / 2),
  ];
  const [left, right] = [
    { x: base.x - x, y: base.y + y },
    { x: base.x + x, y: base.y - y },
  ];
  return `${line}<polygon points="${[end, left, right].map(format).join(" ")}"/>`;
}

/** Removes the one-pixel steps that rounding leaves at the border of a group. */
function straighten(bends: readonly ElkPoint[]): ElkPoint[] {
  return bends.filter((bend, number) =>
    [bends[number - 1], bends[number + 1]].every((next) => !next || distance(bend, next) > 1.5),
  );
}

const distance = (one: ElkPoint, other: ElkPoint): number => Math.hypot(one.x - other.x, one.y - other.y);

/** The point at a distance from one, towards another. */
function shift(from: ElkPoint, to: ElkPoint, length: number): ElkPoint {
  const part = length / (distance(from, to) || 1);
  return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
}

function drawRectangle({ x, y, width, height }: ElkLabel, radius: number): string {
  return `<rect x="${at(x)}" y="${at(y)}" width="${at(width)}" height="${at(height)}" rx="${radius}"/>`;
}

function drawText({ text = "", x, y, width, height }: ElkLabel): string {
  const lines = text.split("\n");
  const top = at(y) + (at(height) - lines.length * LINE_HEIGHT) / 2 + ASCENT;
  return lines
    .map(
      (line, number) =>
        `<text x="${round(at(x) + at(width) / 2)}" y="${round(top + number * LINE_HEIGHT)}">${line}</text>`,
    )
    .join("");
}

const round = (value: number): number => Math.round(value * 10) / 10;
// ELK sets the position of everything that it has laid out.
const at = (value: number | undefined): number => round(value ?? Number.NaN);
const format = ({ x, y }: ElkPoint): string => `${round(x)},${round(y)}`;
const formatPoint = ({ x, y }: ElkPoint): string => `cx="${round(x)}" cy="${round(y)}" r="2.5"`;
