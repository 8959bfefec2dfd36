// Runs the simulation of the kept login at its two doors, as long as is wanted. Each finding is printed as its smallest run, and makes the command fail.
//   npm run simulation                           10,000 schedules
//   npm run simulation -- --schedules 1000000    before a release
//   npm run simulation -- --seed 4711            one schedule
//   npm run simulation -- planted                plants each bug: it must be found five times in 10,000 schedules
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { bundleSimulation, readPlantedBugs } from "./bundle.mjs";
import { runThread } from "./threads.mjs";

/** Schedules that a thread runs before it says how it goes. */
const PART = 5_000;
/** Schedules in which a planted bug must be found, and how often. */
const PLANTED = { schedules: 10_000, times: 5 };

const { values, positionals } = parseArgs({
  options: {
    schedules: { type: "string", default: "10000" },
    from: { type: "string", default: "0" },
    seed: { type: "string" },
  },
  allowPositionals: true,
});
const folder = mkdtempSync(join(tmpdir(), "ventanilla-simulation-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

/** Does some work for each element, on each core. */
async function forEach(elements, work) {
  const queue = [...elements];
  const worker = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await work(next);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
}

async function runAll(from, schedules) {
  const file = join(folder, "simulation.mjs");
  await bundleSimulation(file);
  const began = performance.now();
  const counts = new Map();
  let done = 0;
  const parts = Array.from({ length: Math.ceil(schedules / PART) }, (_, index) => index * PART);
  await forEach(parts, async (part) => {
    const count = Math.min(PART, schedules - part);
    const { found, print } = await runThread(file, { from: from + part, count });
    for (const { promise, isKnown } of found) {
      const name = `${isKnown ? "known: " : ""}${promise}`;
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    if (print) {
      console.log(print);
      process.exitCode = 1;
    }
    done += count;
    console.log(`${done} schedules in ${((performance.now() - began) / 1000).toFixed(0)} s`);
  });
  for (const [name, count] of counts) console.log(`${count} times broken, ${name}`);
}

async function runPlanted() {
  await forEach(await readPlantedBugs(), async (bug) => {
    const file = join(folder, `${bug.name.replaceAll(" ", "-")}.mjs`);
    await bundleSimulation(file, bug);
    const { promise } = bug;
    const { schedules, found } = await runThread(file, {
      from: 0,
      count: PLANTED.schedules,
      until: { promise, times: PLANTED.times },
    });
    const seeds = found.filter((one) => one.promise === promise && !one.isKnown).map(({ seed }) => seed);
    const others = new Set(found.filter((one) => one.promise !== promise && !one.isKnown).map((one) => one.promise));
    console.log(
      `${bug.name}\n  ${seeds.length} times in ${schedules} schedules, seeds ${seeds.join(", ")}, by "${promise}"${[...others].map((other) => `, also "${other}"`).join("")}`,
    );
    if (seeds.length < PLANTED.times) process.exitCode = 1;
  });
}

if (positionals[0] === "planted") await runPlanted();
else if (values.seed !== undefined) await runAll(Number(values.seed), 1);
else await runAll(Number(values.from), Number(values.schedules));
