import { execFile } from "node:child_process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { root } from "./entries.ts";
import { runRounds, type Spread, toRatio, toSpread } from "./rounds.ts";

const run = promisify(execFile);
const file = (path: string) => fileURLToPath(new URL(path, root));

// Each import in a separate process, timed inside of it, so that Node's own start does not count.
const imports = (specifier: string) => async () => {
  const code = `const started = performance.now(); await import(${JSON.stringify(specifier)}); console.log(performance.now() - started);`;
  const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", code], { cwd: file(".") });
  return Number(stdout);
};

const runs =
  (...parameters: readonly string[]) =>
  async () => {
    const started = performance.now();
    await run(process.execPath, parameters, { cwd: file(".") });
    return performance.now() - started;
  };

const measures = {
  "import: ventanilla, whole": imports(pathToFileURL(file("dist/src/index.js")).href),
  "import: xstate": imports("xstate"),
  "import: valibot": imports("valibot"),
  "import: jose": imports("jose"),
  "process: node, nothing in it": runs("--eval", "0"),
  "process: ventanilla --version": runs(file("dist/src/programs/cli/main.js"), "--version"),
};
type Name = keyof typeof measures;

// What has a target beside what.
const besides: Readonly<Partial<Record<Name, Name>>> = {
  "import: ventanilla, whole": "import: xstate",
  "process: ventanilla --version": "process: node, nothing in it",
};

/** Milliseconds until there is something to call. */
export interface StartUp {
  readonly name: Name;
  readonly milliseconds: Spread;
  /** How many times as long as another row it takes, in the same round. */
  readonly ratio?: { readonly beside: Name; readonly times: Spread };
}

export async function measureStartUp(rounds: number): Promise<readonly StartUp[]> {
  // The first round fills the caches of the file system.
  const figures = await runRounds(measures, rounds, 1);
  return (Object.keys(measures) as Name[]).map((name) => {
    const beside = besides[name];
    const ratio = beside && { ratio: { beside, times: toRatio(figures[name], figures[beside]) } };
    return { name, milliseconds: toSpread(figures[name]), ...ratio };
  });
}
