import { testBuiltScreens } from "./screens.ts";

testBuiltScreens("vue");
