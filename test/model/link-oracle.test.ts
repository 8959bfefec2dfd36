import { expect, test } from "vitest";
import { transition } from "xstate";
import { testAgainstOracle } from "./against-oracle.ts";
import { linkModel } from "./link-facts.ts";
import { happen, readEffects, snapshotAfter } from "./model.ts";

testAgainstOracle("link", linkModel);

const ready = snapshotAfter(linkModel, { provider: "test" }, ["the bank's fields are read", "the login is ready"]);

test("a step of the login within is a step of the link", () => {
  const [same] = happen(linkModel, ready, "the login is ready");
  expect(same.context.stepNumber).toBe(ready.context.stepNumber);
  const [underWay] = happen(linkModel, ready, "the login is under way");
  expect(underWay.context.stepNumber).toBeGreaterThan(ready.context.stepNumber);
});

test("an event that a link passes on to the login within goes without the link's step number", () => {
  const [, actions] = transition(linkModel.machine, ready, {
    type: "login.cancel",
    stepNumber: ready.context.stepNumber,
  });
  expect(readEffects(actions).forwarded).toEqual([{ to: "login", event: { type: "login.cancel" } }]);
});
