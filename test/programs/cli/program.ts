import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable, Writable } from "node:stream";
import { onTestFinished } from "vitest";
import { run as runProgram } from "../../../src/programs/cli/run.ts";
import { clock } from "../../clock.ts";
import { installProgram } from "./installed-program.ts";

/** How a run ended, and what it wrote. */
export interface Result {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly input?: string | Buffer;
  readonly environment?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

interface ProcessOptions extends RunOptions {
  /** Another copy of the program. */
  readonly main?: string;
}

/** A program that runs in a process of its own. */
export type Running = Awaited<ReturnType<typeof start>>;

// Users of the sandbox.
export const plainUser = { username: "12345", password: "gfdsa" };
export const codeUser = { username: "12345otp", password: "asdfg" };
export const clientUser = { username: "letters", password: "s3creto", fields: { company_code: "7701" } };

/** The environment of a person's shell, without what this machine may have set. */
export function createEnvironment(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  const home = { HOME: "/nonexistent", XDG_CONFIG_HOME: "/nonexistent", XDG_STATE_HOME: join(tmpdir(), "state") };
  return { PATH: process.env["PATH"] ?? "", ...home, LANG: "C.UTF-8", ...clock, ...more };
}

/** Runs the command in this process, with streams and an environment of its own. One at a time: the current folder is the process's. */
export async function run(
  words: readonly string[],
  { input = "", environment, cwd = tmpdir() }: RunOptions = {},
  { stdin = Readable.from([Buffer.from(input)]), signal = new AbortController().signal } = {},
): Promise<Result> {
  const before = process.cwd();
  process.chdir(cwd);
  const written = { stdout: "", stderr: "" };
  const createStream = (name: "stdout" | "stderr") =>
    new Writable({
      write(part: Buffer, _, done) {
        written[name] += part.toString("utf8");
        done();
      },
    });
  try {
    const code = await runProgram(words, {
      stdin,
      stdout: createStream("stdout"),
      stderr: createStream("stderr"),
      environment: createEnvironment(environment),
      signal,
      beginDraining: () => new AbortController().signal,
      endBySignal() {},
      takeWarnings() {},
    });
    return { code, ...written };
  } finally {
    process.chdir(before);
  }
}

/** Starts a command in this process that runs until it is stopped: a process of its own takes half a second of the machine. */
export function startHere(
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  streams = createPipes(),
) {
  const { stdout, stderr } = streams;
  // Its signals, as `command-process.ts` takes them.
  const [draining, controller] = [new AbortController(), new AbortController()];
  let steps = [controller];
  let stoppedBy: number | undefined;
  const ended = runProgram(words, {
    ...streams,
    environment: createEnvironment(environment),
    signal: controller.signal,
    beginDraining() {
      steps = [draining, controller];
      return draining.signal;
    },
    endBySignal() {
      stoppedBy = undefined;
    },
    takeWarnings() {},
  })
    .then((code) => stoppedBy ?? code)
    .finally(() => {
      stdout.end();
      stderr.end();
    });
  /** As SIGTERM does. */
  const stop = () => {
    stoppedBy = 128 + constants.signals.SIGTERM;
    steps.shift()?.abort();
    return ended;
  };
  /** The first object that it prints with `--json`. */
  const firstLine = async () => {
    stderr.resume();
    const [line] = await once(stdout, "data");
    return parseLines(String(line))[0] ?? {};
  };
  return { ...streams, ended, stop, firstLine };
}

const createPipes = () => ({ stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() });

/** Runs `login` with credentials on its standard input. */
export function runLogin(provider: string, credentials: object, words: readonly string[] = [], options?: RunOptions) {
  const input = JSON.stringify(credentials);
  return run(["login", provider, "--credentials-from", "-", ...words], { ...options, input });
}

/** Starts the built program as a process of its own, with pipes. */
export async function start(words: readonly string[], options: ProcessOptions = {}) {
  const built = await installProgram();
  const { input = "", environment, cwd = built.folder, main = built.main } = options;
  const child = spawn(process.execPath, [main, ...words], { env: createEnvironment(environment), cwd });
  const written = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (part) => {
      written[name] += part;
    });
  }
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  // A shell reports a signal as 128 plus its number.
  const result = once(child, "close").then(
    ([code, signal]): Result => ({ code: signal ? 128 + constants.signals[signal as "SIGINT"] : code, ...written }),
  );
  /** Waits until the program has written this, or has ended without it. */
  const wrote = async (name: "stdout" | "stderr", words: string) => {
    const ended = result.then(({ code }) => {
      throw new Error(`Ended with ${code} before it wrote ${JSON.stringify(words)}:\n${written.stderr}`);
    });
    // An end after these words is what the tests do to it.
    ended.catch(() => {});
    while (!written[name].includes(words)) await Promise.race([once(child[name], "data"), ended]);
  };
  /** Resolves once standard error has these words. */
  const said = (words: string) => wrote("stderr", words);
  /** The first object that it prints with `--json`. */
  const firstLine = async () => {
    await wrote("stdout", "\n");
    return parseLines(written.stdout)[0] ?? {};
  };
  return { child, result, said, firstLine };
}

/** Runs the built program as a process of its own, to its end. */
export async function runProcess(words: readonly string[], options?: ProcessOptions): Promise<Result> {
  return (await start(words, options)).result;
}

/** The objects of `--json`. */
export function parseLines(stdout: string): Record<string, unknown>[] {
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

/** Puts a program into a folder that is started in place of the browser. */
export async function writeFakeBrowser(folder: string, ...lines: readonly string[]): Promise<void> {
  await writeFile(join(folder, "xdg-open"), ["#!/bin/sh", ...lines].join("\n"), { mode: 0o755 });
  await symlink("xdg-open", join(folder, "open"));
}
