import { stateNames } from "../../../core/login/login-state.ts";
import {
  type BankError,
  type ClientEntry,
  type EndedOutcome,
  type FailureCode,
  type InteractionPrompt,
  reveal,
  type Secret,
} from "../../../index.ts";
import { type CommandResult, toState } from "../exit-codes.ts";
import { writePrivate } from "../settings/private-files.ts";
import { sealSession } from "../settings/session-key.ts";
import { paint } from "../terminal/output.ts";
import type { LoginSettings } from "./login-settings.ts";

/** What a report depends on: where it is written, and what is done with the key. */
export interface ReportSettings extends Pick<LoginSettings, "program" | "sealKey"> {
  readonly service: Pick<LoginSettings["service"], "output" | "client">;
  readonly values: Pick<LoginSettings["values"], "print-key" | "key-to" | "seal">;
}

export interface LoginReport {
  readonly status: FailureCode | keyof typeof ownTexts;
  readonly provider: string | undefined;
  readonly key?: Secret | undefined;
  readonly request?: string | undefined;
  readonly httpStatus?: number | undefined;
  readonly wireStatus?: string | undefined;
  readonly missingFields?: readonly string[] | undefined;
  readonly refusedAt?: number | undefined;
  readonly description?: string | undefined;
  readonly fault?: BankError | undefined;
  /** With `awaiting_interaction` and `paused`. */
  readonly interaction?: InteractionPrompt | undefined;
  readonly question?: string | undefined;
  readonly clients?: readonly ClientEntry[] | undefined;
}

/** The report of a login that has ended. A failure is reported by its code. */
export function toReport(outcome: EndedOutcome): LoginReport {
  if (outcome.state !== "failed") return { ...outcome, status: stateNames[outcome.state] };
  const { provider, key, failure } = outcome;
  const { code: status, httpStatus, wireStatus, missingFields, refusedAt, description } = failure;
  return { status, provider, key, httpStatus, wireStatus, missingFields, refusedAt, description };
}

/** Whether a key is that of the login's session. With `max_sessions_reached` it is another session's. */
export const isOwnSession = (status: CommandResult): boolean =>
  status === "logged_in" || status === "select_client" || status === "client_selection_off";

/** Reports a login, and hands out its key as the options say. */
export async function reportLogin(report: LoginReport, settings: ReportSettings): Promise<CommandResult> {
  const { output } = settings.service;
  const { status, provider, interaction, clients, key, fault } = report;
  const ofBank = report.question || report.description;
  const handed = key && isOwnSession(status) ? await handOut(key, settings) : undefined;
  const line = {
    provider,
    field: interaction?.field ?? fault?.field,
    fields: interaction?.fields,
    httpStatus: report.httpStatus,
    wireStatus: report.wireStatus,
    missingFields: report.missingFields,
    refusedAt: report.refusedAt,
    description: report.description,
    request: report.request ?? fault?.request,
    retryAfter: fault?.retryAfter,
    detail: fault?.detail,
    context: interaction?.context,
    number: interaction?.number,
    kind: interaction?.kind,
    choices: interaction?.kind === "choices" ? interaction.choices : undefined,
    isRepeat: interaction?.isRepeat,
    answersSent: interaction?.answersSent,
    expiresAt: interaction?.expiresAt && new Date(interaction.expiresAt).toISOString(),
    clients,
    ...handed,
  };
  const text =
    status in ownTexts
      ? output.text(ownTexts[status as keyof typeof ownTexts])
      : output.failureText(fault ?? { code: status as FailureCode, request: report.request });
  const printed = handed?.key ?? handed?.sealedKey;
  if (printed && !output.json) output.result({}, printed);
  if (status !== "logged_in") {
    output.failure(status, ofBank ? `${text} (${ofBank})` : text, line, fault);
    return status;
  }
  if (output.json) output.result({ ...toState(status), ...line }, "");
  else output.say([paint("green", status), `: ${text}`]);
  return status;
}

/** Writes the key to the file of `--key-to`. @returns the key for the result, with `--print-key`. */
async function handOut(
  key: Secret,
  { values, sealKey, service }: ReportSettings,
): Promise<{ key?: string; sealedKey?: string }> {
  const { "print-key": isPrinted, "key-to": path, seal } = values;
  if (!isPrinted && path === undefined) return {};
  const sealed = sealKey && seal ? await sealSession(key, sealKey, service.client.baseUrl) : undefined;
  if (path !== undefined) await writePrivate("--key-to", path, `${sealed ?? reveal(key)}\n`);
  if (!isPrinted) return {};
  return sealed === undefined ? { key: reveal(key) } : { sealedKey: sealed };
}

const ownTexts = {
  logged_in: "loggedIn",
  select_client: "selectClient",
  client_selection_off: "selectClient",
  awaiting_interaction: "interactionRequired",
  paused: "paused",
} as const;
