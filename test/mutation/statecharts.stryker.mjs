import { createRun } from "./stryker.mjs";

export default createRun("statecharts", "machines/*.ts");
