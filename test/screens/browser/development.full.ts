import { describe } from "vitest";
import { testDevelopment } from "./screens.ts";

// Beside React's, which the gate tests.
describe.each(["vue", "svelte", "solid"])("%s", (framework) => testDevelopment(framework));
