import { describe } from "vitest";
import { testPaths } from "./paths.ts";
import { testBuiltScreens, testDevelopment } from "./screens.ts";
import { serveBuilt, setUpServer } from "./vite.ts";

// React's and the component's are in the gate, but for their paths.
describe.each(["react", "element"])("%s", (framework) => {
  const served = setUpServer(() => serveBuilt(framework, `test/screens/browser/${framework}`));
  testPaths(() => served().url);
});

describe.each(["vue", "svelte", "solid"])("%s", (framework) => {
  testBuiltScreens(framework);
  testDevelopment(framework);
});
