import { availableParallelism, loadavg } from "node:os";
import { type Contender, createContenders, several, withBank } from "./contenders.ts";
import { share, table } from "./report.ts";
import { mapValues, runRounds, toRatio } from "./rounds.ts";

// `npm run bench -- client` measures what a login with an interaction costs beside a hand-written pair of `fetch` with five guarantees: time-out,
// signal, size limit, no redirects, a fresh connection. With `--quick` in some seconds.

const LOGINS = 64;

/** Milliseconds by the clock, and microseconds of all cores, which other programs on the machine change less. */
async function measure(batch: Contender): Promise<{ readonly clock: number; readonly processor: number }> {
  const [started, before] = [performance.now(), process.cpuUsage()];
  await batch();
  const { user, system } = process.cpuUsage(before);
  return { clock: performance.now() - started, processor: user + system };
}

const rounds = process.argv.includes("--quick") ? 30 : 200;
const rows = await withBank(async (baseUrl) => {
  const contenders = createContenders(baseUrl);
  const rows: string[][] = [];
  for (const atATime of [1, 64]) {
    // In turns, so that each ratio compares batches that ran one after the other.
    const measures = mapValues(
      { ...contenders, control: contenders["by hand"] },
      (contender) => () => measure(several(contender, LOGINS, atATime)),
    );
    const took = await runRounds(measures, rounds, Math.ceil(rounds / 10));
    const ratio = (name: keyof typeof took, by: "clock" | "processor") =>
      share(
        toRatio(
          took[name].map((each) => each[by]),
          took["by hand"].map((each) => each[by]),
        ),
      );
    for (const name of ["pair of calls", "login()", "control"] as const) {
      rows.push([`${name}, ${atATime} at a time`, ratio(name, "clock"), ratio(name, "processor")]);
    }
  }
  return rows;
});
console.log(`${availableParallelism()} cores, Node ${process.versions.node}, load ${loadavg()[0]?.toFixed(1)}`);
console.log(
  "Times as long as the hand-written pair. The control is that pair beside itself: how far a ratio can be trusted.",
);
console.log(table(["a login with an interaction", "by the clock", "processor time"], rows));
// The connections of `fetch` are kept open.
process.exit(0);
