import { testLogin } from "./play-login.ts";

// The dark scheme and the sizes of windows are in play.full.ts.
testLogin("light");
