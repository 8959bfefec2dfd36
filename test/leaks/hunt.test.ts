import { describe, expect, test } from "vitest";
import { type Source, silent } from "./channels.ts";
import { batched, conversation, type Driver, headless, linkStatechart, loginStatechart } from "./drivers.ts";
import { echoingAtFirst, echoingAtSecond, echoingNames, echoingOn } from "./echoes.ts";
import { breaking, type Flow, logins } from "./flows.ts";
import { hunt } from "./hunt.ts";

const statechart = {
  inspection: 11,
  snapshot: 3,
  "persisted snapshot": 3,
  view: 3,
  "form issue": 1,
  statechart: 1,
  "lifecycle event": 2,
  span: 2,
  metric: 4,
};

/** How often each source must have been looked at, at least, for the hunt to count. */
type Sightings = Partial<Record<Source, number>>;

// What repeats each of the statecharts' requests: faults.test.ts.
const surfaces: readonly (readonly [string, Driver, readonly Flow[], Sightings])[] = [
  ["login()", headless, [...echoingAtFirst, ...echoingAtSecond, ...echoingOn], { handler: 3, "request hook": 1 }],
  ["the outcomes of login()", conversation, echoingAtSecond, {}],
  ["a batch", batched, echoingAtSecond, { handler: 1 }],
  ["the login statechart", loginStatechart, [...echoingNames, ...echoingOn], statechart],
  [
    "the link statechart",
    linkStatechart,
    [...echoingNames, ...echoingOn],
    { ...statechart, inspection: 21, snapshot: 5, span: 4, metric: 6 },
  ],
];

describe.each([
  ["apiKey", surfaces],
  // A relay's token takes the place of the API key in every request: the function and the statechart that wrap the others are enough.
  ["bearerToken", surfaces.filter(([, drive]) => drive === headless || drive === linkStatechart)],
] as const)("with %s", (proof, surfaces) => {
  describe.each(surfaces)("no secret gets out of %s", (_, drive, flows, least) => {
    test.each([...logins, ...breaking, ...flows])("in $name", async (flow) => {
      const { sightings } = await hunt(flow, drive, proof);
      for (const [source, count] of Object.entries(least) as [Source, number][]) {
        expect(sightings(source), source).toBeGreaterThanOrEqual(count);
      }
      expect(sightings("outcome") + sightings("error")).toBeGreaterThan(0);
      expect(sightings("persisted snapshot")).toBe(sightings("snapshot"));
      expect(sightings("view")).toBe(sightings("snapshot"));
      for (const source of silent) expect(sightings(source)).toBe(0);
    });
  });
});
