import { describe, expect, test } from "vitest";
import { isQuick, type Source, silent } from "./channels.ts";
import { batched, conversation, type Driver, headless, linkStatechart, loginStatechart } from "./drivers.ts";
import { echoingAtFirst, echoingAtSecond, echoingNames, echoingOn } from "./echoes.ts";
import { breaking, type Flow, logins, type Proof } from "./flows.ts";
import { startScan } from "./scan.ts";

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

/** How often each source must have been looked at, at least, for the scan to count. */
type Sightings = Partial<Record<Source, number>>;

const ofStatechart = [...logins, ...breaking, ...echoingNames, ...echoingOn];

// A client has one way from a response to a failure, and one for its proof, for all callers: each echo is at one surface, the function. The
// others have each way in which a login goes on, fails and breaks. What repeats each request of the statecharts: test/faults/endpoints.test.ts.
const surfaces: readonly (readonly [string, Proof, Driver, readonly Flow[], Sightings])[] = [
  [
    "login()",
    "apiKey",
    headless,
    [...logins, ...breaking, ...echoingAtSecond, ...echoingOn],
    { handler: 3, "request hook": 1 },
  ],
  ["login()", "bearerToken", headless, [...echoingAtFirst, ...echoingOn], { handler: 3, "request hook": 1 }],
  ["the outcomes of login()", "apiKey", conversation, [...logins, ...echoingOn], {}],
  ["a batch", "apiKey", batched, [...logins, ...echoingOn], { handler: 1 }],
  ["the login statechart", "apiKey", loginStatechart, ofStatechart, statechart],
  [
    "the link statechart",
    "bearerToken",
    linkStatechart,
    ofStatechart,
    { ...statechart, inspection: 21, snapshot: 5, span: 4, metric: 6 },
  ],
];

// Together they have every kind of value: every form of these is searched, and the quick forms of the rest.
const inEveryForm = ["two interactions in a row", "a choice of clients that brings a new key", "too many sessions"];

describe.each(surfaces)("no secret gets out of %s with %s", (_, proof, drive, flows, least) => {
  test.each(flows)("in $name", async (flow) => {
    const isWatched = inEveryForm.includes(flow.name) ? undefined : isQuick;
    const { canaries, watching, createClient, expectClean } = await startScan(flow, proof, [], isWatched);
    expect(await drive(createClient(), canaries, watching, { validate: false, ...flow.settings })).toBe(flow.ends);
    await expectClean([proof, "username", "password", "companyCode", ...(flow.used ?? [])], flow.isRepeated);
    const { sightings } = watching;
    for (const [source, count] of Object.entries(least) as [Source, number][]) {
      expect(sightings(source), source).toBeGreaterThanOrEqual(count);
    }
    expect(sightings("outcome") + sightings("error")).toBeGreaterThan(0);
    expect(sightings("persisted snapshot")).toBe(sightings("snapshot"));
    expect(sightings("view")).toBe(sightings("snapshot"));
    for (const source of silent) expect(sightings(source)).toBe(0);
  });
});
