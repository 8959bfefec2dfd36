import { describe, expect } from "vitest";
import { type Bank, test } from "../bank/bank.ts";
import { recorder, transitionsOf } from "./coverage.ts";
import { runLink } from "./link-run.ts";
import { linkPaths, linkVariants, walkedLink } from "./link-walk.ts";

const { taken, inspect } = recorder();
type Path = (typeof linkPaths)[number];
const runs = new Map<Path, Promise<void>>();
// A path runs once, whether its own test asks first or the coverage does.
const runOf = (bank: Bank, path: Path): Promise<void> => {
  const run = runs.get(path) ?? runLink(bank, path.settings, path.path, inspect);
  runs.set(path, run);
  return run;
};

describe.each(Object.keys(linkVariants))("a link %s goes where it should when", (variant) => {
  const own = linkPaths.filter((each) => each.variant === variant);
  test.for(own.map((each) => [each.path.join(", then "), each] as const))("%s", ([, each], { bank }) =>
    runOf(bank, each),
  );
});

test("the paths take every transition of the link statechart", async ({ bank }) => {
  await Promise.allSettled(linkPaths.map((path) => runOf(bank, path)));
  const transitions = transitionsOf(walkedLink);
  expect(transitions.length).toBeGreaterThan(0);
  expect(transitions.filter((transition) => !taken.has(transition))).toEqual([]);
});
