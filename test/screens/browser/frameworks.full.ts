import { describe } from "vitest";
import { testBeyondPaths, testDevelopment } from "./screens.ts";

// Beside React's, which the gate tests.
describe.each(["vue", "svelte", "solid"])("%s", (framework) => {
  testBeyondPaths(framework);
  testDevelopment(framework);
});
