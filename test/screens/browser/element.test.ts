import { describe } from "vitest";
import { testPaths } from "./paths.ts";
import { serveBuilt, setUpServer } from "./vite.ts";

describe("<bank-login>", () => {
  const served = setUpServer(() => serveBuilt("element", "test/screens/browser/element"));
  testPaths(() => served().url);
});
