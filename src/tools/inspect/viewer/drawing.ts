import type { AnyStateMachine } from "xstate";
import { type DiagramState, listStates } from "../../trace/transitions.ts";
import { type Arrow, formatArrowId, formatEventClass, formatLabels, listArrows } from "../diagram/arrows.ts";

// Graphviz measures with this font, one of the wider ones: in most others the labels are shorter than their place.
const FONT = 'fontname="Open Sans"';
// Letters. Longer labels are broken into lines, so that a whole statechart is no wider than a page of text.
const LABEL_WIDTH = 18;
// This many arrows with the same label and target, or more, are joined on their way to a single one.
const JOINED = 3;

/**
 * A statechart in the language of Graphviz, from top to bottom. In the drawing a state is a group with the id `<statechart>:<path>`, an
 * arrow one with the id of `formatArrowId` and the classes of `formatEventClass`; colours come from the style sheet alone.
 */
export function toDot(machine: AnyStateMachine): string {
  return [
    "digraph {",
    `graph [id=${quote(`${machine.id}:graph`)} compound=true nodesep=0.1 ranksep=0.2 style=rounded pad=0.1 ${FONT} fontsize=13]`,
    `node [shape=box style=rounded height=0.38 margin="0.2,0.05" ${FONT} fontsize=13]`,
    `edge [arrowsize=0.8 ${FONT} fontsize=12]`,
    ...drawStates(machine, undefined),
    ...drawArrows(machine),
    "}",
  ].join("\n");
}

/** What a drawing is made for. */
export interface DrawingOptions {
  readonly id: string;
  /** For people who hear the page read. */
  readonly title: string;
  /** The style sheet that the drawing carries along; without one, the page has it. */
  readonly style?: string;
}

/** What Graphviz drew, as an element for a page or as a file. */
export function toDrawing(svg: string, { id, title, style }: DrawingOptions): string {
  const [, width, height] = /<svg width="(\d+)pt" height="(\d+)pt"/.exec(svg) ?? [];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" id="chart-${id}" class="ventanilla-chart" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="${id}:title">`,
    `<title id="${id}:title">${title}</title>`,
    ...(style ? [`<style>\n${style.trim()}\n</style>`] : []),
    // Graphviz names each part once more, which browsers would show under the pointer.
    svg.slice(svg.indexOf("<g ")).replace(/<title>.*<\/title>\n|<!--.*-->\n/g, ""),
  ].join("\n");
}

function drawStates(machine: AnyStateMachine, parent: string | undefined): string[] {
  const states = listStates(machine);
  return states
    .filter((state) => state.parent === parent)
    .flatMap((state) => {
      const attributes = `id=${quote(`${machine.id}:${state.path}`)} label=${quote(state.path.split(".").at(-1) ?? "")}`;
      const inner = drawStates(machine, state.path);
      return [
        ...(state.isInitial ? drawStart(state) : []),
        ...(inner.length > 0
          ? [
              `subgraph ${quote(`cluster_${state.path}`)} { ${attributes} margin=10 class="state group"`,
              // Arrows lead to the group through a node in it.
              `${quote(state.path)} [shape=point style=invis width=0 height=0]`,
              ...inner,
              "}",
            ]
          : [`${quote(state.path)} [${attributes} ${formatKind(state)}]`]),
      ];
    });
}

function formatKind({ tags, isFinal }: DiagramState): string {
  return `class=${quote(["state", ...tags, ...(isFinal ? ["final"] : [])].join(" "))} peripheries=${isFinal ? 2 : 1}`;
}

function drawStart({ path, parent }: DiagramState): string[] {
  const name = quote(`start of ${parent ?? "all"}`);
  const kind = parent === undefined ? "dot first" : "dot";
  return [
    `${name} [shape=circle label="" width=0.12 height=0.12 class="${kind}"]`,
    `${name} -> ${quote(path)} [class="arrow"]`,
  ];
}

function drawArrows(machine: AnyStateMachine): string[] {
  const order = listStates(machine).map(({ path }) => path);
  const groups = new Set(listStates(machine).map(({ parent }) => parent));
  const edge = (tail: string, head: string, ...attributes: readonly string[]): string => {
    // An arrow to or from a group ends at its border.
    const ends = [
      ...(groups.has(tail) ? [`ltail=${quote(`cluster_${tail}`)}`] : []),
      ...(groups.has(head) ? [`lhead=${quote(`cluster_${head}`)}`] : []),
    ];
    return `${quote(tail)} -> ${quote(head)} [${[...attributes, ...ends].join(" ")}]`;
  };
  const formatNames = ({ source, target, events }: Arrow, ...classes: readonly string[]): string => {
    const names = ["arrow", ...[...events.keys()].map(formatEventClass), ...classes];
    return `id=${quote(formatArrowId(machine.id, source, target))} class=${quote(names.join(" "))}`;
  };
  return groupArrows(machine).flatMap(([first, ...others], number) => {
    const { source, target } = first;
    if (others.length + 1 < JOINED) {
      return [first, ...others].map((arrow) => edge(arrow.source, target, formatNames(arrow), formatLabel(first)));
    }
    const junction = `junction-${number}`;
    const trunk = `class="arrow trunk ${junction}"`;
    // Written the other way round, an arrow that leads up does not push its target down.
    const isUp = order.indexOf(target) < order.indexOf(source);
    return [
      `${quote(junction)} [shape=point width=0.07 class="joint"]`,
      isUp
        ? edge(target, junction, trunk, formatLabel(first), "dir=back")
        : edge(junction, target, trunk, formatLabel(first)),
      ...[first, ...others].map((arrow) => {
        const attributes = [formatNames(arrow, junction), "dir=none"];
        return isUp ? edge(junction, arrow.source, ...attributes) : edge(arrow.source, junction, ...attributes);
      }),
    ];
  });
}

/** The arrows that lead elsewhere; those with the same target and the same label together. */
function groupArrows(machine: AnyStateMachine): [Arrow, ...Arrow[]][] {
  const together = new Map<string, [Arrow, ...Arrow[]]>();
  for (const arrow of listArrows(machine)) {
    if (!arrow.isMove) continue;
    const key = `${arrow.target} ${formatLabel(arrow)}`;
    const others = together.get(key);
    if (others) others.push(arrow);
    else together.set(key, [arrow]);
  }
  return [...together.values()];
}

function formatLabel(arrow: Arrow): string {
  const lines = formatLabels(arrow).flatMap(breakLines);
  // "\\l" ends a line that begins at the left; the space keeps it off its arrow.
  return `label="${lines.map((line) => `\u00a0${line}\\l`).join("")}"`;
}

function breakLines(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > LABEL_WIDTH) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

const quote = (text: string): string => `"${text}"`;
