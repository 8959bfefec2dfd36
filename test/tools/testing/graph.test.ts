import { getShortestPaths, getSimplePaths, getStateNodes } from "@xstate/graph";
import { linkMachine } from "ventanilla/machines/link";
import { loginMachine } from "ventanilla/machines/login";
import { linkEvents, loginEvents, serializeState } from "ventanilla/testing";
import { expect, test } from "vitest";
import { listStates } from "../../../src/tools/trace/transitions.ts";
import { findNodeTransitions } from "../../machines/coverage.ts";

// Every opt-in, so that each state can be reached.
const input = { clientSelection: true, sessionReplacement: true, interactionLimit: 2, destinations: true };
const walks = {
  login: {
    machine: loginMachine,
    events: loginEvents,
    // Without the opt-in a login rests where a client is missing.
    paths: [input, { ...input, validate: false }, {}].flatMap((input) =>
      getShortestPaths(loginMachine, { events: loginEvents, serializeState, input }),
    ),
  },
  link: {
    machine: linkMachine,
    events: linkEvents,
    paths: [input, { ...input, dependentChoices: true }].flatMap((input) =>
      getShortestPaths(linkMachine, { events: linkEvents, serializeState, input }),
    ),
  },
};

test.each(Object.entries(walks))("the events of a %s are all that its statechart takes", (_, { machine, events }) => {
  const types = [machine.root, ...getStateNodes(machine)]
    .flatMap(findNodeTransitions)
    .map(({ eventType }) => eventType);
  // Unusual input: a state that is left at once, one that ends within, a snapshot of the login within.
  const given = types.filter((type) => !/^$|^xstate\.(snapshot|done\.state)\./.test(type));
  expect([...new Set(events.map(({ type }): string => type))].sort()).toEqual([...new Set(given)].sort());
});

test.each(Object.entries(walks))("a walk through the %s statechart ends, and reaches every state", (_, walk) => {
  const reached = new Set(walk.paths.flatMap(({ state }) => state._nodes.map(({ path }) => path.join("."))));
  // Left at once.
  const passed = ["starting", "submitting.routing", "submitting.responded"];
  const states = listStates(walk.machine).map(({ path }) => path);
  expect(states.filter((path) => !reached.has(path) && !passed.includes(path))).toEqual([]);
});

const helpers = /a walk takes loginEvents or linkEvents, and serializeState, of ventanilla\/testing/;

test("a walk without events names the event that has no data, and the helpers", () => {
  expect(() => getShortestPaths(loginMachine)).toThrow(/The event "login\.resume" has no "paused"/);
  expect(() => getShortestPaths(loginMachine)).toThrow(helpers);
  expect(() => getShortestPaths(linkMachine)).toThrow(
    /The event "xstate\.done\.actor\.\w+" has no "output"|The event "login\.resume" has no "paused"/,
  );
  expect(() => getShortestPaths(linkMachine)).toThrow(helpers);
});

test("a walk without serializeState ends in a sentence that names it", () => {
  const walk = () => getShortestPaths(loginMachine, { events: loginEvents, input });
  expect(walk).toThrow(/does not end.*`serializeState` of ventanilla\/testing beside `loginEvents`/);
  // The next walk begins again.
  expect(() => JSON.stringify(loginEvents)).not.toThrow();
});

test("with both the shortest call works, and every simple path is found where no login is resumed", () => {
  expect(getShortestPaths(loginMachine, { events: loginEvents, serializeState }).length).toBeGreaterThan(20);
  const events = loginEvents.filter(({ type }) => type !== "login.resume");
  expect(getSimplePaths(loginMachine, { events, serializeState }).length).toBeGreaterThan(50);
});
