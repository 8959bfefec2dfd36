import { createRun } from "./stryker.mjs";

export default createRun("client", "src/core/api/**/*.ts", { ignoreStatic: true });
