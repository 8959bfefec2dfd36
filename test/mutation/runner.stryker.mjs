import { createRun } from "./stryker.mjs";

export default createRun("runner", "src/core/login/*.ts", { ignoreStatic: true });
