import { describe, expect, test } from "vitest";
import { conversation, headless, linkStatechart, loginStatechart } from "./drivers.ts";
import { echoingAtFirst, echoingAtSecond, echoingOn } from "./echoes.ts";
import { breaking, logins } from "./flows.ts";
import { hunt } from "./hunt.ts";

const silent = ["console", "output", "process event"] as const;

describe.each(["apiKey", "appToken"] as const)("with %s", (proof) => {
  describe("no secret gets out of login()", () => {
    test.each([...logins, ...breaking, ...echoingAtFirst, ...echoingAtSecond, ...echoingOn])(
      "in $name",
      async (flow) => {
        const watching = await hunt(flow, headless, proof);
        expect(watching.sightings("outcome") + watching.sightings("error")).toBe(1);
        expect(watching.sightings("handler")).toBeGreaterThan(2);
        expect(watching.sightings("request hook")).toBeGreaterThan(0);
        for (const source of silent) expect(watching.sightings(source)).toBe(0);
      },
    );
  });

  describe("no secret gets out of the outcomes of login()", () => {
    test.each([...logins, ...breaking, ...echoingAtSecond])("in $name", async (flow) => {
      const watching = await hunt(flow, conversation, proof);
      expect(watching.sightings("outcome") + watching.sightings("error")).toBeGreaterThan(0);
      for (const source of silent) expect(watching.sightings(source)).toBe(0);
    });
  });

  describe("no secret gets out of the login statechart", () => {
    test.each([...logins, ...breaking, ...echoingAtSecond, ...echoingOn])("in $name", async (flow) => {
      const watching = await hunt(flow, loginStatechart, proof);
      expect(watching.sightings("inspection")).toBeGreaterThan(10);
      expect(watching.sightings("snapshot")).toBeGreaterThan(2);
      expect(watching.sightings("persisted snapshot")).toBe(watching.sightings("snapshot"));
      expect(watching.sightings("view")).toBe(watching.sightings("snapshot"));
      expect(watching.sightings("form issue")).toBeGreaterThan(0);
      expect(watching.sightings("statechart")).toBe(1);
      for (const source of silent) expect(watching.sightings(source)).toBe(0);
    });
  });

  // What answers the login's own requests within it is hunted for in the login statechart.
  describe("no secret gets out of the link statechart", () => {
    test.each([...logins, ...breaking, ...echoingOn])("in $name", async (flow) => {
      const watching = await hunt(flow, linkStatechart, proof);
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
});
