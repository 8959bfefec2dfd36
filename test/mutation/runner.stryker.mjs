import { createRun } from "./stryker.mjs";

export default createRun("runner", "src/login/*.ts", { ignoreStatic: true });
