import { testScreens } from "./screens.ts";

testScreens("vue");
