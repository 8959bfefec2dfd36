import { testBuiltScreens, testDevelopment } from "./screens.ts";

testBuiltScreens("svelte");
testDevelopment("svelte");
