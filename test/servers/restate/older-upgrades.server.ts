import { describe } from "vitest";
import { finishesBeside, finishesUnderNewer } from "./upgrades.ts";

describe("version 7", () => {
  finishesUnderNewer("7");
  finishesBeside("7");
});
