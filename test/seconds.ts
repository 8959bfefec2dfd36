import { appendFileSync } from "node:fs";
import { afterAll, expect } from "vitest";

/** What earlier files had cost this process. */
const EARLIER = Symbol.for("seconds of earlier files");
const log = process.env["VENTANILLA_SECONDS"];

// For `.ci/seconds.mjs`: what each file cost the process that runs it, its imports included.
if (log) {
  afterAll(() => {
    const { user, system } = process.cpuUsage();
    const seconds = (user + system) / 1e6;
    const earlier: number = Reflect.get(globalThis, EARLIER) ?? 0;
    const file = `test/${expect.getState().testPath?.split("/test/")[1]}`;
    appendFileSync(log, `${file}\t${seconds - earlier}\n`);
    Reflect.set(globalThis, EARLIER, seconds);
  });
}
