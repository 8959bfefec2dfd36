import { createRun } from "./stryker.mjs";

export default createRun("client", "src/api/*.ts", { ignoreStatic: true });
