import { readFileSync } from "node:fs";
import { aroundAll, aroundEach, expect } from "vitest";
import { TEST_TIMEOUT } from "./test-timeout.ts";

// A test that waits for something that never comes is red after 30 seconds in which neither its process nor a child of it did any work. On a busy
// machine work takes longer, so a limit of time alone would turn tests red by luck. A test with a limit of its own is not watched.
const IDLE_SECONDS = 30;
/** Milliseconds of the processor in a second. Less is no work: Vitest itself needs some. */
const WORK = 10;

// Kept here, since tests replace them by fake clocks.
const { setInterval, clearInterval } = globalThis;
const TICKS_PER_SECOND = 100;

/** The test that runs; none while a hook of its file does. */
let running: string | undefined;

aroundEach(async (runTest, { task }) => {
  running = task.name;
  await (task.timeout === TEST_TIMEOUT ? watch(runTest, () => true) : runTest()).finally(() => {
    running = undefined;
  });
});

aroundAll((runFile) => watch(runFile, () => running === undefined));

/** Runs it, and fails as soon as nothing has happened for so long. */
async function watch(run: () => Promise<void>, isWatched: () => boolean): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const stalled = new Promise<never>((_, reject) => {
    let idle = 0;
    let before = measureWork();
    timer = setInterval(() => {
      const now = measureWork();
      idle = now - before < WORK && isWatched() ? idle + 1 : 0;
      before = now;
      if (idle < IDLE_SECONDS) return;
      const name = running ? `"${running}"` : `a hook of ${expect.getState().testPath}`;
      const open = [...new Set(process.getActiveResourcesInfo())].join(", ");
      reject(new Error(`For ${IDLE_SECONDS} s nothing has happened in ${name}. Open in its process: ${open}`));
    }, 1000);
  });
  await Promise.race([run(), stalled]).finally(() => clearInterval(timer));
}

/** Milliseconds of the processor that this process and its running descendants have used. */
function measureWork(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000 + (process.platform === "linux" ? sumDescendants(process.pid) : 0);
}

function sumDescendants(pid: number): number {
  const children = readProc(`${pid}/task/${pid}/children`).split(" ").filter(Boolean).map(Number);
  return children.reduce((sum, child) => {
    const values = readProc(`${child}/stat`).split(") ").at(-1)?.split(" ") ?? [];
    const ticks = Number(values[11] ?? 0) + Number(values[12] ?? 0);
    return sum + (ticks * 1000) / TICKS_PER_SECOND + sumDescendants(child);
  }, 0);
}

function readProc(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, "latin1");
  } catch {
    return ""; // The process has ended.
  }
}
