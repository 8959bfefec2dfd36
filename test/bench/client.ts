import { availableParallelism, loadavg } from "node:os";
import { pathToFileURL } from "node:url";
import { type Contender, contenders, several, withBank } from "./contenders.ts";
import { reportClient } from "./report.ts";
import { mapValues, runRounds, type Spread, toRatio } from "./rounds.ts";

/** How much of the throughput of a hand-written pair of `fetch` a pair of calls of the client reaches. */
export interface ClientFigures {
  /** Logins at a time over loopback HTTP. */
  readonly atATime: number;
  /** Of the hand-written pair. */
  readonly guarantees: Guarantees;
  /** By the clock. */
  readonly throughput: Spread;
  /** By the processor time of this process, which other programs on the machine change less. */
  readonly processor: Spread;
  /** The hand-written pair beside itself: how far a ratio can be trusted. */
  readonly control: Spread;
}

/** All that the client gives, or the four that a careful caller writes: time-out, signal, size limit, no redirects. */
type Guarantees = "same guarantees" | "four guarantees";

const LOGINS = 64;

/** Measures batches in turns, so that each ratio compares batches that ran one after the other. */
export function measureClient(rounds: number): Promise<readonly ClientFigures[]> {
  return withBank(async (baseUrl) => {
    const { "pair of calls": client, ...byHand } = contenders("interaction", baseUrl);
    const figures: ClientFigures[] = [];
    for (const guarantees of ["same guarantees", "four guarantees"] as const) {
      for (const atATime of [1, 64]) {
        const guarded = byHand[guarantees];
        const measures = mapValues(
          { client, guarded, control: guarded },
          (contender) => () => measure(several(contender, LOGINS, atATime)),
        );
        const took = await runRounds(measures, rounds, Math.ceil(rounds / 10));
        const clock = mapValues(took, (batches) => batches.map(({ milliseconds }) => milliseconds));
        const processor = mapValues(took, (batches) => batches.map(({ processor }) => processor));
        figures.push({
          atATime,
          guarantees,
          throughput: toRatio(clock.guarded, clock.client),
          processor: toRatio(processor.guarded, processor.client),
          control: toRatio(clock.guarded, clock.control),
        });
      }
    }
    return figures;
  });
}

/** Milliseconds by the clock, and microseconds of all cores. */
async function measure(batch: Contender): Promise<{ readonly milliseconds: number; readonly processor: number }> {
  const [started, before] = [performance.now(), process.cpuUsage()];
  await batch();
  const { user, system } = process.cpuUsage(before);
  return { milliseconds: performance.now() - started, processor: user + system };
}

// `npm run bench -- client` measures this alone, with `--quick` in some seconds.
if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  console.log(`${availableParallelism()} cores, Node ${process.versions.node}, load ${loadavg()[0]?.toFixed(1)}`);
  console.log(reportClient(await measureClient(process.argv.includes("--quick") ? 30 : 200)));
  // The connections of `fetch` are kept open.
  process.exit(0);
}
