import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Bank, openBank } from "./bank.ts";
import { recorder, transitionsOf } from "./coverage.ts";
import { runLink } from "./link-run.ts";
import { linkPaths, linkVariants, walkedLink } from "./link-walk.ts";

let bank: Bank;
const { taken, inspect } = recorder();
type Path = (typeof linkPaths)[number];
const runs = new Map<Path, Promise<void>>();
// A path runs once, whether its own test asks first or the coverage does.
const runOf = (path: Path): Promise<void> => {
  const run = runs.get(path) ?? runLink(bank, path.settings, path.path, inspect);
  runs.set(path, run);
  return run;
};

beforeAll(async () => {
  bank = await openBank();
});
afterAll(() => bank.close());

describe.each(Object.keys(linkVariants))("a link %s goes where it should when", (variant) => {
  const own = linkPaths.filter((each) => each.variant === variant);
  test.each(own.map((each) => [each.path.join(", then "), each] as const))("%s", (_, each) => runOf(each));
});

test("the paths take every transition of the link statechart", async () => {
  await Promise.allSettled(linkPaths.map(runOf));
  const transitions = transitionsOf(walkedLink);
  expect(transitions.length).toBeGreaterThan(0);
  expect(transitions.filter((transition) => !taken.has(transition))).toEqual([]);
});
