import type { ElkExtendedEdge, ElkNode, ElkPoint } from "elkjs/lib/elk-api.js";
import { beforeAll, describe, expect, test } from "vitest";
import { layOut } from "../../../src/tools/inspect/viewer/chart-layout.ts";
import { charts } from "../../../src/tools/inspect/viewer/charts.ts";
import { listStates } from "../../../src/tools/trace/transitions.ts";

interface Box {
  readonly name: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}
interface Line {
  readonly edge: ElkExtendedEdge;
  readonly points: readonly ElkPoint[];
  /** The pieces between two bends, as boxes without an area. */
  readonly pieces: readonly Box[];
}

const toBox = (name: string, { x = Number.NaN, y = Number.NaN, width = 0, height = 0 }: Partial<ElkNode>): Box => ({
  name,
  left: x,
  right: x + width,
  top: y,
  bottom: y + height,
});

function toLine(edge: ElkExtendedEdge): Line[] {
  return (edge.sections ?? []).map(({ startPoint, bendPoints = [], endPoint }) => {
    const points = [startPoint, ...bendPoints, endPoint];
    const pieces = points.slice(1).map((to, number) => {
      const from = points[number] ?? to;
      const corner = { x: Math.min(from.x, to.x), y: Math.min(from.y, to.y) };
      return toBox(edge.id, { ...corner, width: Math.abs(from.x - to.x), height: Math.abs(from.y - to.y) });
    });
    return { edge, points, pieces };
  });
}

/** Whether two boxes share a place, or are nearer than a distance. */
const touch = (one: Box, other: Box, distance = -0.1): boolean =>
  one.left < other.right + distance &&
  other.left < one.right + distance &&
  one.top < other.bottom + distance &&
  other.top < one.bottom + distance;

const isIn = (inner: Box, outer: Box): boolean =>
  inner.left >= outer.left && inner.right <= outer.right && inner.top >= outer.top && inner.bottom <= outer.bottom;

const pairs = <Item>(items: readonly Item[]): [Item, Item][] =>
  items.flatMap((one, number) => items.slice(number + 1).map((other): [Item, Item] => [one, other]));

const listNodes = (nodes: readonly ElkNode[]): ElkNode[] =>
  nodes.flatMap((node) => [node, ...listNodes(node.children ?? [])]);

const jointOf = ({ sources, targets }: ElkExtendedEdge): string | undefined =>
  [...sources, ...targets].flatMap((end) => /^joint-\d+/.exec(end) ?? [])[0];
const isWithin = (end: string, state: string): boolean => end === state || end.startsWith(`${state}.`);

// The way of a login, as section 3 of the contract tells it, and that from the list of banks to the destinations, as section 1 does.
const orders = {
  login: ["idle", "submitting", "awaitingInteraction", "failed", "replacingSession"],
  link: [
    "starting",
    "loadingProviders",
    "choosingProvider",
    "loadingFields",
    "loggingIn",
    "loadingDestinations",
    "linked",
  ],
};
const clients = ["submitting", "selectClient.listing", "selectClient.choosing", "selectClient.selecting"];

describe.each(charts)("$title", ({ machine, layout }) => {
  let nodes: Box[];
  let states: Box[];
  let groups: Box[];
  let lines: Line[];
  let labels: Box[];

  beforeAll(async () => {
    const chart = await layOut(machine, layout);
    const all = listNodes(chart.children ?? []);
    const paths = listStates(machine).map(({ path }) => path);
    nodes = all.filter(({ children }) => !children).map((node) => toBox(node.id, node));
    states = all.filter(({ id }) => paths.includes(id)).map((node) => toBox(node.id, node));
    groups = all.filter(({ children }) => children).map((node) => toBox(node.id, node));
    const edges = chart.edges ?? [];
    lines = edges.flatMap(toLine);
    labels = [
      ...edges.flatMap(({ id, labels: own = [] }) => own.map((label) => toBox(id, label))),
      ...all
        .filter(({ children }) => children)
        .flatMap((group) => (group.labels ?? []).map((label) => toBox(group.id, label))),
    ];
  });

  test("has a place for every state, arrow and label", () => {
    expect(states.map(({ name }) => name).sort()).toEqual(
      listStates(machine)
        .map(({ path }) => path)
        .sort(),
    );
    expect(lines.length).toBeGreaterThan(states.length);
    const numbers = [...nodes, ...labels, ...lines.flatMap(({ pieces }) => pieces)].flatMap(({ left, bottom }) => [
      left,
      bottom,
    ]);
    expect(numbers.filter(Number.isNaN)).toEqual([]);
  });

  test("no label lies on a state, on another label, on a border or on another arrow", () => {
    const faults = [
      ...pairs(labels).filter(([one, other]) => touch(one, other)),
      ...labels.flatMap((label) => nodes.filter((node) => touch(label, node)).map((node) => [label, node] as const)),
      ...labels.flatMap((label) =>
        groups.filter((group) => touch(label, group) && !isIn(label, group)).map((group) => [label, group] as const),
      ),
      ...labels.flatMap((label) =>
        lines
          .filter(({ edge, pieces }) => edge.id !== label.name && pieces.some((piece) => touch(label, piece, 1)))
          .map(({ edge }) => [label, { name: edge.id }] as const),
      ),
    ];
    expect(faults.map(([label, other]) => `${label.name} on ${other.name}`)).toEqual([]);
  });

  test("no arrow passes through a state that is not its end or around it", () => {
    const faults = lines.flatMap(({ edge, pieces }) => {
      const ends = [...edge.sources, ...edge.targets];
      return states
        .filter(({ name }) => !ends.some((end) => isWithin(end, name)))
        .filter((state) => pieces.some((piece) => touch(piece, state)))
        .map(({ name }) => `${edge.id} through ${name}`);
    });
    expect(faults).toEqual([]);
  });

  test("no two arrows run on the same line, unless they are joined", () => {
    const isUpright = ({ left, right }: Box): boolean => right - left < 0.1;
    const overlap = (one: Box, other: Box): boolean =>
      isUpright(one) === isUpright(other) &&
      touch(one, other, 2) &&
      (isUpright(one)
        ? Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 2
        : Math.min(one.right, other.right) - Math.max(one.left, other.left) > 2);
    const faults = pairs(lines)
      .filter(([one, other]) => jointOf(one.edge) === undefined || jointOf(one.edge) !== jointOf(other.edge))
      .filter(([one, other]) => one.pieces.some((piece) => other.pieces.some((near) => overlap(piece, near))));
    expect(faults.map(([one, other]) => `${one.edge.id} along ${other.edge.id}`)).toEqual([]);
  });

  test("the heads of arrows keep a distance from each other and from other arrows", () => {
    const heads = lines
      .filter(({ edge }) => !edge.targets.some((target) => target.startsWith("joint")))
      .map(({ edge, points }) => {
        const { x, y } = points.at(-1) ?? { x: Number.NaN, y: Number.NaN };
        return toBox(edge.id, { x: x - 3, y: y - 3, width: 6, height: 6 });
      });
    const faults = [
      ...pairs(heads)
        .filter(([one, other]) => touch(one, other, 3))
        .map(([one, other]) => `${one.name} and ${other.name}`),
      ...heads.flatMap((head) =>
        lines
          .filter(({ edge, pieces }) => edge.id !== head.name && pieces.some((piece) => touch(head, piece, 1)))
          .map(({ edge }) => `${edge.id} through the head of ${head.name}`),
      ),
    ];
    expect(faults).toEqual([]);
  });

  test("the states go down in the order of the contract", () => {
    for (const order of [orders[machine.id as keyof typeof orders], ...(machine.id === "login" ? [clients] : [])]) {
      const tops = order.map((name) => states.find((state) => state.name === name)?.top ?? Number.NaN);
      expect(tops, order.join()).toEqual([...tops].sort((one, other) => one - other));
      expect(new Set(tops).size).toBe(order.length);
    }
  });

  test("all cancels are one line beside the states", () => {
    const cancels = lines.filter(({ edge }) => /idle$|cancelled$/.test(edge.id) && edge.id.includes(">"));
    const joints = new Set(cancels.map(({ edge }) => jointOf(edge)));
    expect([joints.size, joints.has(undefined)]).toEqual([1, false]);
    const [lane] = cancels
      .flatMap(({ pieces }) => pieces)
      .sort((one, other) => other.bottom - other.top - (one.bottom - one.top));
    const beside = states.filter(({ top, bottom }) => lane && top < lane.bottom && bottom > lane.top);
    expect(beside.length).toBeGreaterThan(4);
    expect(new Set(beside.map(({ left }) => lane && left > lane.left)).size).toBe(1);
  });
});
