import { execFile } from "node:child_process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { root } from "./entries.ts";
import { type Spread, toSpread } from "./rounds.ts";

const run = promisify(execFile);
const file = (path: string) => fileURLToPath(new URL(path, root));
const command = file("dist/src/cli/main.js");

// Each import in a process of its own, timed inside of it, so that Node's own start does not count.
const modules = {
  "ventanilla, whole": pathToFileURL(file("dist/src/index.js")).href,
  xstate: "xstate",
  valibot: "valibot",
  ofetch: "ofetch",
  jose: "jose",
};

async function importTime(specifier: string): Promise<number> {
  const code = `const started = performance.now(); await import(${JSON.stringify(specifier)}); console.log(performance.now() - started);`;
  const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", code], { cwd: file(".") });
  return Number(stdout);
}

async function processTime(parameters: readonly string[]): Promise<number> {
  const started = performance.now();
  await run(process.execPath, parameters, { cwd: file(".") });
  return performance.now() - started;
}

/** Milliseconds until there is something to call. */
export interface StartUp {
  readonly name: string;
  readonly milliseconds: Spread;
  /** How many times as long as another row it takes, in the same round. */
  readonly ratio?: { readonly beside: string; readonly times: Spread };
}

// What has a target beside what.
const besides: Readonly<Record<string, string>> = {
  "import: ventanilla, whole": "import: xstate",
  "process: ventanilla --version": "process: node, nothing in it",
};

/** Measures what it takes to start, one after the other in each round. */
export async function measureStartUp(rounds: number): Promise<readonly StartUp[]> {
  const measures: Record<string, () => Promise<number>> = {
    ...Object.fromEntries(
      Object.entries(modules).map(([name, module]) => [`import: ${name}`, () => importTime(module)]),
    ),
    "process: node, nothing in it": () => processTime(["--eval", "0"]),
    "process: ventanilla --version": () => processTime([command, "--version"]),
  };
  const figures = Object.keys(measures).map((name): [string, number[]] => [name, []]);
  for (let round = 0; round <= rounds; round++) {
    for (const [name, times] of figures) {
      const time = await measures[name]?.();
      // The first one fills the caches of the file system.
      if (round > 0 && time !== undefined) times.push(time);
    }
  }
  return figures.map(([name, times]) => {
    const beside = besides[name];
    const others = figures.find(([other]) => other === beside)?.[1];
    if (beside === undefined || others === undefined) return { name, milliseconds: toSpread(times) };
    const ratios = times.map((time, round) => time / (others[round] ?? Number.NaN));
    return { name, milliseconds: toSpread(times), ratio: { beside, times: toSpread(ratios) } };
  });
}
