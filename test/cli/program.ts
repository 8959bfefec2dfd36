import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, onTestFinished } from "vitest";
import { buildProgram } from "./build.ts";

let program: Awaited<ReturnType<typeof buildProgram>>;

beforeAll(async () => {
  program = await buildProgram();
});

/** How a process ended, and what it wrote. */
export interface Ending {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly input?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Another copy of the program. */
  readonly main?: string;
  /** The command that runs it, such as `unshare --pid`. */
  readonly through?: readonly string[];
}

/** A program that runs. */
export interface Running {
  readonly child: ChildProcess;
  readonly ending: Promise<Ending>;
  /** What it has written to standard output so far. */
  stdout(): string;
  /** Waits for a text on standard output. */
  shows(text: string | RegExp): Promise<string>;
}

/** The environment of a person's shell, without what this machine may have set. */
export function createEnvironment(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  return { PATH: process.env["PATH"] ?? "", HOME: "/nonexistent", LANG: "C.UTF-8", ...more };
}

/** Starts the built program as a process of its own, with pipes. */
export async function start(
  words: readonly string[],
  { input, environment, cwd, main = program.main, through = [] }: RunOptions = {},
): Promise<Running> {
  const [first = process.execPath, ...rest] = [...through, process.execPath, main, ...words];
  const child = spawn(first, rest, {
    env: createEnvironment(environment),
    cwd: cwd ?? program.folder,
  });
  let [stdout, stderr] = ["", ""];
  const waiting = new Set<() => void>();
  child.stdout.on("data", (part: Buffer) => {
    stdout += part.toString("utf8");
    for (const look of waiting) look();
  });
  child.stderr.on("data", (part: Buffer) => {
    stderr += part.toString("utf8");
  });
  child.stdin.on("error", () => {});
  child.stdin.end(input ?? "");
  const ending = new Promise<Ending>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
  return {
    child,
    ending,
    stdout: () => stdout,
    shows: (text) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (typeof text === "string" ? !stdout.includes(text) : !text.test(stdout)) return;
          waiting.delete(look);
          resolve(stdout);
        };
        waiting.add(look);
        ending.then(({ stderr: said }) => reject(new Error(`Ended without it: ${said}`)), reject);
        look();
      }),
  };
}

/** Runs the built program to its end. */
export async function run(words: readonly string[], options: RunOptions = {}): Promise<Ending> {
  return (await start(words, options)).ending;
}

/** The objects of `--json`. */
export function parseLines({ stdout }: Pick<Ending, "stdout">): Record<string, unknown>[] {
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

/** A folder of the test's own. */
export async function ownFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "ventanilla-cli-test-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Where the built program is, for a shell. */
export const builtProgram = (): string => program.main;
