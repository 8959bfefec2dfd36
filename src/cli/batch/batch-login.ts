import { type BankClient, BankError, login, type Secret } from "../../index.ts";
import type { ProgramContext } from "../command.ts";
import type { CommandStatus } from "../exit-codes.ts";
import { createAutomaticAnswers } from "../login/automatic-answers.ts";
import type { Line } from "../terminal/output.ts";
import type { BatchLogin } from "./batch-file.ts";

export interface BatchLoginSettings {
  readonly program: ProgramContext;
  readonly command: string | undefined;
  /** Milliseconds to answer an interaction. */
  readonly timeout: number;
  readonly sessionReplacement: boolean;
}

/**
 * One login of a batch: sent once, its interactions answered from its line or by the answer command. It never throws. The key is not in
 * the line of the results.
 */
export async function logInOnce(client: BankClient, task: BatchLogin, settings: BatchLoginSettings) {
  const { provider, username, password, fields, client: chosen } = task;
  const { program, command, timeout } = settings;
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
      sessionReplacement: settings.sessionReplacement,
      onInteraction: async (interaction, { signal, outcome }) =>
        (await answer(provider, interaction, signal)) ?? outcome,
      ...(chosen !== undefined && { onSelectClient: () => chosen }),
    });
    // A request that was stopped may have reached the bank.
    if (signal.aborted && outcome.status === "cancelled") return ended("outcome_unknown", {});
    if (outcome.status === "interaction_required") {
      const { field, kind, isRepeat, answersSent } = outcome.interaction;
      await outcome.cancel();
      return ended(outcome.status, { field, kind, isRepeat, answersSent });
    }
    if (outcome.status === "logged_in" || outcome.status === "select_client") {
      return ended(outcome.status, {}, outcome.key);
    }
    // Its key, where it has one, is that of the session in the way.
    return ended(outcome.status, { httpStatus: outcome.httpStatus, wireStatus: outcome.wireStatus });
  } catch (error) {
    const fault = error instanceof BankError ? error : new BankError("unexpected_fault");
    const { code, field, httpStatus, retryAfter, detail } = fault;
    return ended(signal.aborted ? "outcome_unknown" : code, { field, httpStatus, retryAfter, detail });
  }
}
