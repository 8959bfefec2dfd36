import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const program = fileURLToPath(new URL("waiting.js", import.meta.url));

/** What a number of logins that wait for an answer take, all together. */
export interface Crowd {
  readonly kind: "actors" | "tokens";
  readonly count: number;
  /** Bytes of heap. */
  readonly bytes: number;
  readonly milliseconds: number;
  /** Characters of one token. */
  readonly length?: number;
}

/** Makes logins wait, each number and kind in a process of its own. */
export async function measureCrowds(counts: readonly number[]): Promise<readonly Crowd[]> {
  const crowds: Crowd[] = [];
  for (const kind of ["actors", "tokens"] as const) {
    for (const count of counts) {
      const parameters = ["--expose-gc", "--max-old-space-size=6144", program, kind, String(count)];
      const { stdout } = await run(process.execPath, parameters);
      crowds.push({ kind, count, ...(JSON.parse(stdout) as Pick<Crowd, "bytes" | "milliseconds" | "length">) });
    }
  }
  return crowds;
}
