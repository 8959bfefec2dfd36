import { diagramOf, mermaidOf, statesOf, transitionsOf } from "ventanilla/inspect";
import { linkMachine } from "ventanilla/machines/link";
import { loginMachine } from "ventanilla/machines/login";
import { beforeAll, describe, expect, test } from "vitest";
import { arrowsOf } from "../../src/inspect/arrows.ts";
import { buildViewer } from "./built.ts";

beforeAll(buildViewer);

const machines = { login: loginMachine, link: linkMachine };

describe.each(["login", "link"] as const)("the %s statechart", (flow) => {
  const machine = machines[flow];

  test("is in docs/pictures/machines as it is", async () => {
    await expect(diagramOf(flow, "svg")).toMatchFileSnapshot(`../../docs/pictures/machines/${flow}.svg`);
  });

  test("is drawn with every state and every arrow that leads elsewhere, each with an id", () => {
    // Graphviz names what has no name of its own after the graph: starts and junctions.
    const ids = [...diagramOf(flow, "svg").matchAll(/ id="((?!\w+:graph)[^"]+)"/g)].map(([, id]) => id);
    const arrows = arrowsOf(machine).filter(({ isMove }) => isMove);
    const moves = arrows.map(({ source, target }) => `${flow}:${source}&gt;${target}`);
    const states = statesOf(machine).map(({ path }) => `${flow}:${path}`);
    expect([...ids].sort()).toEqual([`chart-${flow}`, `${flow}:title`, ...states, ...moves].sort());
  });

  test("is drawn without scripts, inline styles or anything from elsewhere", () => {
    const svg = diagramOf(flow, "svg");
    expect(svg).not.toMatch(/<script|style="|href|url\(|@import|on\w+="/);
    expect(svg.match(/http[^"]*/g)).toEqual(["http://www.w3.org/2000/svg"]);
  });

  test("is drawn for light and dark", () => {
    expect(diagramOf(flow, "svg")).toContain("@media (prefers-color-scheme: dark)");
  });

  test("can be read at the width of a README", () => {
    const [, width] = /<svg [^>]*width="(\d+)"/.exec(diagramOf(flow, "svg")) ?? [];
    // GitHub scales a picture down to about 830 px; labels of 12 px keep more than 11.
    expect(Number(width)).toBeLessThan(900);
  });

  test("is a Mermaid diagram", () => {
    expect(diagramOf(flow, "mermaid")).toBe(`${mermaidOf(machine)}\n`);
  });

  test("is rows of states and transitions", () => {
    expect(JSON.parse(diagramOf(flow, "json"))).toEqual(
      JSON.parse(JSON.stringify({ id: flow, states: statesOf(machine), transitions: transitionsOf(machine) })),
    );
  });
});

test("what waits for nothing is a transition as well", () => {
  expect(transitionsOf(linkMachine).filter(({ source }) => source === "starting")).toEqual([
    { source: "starting", event: "always", guard: "hasProvider", target: "loadingFields", actions: [] },
    { source: "starting", event: "always", guard: undefined, target: "loadingProviders", actions: [] },
  ]);
});
