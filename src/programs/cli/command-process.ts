import { exitCodes, signalCodes, toExitCode } from "./exit-codes.ts";
import { run } from "./run.ts";
import { toFileFault } from "./settings/private-files.ts";
import { Output } from "./terminal/output.ts";

// The ventanilla command as a process: its variables, its signals and its pipes.

const { stdin, stdout, stderr, env: environment } = process;

/**
 * Ends the process; after a signal, with that signal. Otherwise a shell's loop would continue with the next login after Ctrl-C, and a read of a
 * pipe without a writer would keep the process alive.
 */
function end(code: number): never {
  const [name] = Object.entries(signalCodes).find(([, number]) => number === code) ?? [];
  if (name && process.platform !== "win32") {
    // After all other listeners, which delete files.
    process.on("exit", () => {
      process.removeAllListeners(name);
      process.kill(process.pid, name);
    });
  }
  process.exit(code);
}

/** Runs the command line of this process, and ends it. */
export async function runProcess(): Promise<void> {
  // In a shell and in Docker a `.env` file with line ends of Windows leaves a carriage return behind each value. In a user name it would be a wrong
  // try at the bank, in a store another folder.
  for (const [name, value] of Object.entries(environment)) {
    if (/^(?:VENTANILLA_|PORT$)/.test(name) && value?.endsWith("\r")) environment[name] = value.slice(0, -1);
  }
  // A signal aborts the running requests, so that their connections end. A second one ends the process at once. A command that drains takes one signal
  // more before these.
  const controller = new AbortController();
  const draining = new AbortController();
  let steps = [controller];
  let stoppedBy: number | undefined;
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(name, () => {
      const step = steps.shift();
      if (!step) end(signalCodes[name]);
      stoppedBy = signalCodes[name];
      step.abort();
    });
  }
  const beginDraining = () => {
    if (!controller.signal.aborted) steps = [draining, controller];
    return draining.signal;
  };
  // The reader of the results has closed the pipe, or the disk is full.
  const endOfOutput = (error: Error): never => {
    if ("code" in error && error.code === "EPIPE") end(signalCodes.SIGPIPE);
    const output = new Output({ json: false, locale: undefined }, { stdout, stderr, environment });
    process.exit(toExitCode(output.thrown(toFileFault("standard output", error))));
  };
  stdout.on("error", endOfOutput);
  stderr.on("error", () => {});
  // Otherwise Node would end with 13, which is not one of the exit codes, if nothing is left to wait for.
  process.exitCode = exitCodes.report;

  const endBySignal = () => {
    stoppedBy = undefined;
  };
  const takeWarnings = (take: (text: string) => void) => {
    // Node's own listener, which writes them.
    process.removeAllListeners("warning");
    process.on("warning", ({ name, message }) => take(`${name}: ${message}`));
  };
  const { signal } = controller;
  const program = { stdin, stdout, stderr, environment, signal, beginDraining, endBySignal, takeWarnings };
  const code = await run(process.argv.slice(2), program);
  // The process ends after its output has been written to the pipes.
  stdout.write("", (error) => {
    if (error) endOfOutput(error);
    stderr.write("", () => end(stoppedBy ?? code));
  });
}
