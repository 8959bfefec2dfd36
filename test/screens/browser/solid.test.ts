import { testBuiltScreens } from "./screens.ts";

testBuiltScreens("solid");
