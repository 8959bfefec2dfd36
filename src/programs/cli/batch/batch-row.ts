import type { BatchResult, BatchRow } from "../../../core/batch/index.ts";
import { stateNames } from "../../../core/login/login-state.ts";
import type { InteractionPrompt } from "../../../index.ts";
import { type OptionValues, parseSeconds } from "../arguments.ts";
import type { ProgramContext } from "../command.ts";
import { checkAnswerProgram } from "../login/answer-program.ts";
import { createAutomaticAnswers } from "../login/automatic-answers.ts";
import type { answerOptions } from "../login/login-options.ts";
import { isOwnSession, toReport } from "../login/login-report.ts";
import { findTelemetry } from "../registered-telemetry.ts";
import { type BatchLogin, prepareLogin } from "./batch-input.ts";

export type BatchLoginSettings = Awaited<ReturnType<typeof readBatchLoginSettings>>;

export async function readBatchLoginSettings(values: OptionValues<typeof answerOptions>, program: ProgramContext) {
  const { "answer-command": command, "answer-timeout": seconds, "replace-session": sessionReplacement } = values;
  await checkAnswerProgram(command, program);
  const timeout = parseSeconds("--answer-timeout", seconds);
  return { program, command, timeout, sessionReplacement, telemetry: await findTelemetry() };
}

/** The login of a line, whose interactions are answered from the line or with the answer command. */
export function toRow(
  login: BatchLogin,
  attempt: number,
  { program, command, timeout, sessionReplacement, telemetry: { inspect } }: BatchLoginSettings,
): BatchRow {
  const known = prepareLogin(login);
  const { id, provider, username, password, fields, client: chosen } = known;
  const answer = createAutomaticAnswers({ known, command, id, timeout, program });
  return {
    id,
    attempt,
    provider,
    username,
    password,
    fields,
    settings: { answerTimeout: timeout, sessionReplacement },
    ...(inspect && { inspect }),
    onInteraction: async (interaction, { signal, outcome }) => (await answer(provider, interaction, signal)) ?? outcome,
    ...(chosen !== undefined && { onSelectClient: () => chosen }),
  };
}

/** The result line's members for a login with an unanswered interaction. */
export function toUnanswered({ field, fields, kind, isRepeat, answersSent }: InteractionPrompt) {
  return {
    status: "awaiting_interaction" as const,
    key: undefined,
    details: { field, fields, kind, isRepeat, answersSent },
  };
}

/** The result line's members for a login, and its session key. An unanswered interaction is cancelled. */
export async function toCommandResult({ outcome, fault }: BatchResult) {
  if (fault) {
    const { code: status, field, httpStatus, retryAfter, detail } = fault;
    return { status, details: { field, httpStatus, retryAfter, detail } };
  }
  if (outcome.state === "awaitingInteraction") {
    await outcome.cancel();
    return toUnanswered(outcome.interaction);
  }
  if (outcome.state === "selectClient") return { status: stateNames.selectClient, key: outcome.key };
  const { status, key, httpStatus, wireStatus, refusedAt } = toReport(outcome);
  return { status, details: { httpStatus, wireStatus, refusedAt }, ...(isOwnSession(status) && { key }) };
}
