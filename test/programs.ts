import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { beforeAll } from "vitest";
import { clock } from "./clock.ts";
import { sharedFolder } from "./shared-folder.ts";

/** How a process ended. */
export interface Ended {
  readonly code: number | null;
  readonly printed: string;
  readonly complaints: string;
}

/** What a process is started with. */
interface ProcessOptions {
  /** Its whole environment. Default empty. */
  readonly env?: Readonly<Record<string, string>>;
  readonly parameters?: readonly string[];
  /** Node's own options. */
  readonly options?: readonly string[];
  /** What runs it, with its own parameters. Default Node. */
  readonly runtime?: readonly string[];
  /** What it reads from its standard input. Default nothing. */
  readonly input?: string;
  /** Milliseconds until it is killed. Default 100 000. */
  readonly timeout?: number;
}

// All that tests run as processes of their own. They are built at once: a build for each of them costs more than most of these tests.
const all = [
  "core/login/left-open",
  "core/tokens/claiming-process",
  "faults/exits",
  "leaks/released",
  "platforms/client",
  "tools/inspect/watched-process",
].map((name) => fileURLToPath(new URL(`${name}.ts`, import.meta.url)));

const buildAll = () =>
  sharedFolder("ventanilla-programs", (outDir) =>
    build({
      configFile: fileURLToPath(new URL("../vitest.config.ts", import.meta.url)),
      logLevel: "silent",
      ssr: { noExternal: true },
      build: {
        ssr: true,
        outDir,
        target: "node20",
        rolldownOptions: { input: all, output: { entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs" } },
      },
    }),
  );

/** Programs of a test, built from the sources before it, each to be run as a process of its own until it ends by itself. */
export function programs(...files: readonly URL[]) {
  const missing = files.map((file) => fileURLToPath(file)).filter((file) => !all.includes(file));
  if (missing.length > 0) throw new Error(`test/programs.ts does not build ${missing.join(", ")}`);
  let folder = "";
  beforeAll(async () => {
    folder = await buildAll();
  });
  return (program: string, options: ProcessOptions = {}) => {
    const {
      env = {},
      parameters = [],
      options: nodeOptions = [],
      runtime = [process.execPath],
      input,
      timeout = 100_000,
    } = options;
    return new Promise<Ended>((resolve) => {
      const [command = "", ...before] = runtime;
      const words = [...before, ...nodeOptions, join(folder, `${program}.mjs`), ...parameters];
      const child = execFile(command, words, { timeout, env: { ...clock, ...env } }, (_, printed, complaints) =>
        resolve({ code: child.exitCode, printed, complaints }),
      );
      if (input !== undefined) child.stdin?.end(input);
    });
  };
}
