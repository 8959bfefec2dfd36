/** A heap snapshot as V8 writes it, as far as it is read here. */
export interface HeapSnapshot {
  readonly snapshot: {
    readonly meta: {
      readonly node_fields: readonly string[];
      readonly edge_fields: readonly string[];
      readonly edge_types: readonly [readonly string[], ...unknown[]];
    };
  };
  readonly nodes: readonly number[];
  readonly edges: readonly number[];
  readonly strings: readonly string[];
}

/**
 * Looks for texts among all strings of a heap. Gives the way from a root to each that is found: what holds it, which is
 * what there is to mend.
 */
export function findInHeap(heap: HeapSnapshot, texts: readonly string[]): ReadonlyMap<string, string> {
  const holders = holdersIn(heap);
  const found = new Map<string, string>();
  heap.strings.forEach((string, index) => {
    for (const text of texts) if (string.includes(text) && !found.has(text)) found.set(text, holders.wayTo(index));
  });
  return found;
}

function holdersIn({ snapshot: { meta }, nodes, edges, strings }: HeapSnapshot) {
  const width = meta.node_fields.length;
  const field = (name: string) => meta.node_fields.indexOf(name);
  const [name, id, edgeCount] = [field("name"), field("id"), field("edge_count")];
  const edgeWidth = meta.edge_fields.length;
  const at = (list: readonly number[], index: number): number => list[index] ?? 0;
  const edgeTypes = meta.edge_types[0];
  const numbered = new Set(["element", "hidden"].map((type) => edgeTypes.indexOf(type)));
  const weak = edgeTypes.indexOf("weak");

  const firstEdge: number[] = [];
  let edge = 0;
  for (let node = 0; node < nodes.length; node += width) {
    firstEdge.push(edge);
    edge += at(nodes, node + edgeCount) * edgeWidth;
  }
  // The entry of a WeakMap is held by its key, which the name of the edge tells; the map has the same edge, but holds nothing.
  const isHeld = (node: number, each: number): boolean => {
    if (at(edges, each) === weak) return false;
    const [, key] = numbered.has(at(edges, each))
      ? []
      : (/part of key \(.*? @(\d+)\) -> value/.exec(strings[at(edges, each + 1)] ?? "") ?? []);
    return key === undefined || Number(key) === at(nodes, node + id);
  };

  // The shortest way from the root, the first node, to each other one.
  const cameBy = new Map<number, { readonly from: number; readonly edge: number }>();
  const left = [0];
  for (const node of left) {
    const first = at(firstEdge, node / width);
    const end = first + at(nodes, node + edgeCount) * edgeWidth;
    for (let each = first; each < end; each += edgeWidth) {
      const to = at(edges, each + 2);
      if (to === 0 || cameBy.has(to) || !isHeld(node, each)) continue;
      cameBy.set(to, { from: node, edge: each });
      left.push(to);
    }
  }

  const text = (index: number) => (strings[index] ?? "").slice(0, 80);
  const describe = (node: number): string => {
    const came = cameBy.get(node);
    if (!came) return text(at(nodes, node + name));
    const label = at(edges, came.edge + 1);
    const member = numbered.has(at(edges, came.edge)) ? `[${label}]` : text(label);
    return `${describe(came.from)} > ${member}: ${text(at(nodes, node + name))}`;
  };
  return {
    wayTo(string: number): string {
      for (let node = 0; node < nodes.length; node += width) {
        if (at(nodes, node + name) === string && cameBy.has(node)) return describe(node);
      }
      return "not held by a root";
    },
  };
}
