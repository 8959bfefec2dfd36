import { coveringPaths } from "./paths.ts";
import { testPathsAndExample } from "./screens.ts";

// Every path is in frameworks.full.ts.
testPathsAndExample("vue", coveringPaths);
