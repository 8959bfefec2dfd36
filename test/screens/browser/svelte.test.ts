import { testScreens } from "./screens.ts";

testScreens("svelte");
