import { describe, expect } from "vitest";
import { type Bank, test } from "../bank/bank.ts";
import { recorder, transitionsOf } from "./coverage.ts";
import type { LoginCaseName } from "./login-cases.ts";
import { runLogin } from "./login-run.ts";
import { loginPaths, loginVariants, walkedLogin } from "./login-walk.ts";

const { taken, inspect } = recorder();
const runs = new Map<readonly LoginCaseName[], Promise<void>>();
// A path runs once, whether its own test asks first or the coverage does.
const runOf = (bank: Bank, { settings, path }: (typeof loginPaths)[number]): Promise<void> => {
  const run = runs.get(path) ?? runLogin(bank, settings, path, inspect);
  runs.set(path, run);
  return run;
};

describe.each(Object.keys(loginVariants))("a login %s goes where the contract says when", (variant) => {
  const own = loginPaths.filter((each) => each.variant === variant);
  test.for(own.map((each) => [each.path.join(", then "), each] as const))("%s", ([, each], { bank }) =>
    runOf(bank, each),
  );
});

test("the paths take every transition of the login statechart", async ({ bank }) => {
  await Promise.allSettled(loginPaths.map((path) => runOf(bank, path)));
  const transitions = transitionsOf(walkedLogin);
  expect(transitions.length).toBeGreaterThan(0);
  expect(transitions.filter((transition) => !taken.has(transition))).toEqual([]);
});
