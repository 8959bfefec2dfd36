import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { availableParallelism, cpus, loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { root } from "./entries.ts";
import { count, share, table } from "./report.ts";
import { measureSizes, readBudget, reportSizes } from "./sizes.ts";
import { measureStartUp } from "./startup.ts";

// Measures what CONTRIBUTING.md shows, and writes it there; with `npm run bench -- --quick` in a few minutes, and nothing is written unless
// `--write` is given as well.
const isQuick = process.argv.includes("--quick");
const isWriting = !isQuick || process.argv.includes("--write");

const [begin, end] = ["<!-- figures: written by `npm run bench` -->", "<!-- end of figures -->"];
const started = performance.now();
const logProgress = (what: string) =>
  console.error(`${((performance.now() - started) / 1000).toFixed(0).padStart(4)} s  ${what}`);

/** What a number of logins that wait for an answer take, all together. */
interface Crowd {
  readonly kind: "actors" | "tokens";
  readonly count: number;
  /** Bytes of heap. */
  readonly bytes: number;
  readonly milliseconds: number;
  /** Characters of one token. */
  readonly length?: number;
}

/** Makes logins wait, each number and kind in a process of its own. */
async function measureCrowds(counts: readonly number[]): Promise<readonly Crowd[]> {
  const program = fileURLToPath(new URL("waiting.js", import.meta.url));
  const crowds: Crowd[] = [];
  for (const kind of ["actors", "tokens"] as const) {
    for (const count of counts) {
      const parameters = ["--expose-gc", "--max-old-space-size=6144", program, kind, String(count)];
      const { stdout } = await promisify(execFile)(process.execPath, parameters);
      crowds.push({ kind, count, ...(JSON.parse(stdout) as Pick<Crowd, "bytes" | "milliseconds" | "length">) });
    }
  }
  return crowds;
}

logProgress("sizes");
const sizes = await measureSizes();
logProgress("logins that wait");
const crowds = await measureCrowds(isQuick ? [1, 100, 1_000] : [1, 100, 10_000, 100_000]);
logProgress("start-up");
const startUp = await measureStartUp(isQuick ? 3 : 15);

const machine = `${availableParallelism()} cores of ${cpus()[0]?.model.trim() ?? "an unnamed processor"}, Node ${process.versions.node}, load ${loadavg()[0]?.toFixed(1)}`;
const figure = (value: number) => (value < 10 ? value.toPrecision(2) : count(value));
const duration = (milliseconds: number) =>
  milliseconds < 1 ? `${figure(milliseconds * 1000)} µs` : `${figure(milliseconds)} ms`;

const text = [
  `Measured on ${machine}, in the ${isQuick ? "quick" : "full"} form.`,
  "### Size",
  'Minified and gzipped bytes, as Vite bundles them for browsers, without the frameworks of the adapters. "Ours" is without dependencies, "at once" without what a page loads later. `npm run bench -- size` fails if an entry point is over its budget; with `--write` it writes this table.',
  reportSizes(sizes, readBudget()),
  "`client`, `core`, `login` and `view` are parts of the main entry point: the client alone; with the statechart; with `login()`; with the statechart of the complete link and its view.",
  "### Start-up",
  table(
    ["what", "median", "middle half", "times as long as"],
    startUp.map(({ name, milliseconds, ratio }) => [
      name,
      duration(milliseconds.median),
      `${duration(milliseconds.lower)} – ${duration(milliseconds.upper)}`,
      ratio ? `${ratio.beside}: ${share(ratio.times)}` : "",
    ]),
  ),
  "### Logins that wait for an answer",
  "Each row in a process of its own; heap after garbage collection. Fewer than 100 can't be told from the process's own.",
  table(
    ["waiting", "as", "heap, each", "each made in"],
    crowds.map((crowd) => [
      count(crowd.count),
      crowd.kind === "actors" ? "live actors" : `sealed tokens of ${crowd.length} characters`,
      crowd.count < 100 ? "–" : `${count(crowd.bytes / crowd.count)} bytes`,
      duration(crowd.milliseconds / crowd.count),
    ]),
  ),
].join("\n\n");
console.log(text);

if (isWriting) {
  const page = new URL("CONTRIBUTING.md", root);
  const whole = await readFile(page, "utf8");
  const [before = "", rest = ""] = whole.split(begin);
  const [, after = ""] = rest.split(end);
  await writeFile(page, `${before}${begin}\n\n${text}\n\n${end}${after}`);
}
logProgress("done");
