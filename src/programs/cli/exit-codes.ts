import { failures, findFailure } from "../../core/api/failures.ts";
import type { FailureCode, Recovery } from "../../index.ts";

/**
 * The exit codes: each stands for what the caller can do. They are a contract with scripts. The state is in the output of
 * `--json` and in the message. `docs/cli.md` shows this table; a test generates it.
 */
export const exitCodes = {
  done: 0,
  report: 1,
  usage: 2,
  correct: 3,
  retry: 4,
  wait: 5,
  /** Act elsewhere: close open sessions, ask the bank, or choose another one. */
  elsewhere: 6,
  person: 7,
  incomplete: 8,
  unwritten: 9,
} as const;

export type ExitClass = keyof typeof exitCodes;

const byRecovery: { readonly [Name in Recovery]: ExitClass } = {
  report: "report",
  correct: "correct",
  retry: "retry",
  wait: "wait",
  closeSession: "elsewhere",
  changeProvider: "elsewhere",
  contactBank: "elsewhere",
};

/** The states of a command that are not failures. */
const ownResults = {
  success: "done",
  logged_in: "done",
  logged_out: "done",
  select_client: "person",
  awaiting_interaction: "person",
  paused: "person",
  batch_incomplete: "incomplete",
  results_unwritten: "unwritten",
} as const satisfies Record<string, ExitClass>;

/** How a command has ended: the code of a failure, or another state. */
export type CommandResult = FailureCode | keyof typeof ownResults;

export const commandResults = [...Object.keys(ownResults), ...Object.keys(failures)] as readonly CommandResult[];

const isOwn = (status: CommandResult): status is keyof typeof ownResults => Object.hasOwn(ownResults, status);

/** The result as the members of the command's JSON. */
export function toState(status: CommandResult): { readonly state: string; readonly code?: FailureCode } {
  return isOwn(status) || status === "cancelled" ? { state: status } : { state: "failed", code: status };
}

function toExitClass(status: CommandResult): ExitClass {
  if (isOwn(status)) return ownResults[status];
  // `--client` chooses one.
  if (status === "client_selection_off") return "person";
  const { kind, recovery } = findFailure(status);
  // The request did not reach the bank: the command itself has to be corrected.
  return kind === "fault" && recovery === "correct" ? "usage" : byRecovery[recovery];
}

export const toExitCode = (status: CommandResult): number => exitCodes[toExitClass(status)];

/** 128 plus the number of the signal, as shells do it. */
export const signalCodes = { SIGHUP: 129, SIGINT: 130, SIGPIPE: 141, SIGTERM: 143 } as const;
