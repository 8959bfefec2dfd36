import { testPathsAndExample } from "./screens.ts";

testPathsAndExample("svelte");
