import { testBuiltScreens } from "./screens.ts";

testBuiltScreens("svelte");
