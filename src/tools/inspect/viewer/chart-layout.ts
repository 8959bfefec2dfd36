import elk, { type ElkExtendedEdge, type ElkLabel, type ElkNode, type LayoutOptions } from "elkjs/lib/elk.bundled.js";
import type { AnyStateMachine } from "xstate";
import { type DiagramState, listStates } from "../../trace/transitions.ts";
import { type Arrow, formatArrowId, formatLabels, listArrows } from "../diagram/arrows.ts";

export const LINE_HEIGHT = 14;
// Letters are measured in one of the wider fonts, so in most others a text is shorter than its place.
const NAME_LETTER = 8;
const LABEL_LETTER = 6.1;
// Letters. Longer labels are broken into lines, so that a statechart is not wider than a page of text.
const LABEL_WIDTH = 18;
// The least number of arrows with the same label and target that are joined to a single one.
const JOINED = 3;

const spacing: LayoutOptions = {
  "elk.spacing.nodeNode": "10",
  "elk.spacing.edgeNode": "10",
  "elk.spacing.edgeEdge": "8",
  "elk.layered.spacing.nodeNodeBetweenLayers": "8",
  "elk.layered.spacing.edgeNodeBetweenLayers": "7",
  "elk.layered.spacing.edgeEdgeBetweenLayers": "6",
};

const chartOptions: LayoutOptions = {
  ...spacing,
  "elk.algorithm": "layered",
  "elk.direction": "DOWN",
  "elk.hierarchyHandling": "INCLUDE_CHILDREN",
  "elk.json.shapeCoords": "ROOT",
  "elk.json.edgeCoords": "ROOT",
  "elk.padding": "[top=8,left=8,bottom=8,right=8]",
  // States go down in the order of the definition, which is that of the contract.
  "elk.layered.cycleBreaking.strategy": "MODEL_ORDER",
  "elk.layered.nodePlacement.strategy": "NETWORK_SIMPLEX",
  "elk.layered.considerModelOrder.strategy": "PREFER_NODES",
  "elk.layered.thoroughness": "30",
};

const groupOptions: LayoutOptions = {
  ...spacing,
  "elk.padding": "[top=22,left=8,bottom=8,right=8]",
  "elk.nodeLabels.placement": "INSIDE V_TOP H_LEFT",
};

/** Arrows with the same target and the same label. Many of them meet at a joint, and continue as one. */
interface Bundle {
  readonly arrows: readonly [Arrow, ...Arrow[]];
  readonly label: ElkLabel;
  readonly joint: ElkNode | undefined;
  readonly isUp: boolean;
}

/** The id of the line from a joint to the target of its arrows. */
export const formatTrunkId = (joint: string): string => `${joint} trunk`;

/**
 * A statechart with the position of each of its parts, from top to bottom, in pixels from its top left corner. A state has its path as id, an
 * arrow that of `formatArrowId`; where arrows are joined, they lead to `joint <number>`, and its trunk to their target.
 *
 * @param options of ELK's algorithm "layered", for this statechart only.
 */
export async function layOut(machine: AnyStateMachine, options: LayoutOptions = {}): Promise<ElkNode> {
  const bundles = bundleArrows(machine);
  const edges = bundles.flatMap((bundle) => listEdges(machine, bundle));
  const backward = new Set(
    bundles.filter(isBackward).flatMap((bundle) => listEdges(machine, bundle).map(({ id }) => id)),
  );
  const turn = (edge: ElkExtendedEdge) => (backward.has(edge.id) ? turnRound(edge) : edge);
  const chart = await new elk.default().layout({
    id: machine.id,
    layoutOptions: { ...chartOptions, ...options },
    children: listBoxes(listStates(machine), undefined, bundles),
    edges: [...listStarts(machine), ...edges.map(turn)],
  });
  return { ...chart, edges: (chart.edges ?? []).map(turn) };
}

/** Whether ELK gets an arrow in the opposite direction: within a group it breaks cycles in its own order. */
const isBackward = ({ arrows: [{ source, target }], joint, isUp }: Bundle): boolean =>
  isUp && !joint && source.includes(".") && toParent(source) === toParent(target);

const toParent = (path: string): string => path.split(".").slice(0, -1).join(".");

function turnRound({ sources, targets, sections, ...edge }: ElkExtendedEdge): ElkExtendedEdge {
  return {
    ...edge,
    sources: targets,
    targets: sources,
    ...(sections && {
      sections: sections.map(({ startPoint, endPoint, bendPoints = [], ...section }) => ({
        ...section,
        startPoint: endPoint,
        endPoint: startPoint,
        bendPoints: bendPoints.toReversed(),
      })),
    }),
  };
}

function bundleArrows(machine: AnyStateMachine): Bundle[] {
  const states = listStates(machine);
  const bundles = new Map<string, [Arrow, ...Arrow[]]>();
  for (const arrow of listArrows(machine)) {
    if (!arrow.isMove) continue;
    const key = `${arrow.target} ${toLabel(arrow, states).text}`;
    const others = bundles.get(key);
    if (others) others.push(arrow);
    else bundles.set(key, [arrow]);
  }
  return [...bundles.values()].map((arrows, number) => {
    const [{ source, target }] = arrows;
    const isUp = states.findIndex(({ path }) => path === target) < states.findIndex(({ path }) => path === source);
    const joint = arrows.length < JOINED ? undefined : toJoint(`joint-${number}`, isUp);
    return { arrows, label: toLabel(arrows[0], states), joint, isUp };
  });
}

function toJoint(id: string, isUp: boolean): ElkNode {
  const [entry, exit] = isUp ? ["SOUTH", "NORTH"] : ["NORTH", "SOUTH"];
  return {
    id,
    width: 6,
    height: 6,
    ports: [
      { id: `${id} entry`, layoutOptions: { "elk.port.side": entry } },
      { id: `${id} exit`, layoutOptions: { "elk.port.side": exit } },
    ] as ElkNode["ports"] & object,
    layoutOptions: { "elk.portConstraints": "FIXED_SIDE" },
  };
}

function toLabel(arrow: Arrow, states: readonly DiagramState[]): ElkLabel {
  // A busy state is a request: how it ends needs no name.
  const isBusy = states.some(({ path, tags }) => path === arrow.source && tags.includes("busy"));
  const lines = formatLabels(arrow)
    .map((label) => (isBusy ? label.replace(/^\w+ (?=done|failed)/, "") : label))
    .flatMap(breakLines);
  return {
    text: lines.join("\n"),
    width: Math.max(...lines.map(({ length }) => length)) * LABEL_LETTER + 8,
    height: lines.length * LINE_HEIGHT + 2,
    layoutOptions: { "elk.edgeLabels.inline": "true" },
  };
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

function listBoxes(states: readonly DiagramState[], parent: string | undefined, bundles: readonly Bundle[]): ElkNode[] {
  return states
    .filter((state) => state.parent === parent)
    .flatMap((state) => {
      const joints = bundles.flatMap(({ arrows, joint, isUp }) =>
        joint && arrows[0].target === state.path ? [{ joint, isUp }] : [],
      );
      return [
        ...(state.isInitial ? [{ id: startOf(state), width: 9, height: 9 }] : []),
        ...joints.filter(({ isUp }) => !isUp).map(({ joint }) => joint),
        toBox(state, listBoxes(states, state.path, bundles)),
        ...joints.filter(({ isUp }) => isUp).map(({ joint }) => joint),
      ];
    });
}

function toBox({ path }: DiagramState, children: ElkNode[]): ElkNode {
  const text = path.split(".").at(-1) ?? "";
  const width = text.length * NAME_LETTER;
  const labels = [{ text, width, height: LINE_HEIGHT }];
  if (children.length > 0) return { id: path, labels, children, layoutOptions: groupOptions };
  const layoutOptions = {
    "elk.nodeLabels.placement": "INSIDE V_CENTER H_CENTER",
    // Wide enough to keep the heads of its arrows apart.
    "elk.nodeSize.constraints": "[MINIMUM_SIZE, PORTS]",
    "elk.nodeSize.minimum": `(${width + 24}, 26)`,
    "elk.spacing.portPort": "14",
    "elk.spacing.portsSurrounding": "[top=0,left=10,bottom=0,right=10]",
  };
  return { id: path, labels, layoutOptions };
}

const startOf = ({ parent }: DiagramState): string => `start of ${parent ?? "all"}`;

function listStarts(machine: AnyStateMachine): ElkExtendedEdge[] {
  return listStates(machine)
    .filter(({ isInitial }) => isInitial)
    .map((state) => ({ id: `from ${startOf(state)}`, sources: [startOf(state)], targets: [state.path] }));
}

function listEdges(machine: AnyStateMachine, { arrows, label, joint }: Bundle): ElkExtendedEdge[] {
  const ids = arrows.map(({ source, target }) => ({ id: formatArrowId(machine.id, source, target), source, target }));
  if (!joint)
    return ids.map(({ id, source, target }) => ({ id, sources: [source], targets: [target], labels: [{ ...label }] }));
  return [
    { id: formatTrunkId(joint.id), sources: [`${joint.id} exit`], targets: [arrows[0].target], labels: [label] },
    ...ids.map(({ id, source }) => ({ id, sources: [source], targets: [`${joint.id} entry`] })),
  ];
}
