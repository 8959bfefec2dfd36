#!/usr/bin/env node
import { signalCodes, toExitCode } from "./exit-codes.ts";
import { run } from "./run.ts";

// The ventanilla command as a process: its signals and its pipes.

// A signal aborts what is under way, so that the bank sees the connection end. A second one ends the process at once.
const controller = new AbortController();
let stoppedBy: number | undefined;
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(name, () => {
    if (stoppedBy !== undefined) process.exit(signalCodes[name]);
    stoppedBy = signalCodes[name];
    controller.abort();
  });
}
// The reader of the results has closed its end.
const endOfPipe = (error: Error): never =>
  process.exit("code" in error && error.code === "EPIPE" ? signalCodes.SIGPIPE : toExitCode("unexpected_fault"));
process.stdout.on("error", endOfPipe);
process.stderr.on("error", () => {});

const { stdin, stdout, stderr, env: environment } = process;
const code = await run(process.argv.slice(2), { stdin, stdout, stderr, environment, signal: controller.signal });
// A pipe takes what was written later: the process ends after that.
stdout.write("", (error) => {
  if (error) endOfPipe(error);
  stderr.write("", () => process.exit(stoppedBy ?? code));
});
