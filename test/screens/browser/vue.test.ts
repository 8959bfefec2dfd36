import { testPathsAndExample } from "./screens.ts";

testPathsAndExample("vue");
