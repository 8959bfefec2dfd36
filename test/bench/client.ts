import { fork } from "node:child_process";
import { once } from "node:events";
import { availableParallelism, loadavg } from "node:os";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type Contender, contenders, several } from "./contenders.ts";
import { reportClient } from "./report.ts";
import { rotated, type Spread, toSpread } from "./rounds.ts";

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
export async function measureClient(rounds: number, situations = [1, 64]): Promise<readonly ClientFigures[]> {
  const bank = fork(fileURLToPath(new URL("bank.js", import.meta.url)));
  try {
    const [{ port }] = (await once(bank, "message")) as [{ readonly port: number }];
    const { "pair of calls": client, ...byHand } = contenders("interaction", `http://127.0.0.1:${port}`);
    const figures: ClientFigures[] = [];
    for (const guarantees of ["same guarantees", "four guarantees"] as const) {
      for (const atATime of situations) {
        const guarded = byHand[guarantees];
        const ratios = await compareBatches({ client, guarded, control: guarded }, rounds, atATime);
        figures.push({ atATime, guarantees, ...ratios });
      }
    }
    return figures;
  } finally {
    bank.kill();
  }
}

async function compareBatches(
  contenders: Readonly<Record<"client" | "guarded" | "control", Contender>>,
  rounds: number,
  atATime: number,
): Promise<Omit<ClientFigures, "atATime" | "guarantees">> {
  const names = ["client", "guarded", "control"] as const;
  const ratios = { throughput: [] as number[], processor: [] as number[], control: [] as number[] };
  const warmUp = Math.ceil(rounds / 10);
  for (let round = 0; round < warmUp + rounds; round++) {
    const took = {} as Record<(typeof names)[number], Awaited<ReturnType<typeof measure>>>;
    for (const name of rotated(names, round)) took[name] = await measure(several(contenders[name], LOGINS, atATime));
    if (round < warmUp) continue;
    const { client, guarded, control } = took;
    ratios.throughput.push(guarded.milliseconds / client.milliseconds);
    ratios.processor.push(guarded.processor / client.processor);
    ratios.control.push(guarded.milliseconds / control.milliseconds);
  }
  return {
    throughput: toSpread(ratios.throughput),
    processor: toSpread(ratios.processor),
    control: toSpread(ratios.control),
  };
}

/** Milliseconds by the clock, and microseconds of all cores. */
async function measure(batch: Contender): Promise<{ readonly milliseconds: number; readonly processor: number }> {
  const [started, before] = [performance.now(), process.cpuUsage()];
  await batch();
  const { user, system } = process.cpuUsage(before);
  return { milliseconds: performance.now() - started, processor: user + system };
}

// `npm run bench:client` measures this alone.
if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  console.log(`${availableParallelism()} cores, Node ${process.versions.node}, load ${loadavg()[0]?.toFixed(1)}`);
  console.log(reportClient(await measureClient(Number(process.argv[2] ?? 200))));
  // The connections of `fetch` are kept open.
  process.exit(0);
}
