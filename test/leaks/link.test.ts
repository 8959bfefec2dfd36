import { describe, expect, test } from "vitest";
import { linkStatechart } from "./drivers.ts";
import { echoingOn } from "./echoes.ts";
import { breaking, logins } from "./flows.ts";
import { hunt } from "./hunt.ts";

const silent = ["console", "output", "process event"] as const;

// What answers the login's own requests within it is hunted for in the login statechart.
describe("no secret gets out of the link statechart", () => {
  test.each([...logins, ...breaking, ...echoingOn])("in $name", async (flow) => {
    const watching = await hunt(flow, linkStatechart);
    expect(watching.sightings("inspection")).toBeGreaterThan(20);
    expect(watching.sightings("snapshot")).toBeGreaterThan(4);
    expect(watching.sightings("persisted snapshot")).toBe(watching.sightings("snapshot"));
    expect(watching.sightings("view")).toBe(watching.sightings("snapshot"));
    expect(watching.sightings("form issue")).toBeGreaterThan(0);
    expect(watching.sightings("emitted event")).toBe(flow.ends === "loggedIn" ? 1 : 0);
    expect(watching.sightings("statechart")).toBe(1);
    for (const source of silent) expect(watching.sightings(source)).toBe(0);
  });
});
