#!/usr/bin/env node
import { signalCodes, toExitCode } from "./exit-codes.ts";
import { run } from "./run.ts";

// The ventanilla command as a process: its signals and its pipes.

// A signal aborts the running requests, so that their connections end. A second one ends the process at once.
const controller = new AbortController();
let stoppedBy: number | undefined;
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(name, () => {
    if (stoppedBy !== undefined) process.exit(signalCodes[name]);
    stoppedBy = signalCodes[name];
    controller.abort();
  });
}
// The reader of the results has closed the pipe.
const endOfPipe = (error: Error): never =>
  process.exit("code" in error && error.code === "EPIPE" ? signalCodes.SIGPIPE : toExitCode("unexpected_fault"));
process.stdout.on("error", endOfPipe);
process.stderr.on("error", () => {});

// Where nothing is left to wait for, Node would end with 13, which is `insecure_address`.
process.exitCode = toExitCode("unexpected_fault");

const { stdin, stdout, stderr, env: environment } = process;
const code = await run(process.argv.slice(2), { stdin, stdout, stderr, environment, signal: controller.signal });
// The process ends after its output has been written to the pipes.
stdout.write("", (error) => {
  if (error) endOfPipe(error);
  stderr.write("", () => process.exit(stoppedBy ?? code));
});
