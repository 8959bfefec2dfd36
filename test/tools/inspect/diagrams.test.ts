import { createDiagram } from "ventanilla/inspect";
import { linkMachine } from "ventanilla/machines/link";
import { loginMachine } from "ventanilla/machines/login";
import { describe, expect, test } from "vitest";
import { listArrows } from "../../../src/tools/inspect/diagram/arrows.ts";
import { listStates, listTransitions } from "../../../src/tools/trace/transitions.ts";

describe.each([
  ["login", loginMachine, "idle"],
  ["link", linkMachine, "starting"],
] as const)("the %s statechart", (flow, machine, first) => {
  test("has an up-to-date picture in docs/pictures/machines", async () => {
    await expect(createDiagram(flow, "svg")).toMatchFileSnapshot(`../../../docs/pictures/machines/${flow}.svg`);
  });

  test("is drawn with every state and every arrow to another state, each with an id", () => {
    const ids = [...createDiagram(flow, "svg").matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    const arrows = listArrows(machine).filter(({ isMove }) => isMove);
    const moves = arrows.map(({ source, target }) => `${flow}:${source}&gt;${target}`);
    const states = listStates(machine).map(({ path }) => `${flow}:${path}`);
    expect([...ids].sort()).toEqual([`chart-${flow}`, `${flow}:title`, ...states, ...moves].sort());
  });

  test("is drawn for light and dark, without scripts, inline styles or links, no wider than a README", () => {
    const svg = createDiagram(flow, "svg");
    expect(svg).not.toMatch(/<script|style="|href|url\(|@import|on\w+="/);
    expect(svg.match(/http[^"]*/g)).toEqual(["http://www.w3.org/2000/svg"]);
    expect(svg).toContain("@media (prefers-color-scheme: dark)");
    // GitHub scales a picture down to about 830 px; labels of 12 px keep 8.1.
    const width = Number(/<svg [^>]*width="(\d+)"/.exec(svg)?.[1]);
    expect(width, "too wide for a README: src/tools/inspect/viewer/chart-layout.ts").toBeLessThan(1230);
  });

  test("can be had as a Mermaid diagram, and as JSON that leads from its first state to others", async () => {
    await expect(createDiagram(flow, "mermaid")).toMatchFileSnapshot(`diagrams/${flow}.mmd`);
    const { id, states, transitions } = JSON.parse(createDiagram(flow, "json"));
    expect([id, states[0]]).toMatchObject([flow, { path: first, isInitial: true }]);
    const paths = states.map(({ path }: { path: string }) => path);
    for (const { source, target = source } of transitions)
      expect(paths).toEqual(expect.arrayContaining([source, target]));
  });
});

test("a transition without an event is listed too", () => {
  expect(listTransitions(linkMachine).filter(({ source }) => source === "starting")).toEqual([
    { source: "starting", event: "always", guard: "hasProvider", target: "loadingFields", actions: [] },
    { source: "starting", event: "always", guard: undefined, target: "loadingProviders", actions: [] },
  ]);
});
