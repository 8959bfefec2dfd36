import { type BankClient, BankError, login, type Secret } from "../../index.ts";
import { type OptionValues, parseSeconds } from "../arguments.ts";
import type { ProgramContext } from "../command.ts";
import type { CommandStatus } from "../exit-codes.ts";
import { splitWords } from "../login/answer-program.ts";
import { createAutomaticAnswers } from "../login/automatic-answers.ts";
import type { answerOptions } from "../login/login-options.ts";
import type { Line } from "../terminal/output.ts";
import type { BatchLogin } from "./batch-input.ts";

/** The settings of all logins of a batch. */
export type BatchLoginSettings = ReturnType<typeof readBatchLoginSettings>;

export function readBatchLoginSettings(values: OptionValues<typeof answerOptions>, program: ProgramContext) {
  const { "answer-command": command, "answer-timeout": seconds, "replace-session": sessionReplacement } = values;
  // An unreadable command is found before the first login, not after it.
  if (command !== undefined) splitWords(command, "--answer-command");
  return { program, command, timeout: parseSeconds("--answer-timeout", seconds), sessionReplacement };
}

/** Sends one login of a batch, once, and answers its interactions from its line or with the answer command. It never throws. */
export async function logInOnce(client: BankClient, task: BatchLogin, settings: BatchLoginSettings) {
  const { provider, username, password, fields, client: chosen } = task;
  const { program, command, timeout, sessionReplacement } = settings;
  const { signal } = program;
  const since = performance.now();
  const ended = (status: CommandStatus, details: Line, key?: Secret) => {
    const milliseconds = Math.round(performance.now() - since);
    return { line: { status, ...details, milliseconds }, key };
  };
  try {
    const answer = createAutomaticAnswers({ known: task, command, id: task.id, timeout, program });
    const outcome = await login(client, {
      provider,
      username,
      password,
      fields,
      signal,
      answerTimeout: timeout,
      sessionReplacement,
      onInteraction: async (interaction, { signal, outcome }) =>
        (await answer(provider, interaction, signal)) ?? outcome,
      ...(chosen !== undefined && { onSelectClient: () => chosen }),
    });
    // The aborted request may have reached the bank.
    if (signal.aborted && outcome.status === "cancelled") return ended("outcome_unknown", {});
    if (outcome.status === "interaction_required") {
      const { field, kind, isRepeat, answersSent } = outcome.interaction;
      await outcome.cancel();
      return ended(outcome.status, { field, kind, isRepeat, answersSent });
    }
    if (outcome.status === "logged_in" || outcome.status === "select_client") {
      return ended(outcome.status, {}, outcome.key);
    }
    // The key of such an outcome is that of another session.
    return ended(outcome.status, { httpStatus: outcome.httpStatus, wireStatus: outcome.wireStatus });
  } catch (error) {
    const fault = error instanceof BankError ? error : new BankError("unexpected_fault");
    const { code, field, httpStatus, retryAfter, detail } = fault;
    return ended(signal.aborted ? "outcome_unknown" : code, { field, httpStatus, retryAfter, detail });
  }
}
