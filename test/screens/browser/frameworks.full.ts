import { describe } from "vitest";
import { testDevelopment, testMoments } from "./screens.ts";

// Beside React's, which the gate tests.
describe.each(["vue", "svelte", "solid"])("%s", (framework) => {
  testMoments(framework);
  testDevelopment(framework);
});
