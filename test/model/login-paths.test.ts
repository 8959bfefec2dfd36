import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Bank, openBank } from "./bank.ts";
import { recorder, transitionsOf } from "./coverage.ts";
import type { LoginCaseName } from "./login-cases.ts";
import { runLogin } from "./login-run.ts";
import { loginPaths, loginVariants, walkedLogin } from "./login-walk.ts";

let bank: Bank;
const { taken, inspect } = recorder();
const runs = new Map<readonly LoginCaseName[], Promise<void>>();
// A path runs once, whether its own test asks first or the coverage does.
const runOf = ({ settings, path }: (typeof loginPaths)[number]): Promise<void> => {
  const run = runs.get(path) ?? runLogin(bank, settings, path, inspect);
  runs.set(path, run);
  return run;
};

beforeAll(async () => {
  bank = await openBank();
});
afterAll(() => bank.close());

describe.each(Object.keys(loginVariants))("a login %s goes where the contract says when", (variant) => {
  const own = loginPaths.filter((each) => each.variant === variant);
  test.each(own.map((each) => [each.path.join(", then "), each] as const))("%s", (_, each) => runOf(each));
});

test("the paths take every transition of the login statechart", async () => {
  await Promise.allSettled(loginPaths.map(runOf));
  const transitions = transitionsOf(walkedLogin);
  expect(transitions.length).toBeGreaterThan(0);
  expect(transitions.filter((transition) => !taken.has(transition))).toEqual([]);
});
