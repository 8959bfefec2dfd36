import { beforeAll, expect, test } from "vitest";
import { buildWorkspace, checkTypes, compileForHermes } from "./workspace.ts";

const HERMES_MAGIC = "c61fbc03c103191f";

// Installs hundreds of packages and bundles them.
beforeAll(buildWorkspace, 600_000);

test.each(["example.js", "core.js"] as const)("Hermes compiles %s", async (bundle) => {
  const bytecode = await compileForHermes(bundle);
  expect(bytecode.subarray(0, 8).toString("hex")).toBe(HERMES_MAGIC);
});

test("the example has the types of the package and of React Native", async () => {
  expect(await checkTypes()).toBe("");
});
