import { testBuiltScreens, testDevelopment } from "./screens.ts";

testBuiltScreens("solid");
testDevelopment("solid");
