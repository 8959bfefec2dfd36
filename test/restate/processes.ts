import { fork } from "node:child_process";
import { once } from "node:events";
import { repository } from "./repository.ts";

/** A program of this folder in a process of its own. */
export type Program = Awaited<ReturnType<typeof startProgram>>;

/** Starts a program, and waits for the first line that it prints, which is JSON. */
export async function startProgram(name: string, env: Readonly<Record<string, string>>) {
  const child = fork(`${repository}test/restate/dist/${name}.mjs`, {
    execArgv: ["--expose-gc"],
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdio: ["ignore", "pipe", "ignore", "ipc"],
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
    /** kill -9. */
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** A worker on a port, a free one by default. */
export async function startWorker(env: Readonly<Record<string, string>>) {
  const program = await startProgram("worker", env);
  return { ...program, port: Number(program.said["port"]) };
}
