import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { onTestFinished } from "vitest";
import { run as runProgram } from "../../src/cli/run.ts";
import { buildProgram } from "./build.ts";

/** How a run ended, and what it wrote. */
export interface Result {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly input?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly signal?: AbortSignal;
}

export interface ProcessOptions extends Omit<RunOptions, "signal"> {
  /** Another copy of the program. */
  readonly main?: string;
  /** The command that runs it, such as `unshare --pid`. */
  readonly through?: readonly string[];
}

/** A program that runs in a process of its own. */
export interface Running {
  readonly child: ChildProcess;
  readonly result: Promise<Result>;
  /** What it has written to standard output so far. */
  stdout(): string;
  /** Waits for a text on standard output. */
  shows(text: string | RegExp): Promise<string>;
}

/** The environment of a person's shell, without what this machine may have set. */
export function createEnvironment(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  const home = { HOME: "/nonexistent", XDG_CONFIG_HOME: "/nonexistent" };
  return { PATH: process.env["PATH"] ?? "", ...home, LANG: "C.UTF-8", ...more };
}

/** Runs the command in this process, with streams and an environment of its own. One at a time: the current folder is the process's. */
export async function run(
  words: readonly string[],
  { input = "", environment, cwd, signal = new AbortController().signal }: RunOptions = {},
): Promise<Result> {
  const before = process.cwd();
  process.chdir(cwd ?? tmpdir());
  const [stdout, stderr] = [new TextStream(), new TextStream()];
  try {
    const stdin = Readable.from([Buffer.from(input)]);
    const program = { stdin, stdout, stderr, environment: createEnvironment(environment), signal };
    return { code: await runProgram(words, program), stdout: stdout.text, stderr: stderr.text };
  } finally {
    process.chdir(before);
  }
}

/** Runs `login` with credentials on its standard input. */
export function runLogin(
  provider: string,
  credentials: object,
  words: readonly string[] = [],
  options: RunOptions = {},
): Promise<Result> {
  const input = JSON.stringify(credentials);
  return run(["login", provider, "--credentials-from", "-", ...words], { ...options, input });
}

/** Users of the sandbox. */
export const plainUser = { username: "12345", password: "gfdsa" };
export const codeUser = { username: "12345otp", password: "asdfg" };
export const clientUser = { username: "letters", password: "s3creto", fields: { company_code: "7701" } };

/** Keeps what is written. */
class TextStream extends Writable {
  text = "";

  override _write(part: Buffer, _encoding: string, done: () => void): void {
    this.text += part.toString("utf8");
    done();
  }
}

/** Starts the built program as a process of its own, with pipes. */
export async function start(
  words: readonly string[],
  { input, environment, cwd, main, through = [] }: ProcessOptions = {},
): Promise<Running> {
  const program = await buildProgram();
  const [first = process.execPath, ...rest] = [...through, process.execPath, main ?? program.main, ...words];
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
  const result = new Promise<Result>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
  return {
    child,
    result,
    stdout: () => stdout,
    shows: (text) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (typeof text === "string" ? !stdout.includes(text) : !text.test(stdout)) return;
          waiting.delete(look);
          resolve(stdout);
        };
        waiting.add(look);
        result.then(({ stderr: said }) => reject(new Error(`Ended without it: ${said}`)), reject);
        look();
      }),
  };
}

/** Runs the built program as a process of its own, to its end. */
export async function runProcess(words: readonly string[], options: ProcessOptions = {}): Promise<Result> {
  return (await start(words, options)).result;
}

/** The objects of `--json`. */
export function parseLines({ stdout }: Pick<Result, "stdout">): Record<string, unknown>[] {
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
