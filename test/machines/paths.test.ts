import { expect } from "vitest";
import { type Bank, test } from "../bank/bank.ts";
import { findTransitions, recorder } from "./coverage.ts";
import { everyPath, type RunnablePath } from "./every-path.ts";
import { linkModel } from "./link-facts.ts";
import { loginModel } from "./login-facts.ts";

const { taken, inspect } = recorder();
const runs = new Map<RunnablePath, Promise<void>>();
// A path runs once, whether its own test asks first or the coverage does.
const runOnce = (bank: Bank, path: RunnablePath): Promise<void> => {
  const run = runs.get(path) ?? path.run(bank, inspect);
  runs.set(path, run);
  return run;
};

test.for(everyPath.map((path) => [path.name, path] as const))("%s goes as the oracle says", ([, path], { bank }) =>
  runOnce(bank, path),
);

test.for([
  ["login", loginModel.machine],
  ["link", linkModel.machine],
] as const)("the paths take every transition of the %s statechart", async ([, machine], { bank }) => {
  await Promise.allSettled(everyPath.map((path) => runOnce(bank, path)));
  const transitions = findTransitions(machine);
  expect(transitions.length).toBeGreaterThan(0);
  expect(transitions.filter((transition) => !taken.has(transition))).toEqual([]);
});
