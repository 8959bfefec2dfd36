#!/usr/bin/env node
import { signalCodes, toExitCode } from "./exit-codes.ts";
import { runProgram } from "./run-program.ts";

// The ventanilla command. A signal aborts what is under way, so that the bank sees the connection end; a second one ends at once.
const over = new AbortController();
let stoppedBy: number | undefined;
const stop = (code: number) => {
  if (stoppedBy !== undefined) process.exit(code);
  stoppedBy = code;
  over.abort();
};
process.on("SIGINT", () => stop(signalCodes.SIGINT));
process.on("SIGTERM", () => stop(signalCodes.SIGTERM));
process.on("SIGHUP", () => stop(signalCodes.SIGHUP));
// Whoever read the results has enough of them.
const brokenPipe = (error: Error): never =>
  process.exit("code" in error && error.code === "EPIPE" ? signalCodes.SIGPIPE : toExitCode("unexpected_fault"));
process.stdout.on("error", brokenPipe);
process.stderr.on("error", () => {});

const status = await runProgram(process.argv.slice(2), {
  environment: process.env,
  signal: over.signal,
  interrupt: () => {
    stoppedBy ??= signalCodes.SIGINT;
  },
});
// Not before all is written: a pipe takes it later.
process.stdout.write("", (error) => {
  if (error) brokenPipe(error);
  process.stderr.write("", () => process.exit(stoppedBy ?? toExitCode(status)));
});
