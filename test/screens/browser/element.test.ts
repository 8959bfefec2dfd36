import { describe } from "vitest";
import { everyPath, testPaths } from "./paths.ts";
import { serveBuilt, setUpServer } from "./vite.ts";

describe("<bank-login> follows every path of the test kit", () => {
  const served = setUpServer(() => serveBuilt("element", "test/screens/browser/element"));
  testPaths(() => served().url, everyPath);
});
