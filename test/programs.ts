import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { afterAll, beforeAll } from "vitest";
import { clock } from "./clock.ts";

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

/** Programs of a test, built from the sources before it. @returns where one of them is. */
export function builtPrograms(...files: readonly URL[]): (program: string) => string {
  let folder = "";

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "ventanilla-program-"));
    await build({
      configFile: fileURLToPath(new URL("../vitest.config.ts", import.meta.url)),
      logLevel: "silent",
      ssr: { noExternal: true },
      build: {
        ssr: true,
        outDir: folder,
        target: "node20",
        rolldownOptions: { input: files.map((file) => fileURLToPath(file)), output: { entryFileNames: "[name].mjs" } },
      },
    });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  return (program) => join(folder, `${program}.mjs`);
}

/** The same, each to be run as a process of its own until it ends by itself. */
export function programs(...files: readonly URL[]) {
  const path = builtPrograms(...files);
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
      const words = [...before, ...nodeOptions, path(program), ...parameters];
      const child = execFile(command, words, { timeout, env: { ...clock, ...env } }, (_, printed, complaints) =>
        resolve({ code: child.exitCode, printed, complaints }),
      );
      if (input !== undefined) child.stdin?.end(input);
    });
  };
}
