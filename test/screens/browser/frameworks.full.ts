import { describe } from "vitest";
import { testBuiltScreens, testDevelopment } from "./screens.ts";

// React's are in the gate, and its every path in slow-drivers.full.ts.
describe.each(["vue", "svelte", "solid"])("%s", (framework) => {
  testBuiltScreens(framework);
  testDevelopment(framework);
});
