import { testBuiltScreens, testDevelopment } from "./screens.ts";

testBuiltScreens("vue");
testDevelopment("vue");
