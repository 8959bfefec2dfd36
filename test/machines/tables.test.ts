import { expect, test } from "vitest";
import { judge } from "./judge.ts";
import { linkModel } from "./link-steps.ts";
import { loginModel } from "./login-steps.ts";

test.each([
  ["login", () => judge(loginModel)],
  ["link", () => judge(linkModel)],
] as const)("the %s statechart does in each situation what its table says, and every row is used", (_, run) => {
  expect(run()).toEqual({ differences: "", unused: [] });
});
