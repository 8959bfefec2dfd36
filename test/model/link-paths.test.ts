import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Bank, openBank } from "./bank.ts";
import { recorder, transitionsOf } from "./coverage.ts";
import type { LinkCaseName } from "./link-cases.ts";
import { runLink } from "./link-run.ts";
import { linkPaths, walkedLink } from "./link-walk.ts";

let bank: Bank;
const { taken, inspect } = recorder();
const runs = new Map<readonly LinkCaseName[], Promise<void>>();
// A path runs once, whether its own test asks first or the coverage does.
const runOf = (path: readonly LinkCaseName[]): Promise<void> => {
  const run = runs.get(path) ?? runLink(bank, path, inspect);
  runs.set(path, run);
  return run;
};

beforeAll(async () => {
  bank = await openBank();
});
afterAll(() => bank.close());

describe("a link goes where the contract says when", () => {
  test.each(linkPaths.map((path) => [path.join(", then "), path] as const))("%s", (_, path) => runOf(path));
});

test("the paths take every transition of the link statechart", { timeout: 20_000 }, async () => {
  await Promise.allSettled(linkPaths.map(runOf));
  const transitions = transitionsOf(walkedLink);
  expect(transitions.length).toBeGreaterThan(0);
  expect(transitions.filter((transition) => !taken.has(transition))).toEqual([]);
});
