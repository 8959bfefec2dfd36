import { testPathsAndExample } from "./screens.ts";

testPathsAndExample("solid");
