import { testScreens } from "./screens.ts";

testScreens("solid");
