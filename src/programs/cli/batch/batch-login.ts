import { type BankClient, BankError, login, type Secret } from "../../../index.ts";
import { type OptionValues, parseSeconds } from "../arguments.ts";
import type { ProgramContext } from "../command.ts";
import type { CommandStatus } from "../exit-codes.ts";
import { checkAnswerProgram } from "../login/answer-program.ts";
import { createAutomaticAnswers } from "../login/automatic-answers.ts";
import type { answerOptions } from "../login/login-options.ts";
import { isOwnSession, toReport } from "../login/login-report.ts";
import type { Line } from "../terminal/output.ts";
import type { BatchLogin } from "./batch-input.ts";

/** Statuses that come before a login reaches the bank. */
const UNSENT: readonly CommandStatus[] = [
  "missing_api_key",
  "unknown_api_key",
  "unauthorized_provider",
  "provider_doesnt_exist",
  "invalid_input",
];

/** What the platform says if it could not connect. After any other error of a connection the bank may have received the login. */
const UNCONNECTED: readonly unknown[] = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"];

/** Statuses that are about the set-up: the next login would end the same way. */
const SET_UP = [
  "missing_api_key",
  "unknown_api_key",
  "access_refused",
  "redirect_refused",
  "rate_limited",
  "service_unavailable",
  "network_failed",
  "file_unusable",
] as const satisfies readonly CommandStatus[];

/** Whether a login ended for the API key, the address, the service or the answer command, and not for what is in its line. */
export function isAboutSetUp(
  status: string,
  httpStatus?: unknown,
): status is (typeof SET_UP)[number] | "outcome_unknown" {
  // A gateway that refuses one login with a page of its own refuses the next one, too.
  return (SET_UP as readonly string[]).includes(status) || (status === "outcome_unknown" && httpStatus === 403);
}

/** The settings of all logins of a batch. */
export type BatchLoginSettings = Awaited<ReturnType<typeof readBatchLoginSettings>>;

export async function readBatchLoginSettings(values: OptionValues<typeof answerOptions>, program: ProgramContext) {
  const { "answer-command": command, "answer-timeout": seconds, "replace-session": sessionReplacement } = values;
  await checkAnswerProgram(command, program);
  return { program, command, timeout: parseSeconds("--answer-timeout", seconds), sessionReplacement };
}

/** Sends one login of a batch, once, and answers its interactions from its line or with the answer command. It never throws. */
export async function logInOnce(client: BankClient, task: BatchLogin, settings: BatchLoginSettings) {
  const { provider, username, password, fields, client: chosen } = task;
  const { program, command, timeout, sessionReplacement } = settings;
  const { signal } = program;
  const since = performance.now();
  let isFirstRequest = true;
  const ended = (status: CommandStatus, details: Line, key?: Secret) => {
    const milliseconds = Math.round(performance.now() - since);
    const isUnconnected = status === "network_failed" && UNCONNECTED.includes(details["detail"]);
    const isUnsent = isFirstRequest && (isUnconnected || UNSENT.includes(status));
    return { line: { status, ...(isUnsent && { sent: false as const }), ...details, milliseconds }, key };
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
      onTransition(state) {
        if (!["idle", "submitting", "failed"].includes(state)) isFirstRequest = false;
      },
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
    if (outcome.status === "select_client") return ended(outcome.status, {}, outcome.key);
    const { status, key, httpStatus, wireStatus } = toReport(outcome);
    return ended(status, { httpStatus, wireStatus }, isOwnSession(status) ? key : undefined);
  } catch (error) {
    const fault = error instanceof BankError ? error : new BankError("unexpected_fault");
    const { code, field, httpStatus, retryAfter, detail } = fault;
    return ended(signal.aborted ? "outcome_unknown" : code, { field, httpStatus, retryAfter, detail });
  }
}
