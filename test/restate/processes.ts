import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { repository } from "./repository.ts";

/** A program of this folder in a process of its own. */
export interface Program {
  readonly process: ChildProcess;
  /** The first line that it printed, read as JSON. */
  readonly said: Readonly<Record<string, unknown>>;
  /** kill -9. */
  kill(): Promise<void>;
}

/** Starts a program and waits for its first line. What it complains of goes to this process's own complaints. */
export async function startProgram(name: string, env: Readonly<Record<string, string>>): Promise<Program> {
  const child = fork(`${repository}test/restate/dist/${name}.mjs`, {
    execArgv: ["--expose-gc"],
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdio: ["ignore", "pipe", process.env["VENTANILLA_SHOW"] ? "inherit" : "ignore", "ipc"],
  });
  let printed = "";
  const said = await new Promise<Record<string, unknown>>((resolve, reject) => {
    child.stdout?.on("data", (data) => {
      printed += data;
      const end = printed.indexOf("\n");
      if (end >= 0) resolve(JSON.parse(printed.slice(0, end)));
    });
    child.once("exit", (code) => reject(new Error(`${name} ended with ${code}`)));
  });
  return {
    process: child,
    said,
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** A worker on a port, a free one unless told otherwise. */
export async function startWorker(env: Readonly<Record<string, string>>): Promise<Program & { readonly port: number }> {
  const program = await startProgram("worker", env);
  return { ...program, port: Number(program.said["port"]) };
}
