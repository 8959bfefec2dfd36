import { readFile, writeFile } from "node:fs/promises";
import { availableParallelism, cpus, loadavg } from "node:os";
import { measureClient } from "./client.ts";
import { measureCrowds } from "./crowd.ts";
import { root } from "./entries.ts";
import { measureLogins } from "./logins.ts";
import { measureRelay } from "./relay.ts";
import { type Figures, report, reportLogins } from "./report.ts";
import { measureSizes, readBudget } from "./sizes.ts";
import { measureStartUp } from "./startup.ts";

// Measures everything and writes docs/benchmarks.md; with `npm run bench -- --quick` in a few minutes, and nothing
// is written unless `--write` is given as well.
const isQuick = process.argv.includes("--quick");
const isWriting = !isQuick || process.argv.includes("--write");

const [begin, end] = ["<!-- figures: written by `npm run bench` -->", "<!-- end of figures -->"];
const started = performance.now();
const logProgress = (what: string) =>
  console.error(`${((performance.now() - started) / 1000).toFixed(0).padStart(4)} s  ${what}`);

logProgress("sizes");
const sizes = await measureSizes();
const logins = await measureLogins(
  isQuick ? { rounds: 5, time: 60 } : { rounds: 15, time: 200 },
  isQuick ? { rounds: 3, time: 60, iterations: 2, warmUp: 1 } : { rounds: 11, time: 200, iterations: 2, warmUp: 2 },
  logProgress,
);

logProgress("the client beside a hand-written pair");
const client = await measureClient(isQuick ? 30 : 200);

logProgress("the relay beside a bare proxy");
const relay = await measureRelay(isQuick ? 10 : 40);

logProgress("an actor of XState");
const { compareRunners } = await import("./runners.ts");
const runners = await compareRunners(isQuick ? { rounds: 5, time: 60 } : { rounds: 15, time: 200 });

logProgress("logins that wait");
const crowds = await measureCrowds(isQuick ? [1, 100, 1_000] : [1, 100, 10_000, 100_000]);

logProgress("start-up");
const startUp = await measureStartUp(isQuick ? 3 : 15);

const figures: Figures = {
  machine: `${availableParallelism()} cores of ${cpus()[0]?.model.trim() ?? "an unnamed processor"}, Node ${process.versions.node}, load ${loadavg()[0]?.toFixed(1)}`,
  form: isQuick ? "quick" : "full",
  logins,
  client,
  relay,
  crowds,
  startUp,
  sizes,
  budget: readBudget(),
  runners,
};
const text = report(figures);
console.log(`${text}\n\n${reportLogins(figures)}`);

if (isWriting) {
  const page = new URL("docs/benchmarks.md", root);
  const whole = await readFile(page, "utf8");
  const [before = "", rest = ""] = whole.split(begin);
  const [, after = ""] = rest.split(end);
  await writeFile(page, `${before}${begin}\n\n${text}\n\n${end}${after}`);
}
logProgress("done");
// The connections of `fetch` are kept open.
process.exit(0);
